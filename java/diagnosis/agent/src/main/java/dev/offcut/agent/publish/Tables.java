package dev.offcut.agent.publish;

import dev.offcut.agent.Messages;
import dev.offcut.agent.Presence;
import dev.offcut.agent.Tracking;
import dev.offcut.agent.base.concurrent.ForcedCollections;
import dev.offcut.agent.base.concurrent.OpenOverTime;
import dev.offcut.agent.base.concurrent.OwnBuffers;
import dev.offcut.agent.hooks.ProgramEnd;
import dev.offcut.agent.hooks.Source;
import dev.offcut.agent.publish.PublicationFailures.Part;
import dev.offcut.agent.rules.WatchedRows;
import dev.offcut.agent.rules.Watching;
import dev.offcut.rules.Rule;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Publishes what the agent knows in a {@link TableFile}: a table for each event of that name, and
 * how the main figures changed over time. Where no file can be made, a sentence says so, once.
 *
 * <p>The first look makes the file, or the program's end if somebody asked for it: a program that
 * ends before the agent has looked, and that nobody asks about, leaves none.
 */
public final class Tables implements Runnable {
  private static final String INFORMATION =
      "jdk.JVMInformation\npid long\njavaArguments text\njvmVersion text\njvmArguments text\n"
          + "jvmStartTime time";
  private static final String CONFIGURATION =
      "offcut.AgentConfiguration\nversion text\nlevel text\nsampleEvery long\noptions text"
          + "\npatched text\nstoodDown text\nstartFailure text\nuncaught text\nexitCode long"
          + "\nsampleBytes long\nattached long\nmissedBuffers long\nmissedBufferBytes long"
          + "\nmissedMappedBytes long\nmissedMallocBytes long\nending time";
  private static final String STATISTICS =
      "offcut.ResourceStatistics\nkind text\nopened long\nclosed long\ncollected long\nlost long"
          + "\nopen long\nbytes long\nopenedBytes long\nlostBytes long\npeakBytes long\nproof text"
          + "\nunseen long";
  private static final String FINALIZER =
      "offcut.FinalizerClass\ntype text\nregistered long\nrun long";
  private static final String SAVED =
      "offcut.SavedWork\nfeature text\ndone long\nsaved long\nunit text";
  private static final String MEMORY =
      "offcut.ProcessMemory\nresident long\nresidentPeak long\ncontainerLimit long";

  private static final String WATCHED =
      "offcut.WatchedClass\nrule text\nclass text\nstate text\ndetail text\nfrom text\n"
          + "freedBy text\nholds text\ncalled text\nadvice text\nnotCounted long";
  private static final String BUFFER_POOL =
      "offcut.BufferPool\npool text\nallocators long\nchunks long\nkept long\nused long";
  private static final String LOADERS =
      "offcut.ClassLoaders\nloaders long\ncommitted long\nused long";

  static final String NAME = "offcut tables";

  /** For the container's limit, and for what makes the kernel walk over all pages. */
  private static final int RARELY = 60;

  private final Tracking tracking;

  /** Given by somebody who reads the file after the program's end, and deletes it; or null. */
  private final @Nullable String folder;

  private final long began = SteadyClock.now();
  private final ProcessStatus atStart = new ProcessStatus();
  private final ProcessStatus status = new ProcessStatus();
  private final JvmCounters counters = new JvmCounters();
  private final ForcedRows forced = new ForcedRows();
  private final Map<String, TableFile.Table> tables = new HashMap<>();
  private final Map<String, TableFile.Row> rows = new HashMap<>();
  private final Map<String, Long> texts = new HashMap<>();

  /** The columns of the row that is set next. */
  final long[] values = new long[64];

  private final Set<String> bufferPools = new HashSet<>();
  private @Nullable Libraries copies;
  private @Nullable Path path;
  private @Nullable TableFile file;
  private @Nullable SiteRows sites;
  private @Nullable Course course;
  private @Nullable FleetCopies fleetCopies;

  /** Where the program's command is, which may have passwords. */
  private long command;

  private final StuckThreads stuck = new StuckThreads(this);
  private final PublicationFailures failures = new PublicationFailures(this);

  /** What was counted at the last look that could be made. */
  private List<Ledger.KindCounts> kinds = List.of();

  /** When the look began that is published, in ms since 1970. */
  private long now;

  private boolean knowsStart;
  private boolean ended;
  private boolean toldFull;
  private boolean toldFailure;
  private int ticks;
  private int watchedChanges = -1;

  private Tables(Tracking tracking, @Nullable String folder) {
    this.tracking = tracking;
    this.folder = folder;
  }

  /**
   * Begins: the first tick makes the file.
   *
   * @param folder who asks for it; or null
   * @param behindHooks where the JVM's shutdown has a step behind the program's own hooks, and
   *     other last looks are made there too; null: the last counts are made there only if the file
   *     is wanted and something is open
   */
  public static Tables begin(
      Tracking tracking, @Nullable String folder, @Nullable Instrumentation behindHooks) {
    Tables tables = new Tables(tracking, folder);
    tables.atStart.look();
    try {
      if (tracking.isTracked(Source.FORCED)) {
        ForcedCollections.listen(tables.forced);
      }
      if (behindHooks != null) {
        LastStep.add(behindHooks, NAME, tables);
      } else {
        Runtime.getRuntime().addShutdownHook(new Thread(null, tables::atExit, NAME, 0, false));
      }
    } catch (RuntimeException e) {
      tables.fail(e); // the program ends already, or a security manager says no
    }
    return tables;
  }

  /**
   * Runs beside the program's own shutdown hooks. What those close later counts as closed: so if
   * anything is open, the last counts are made behind them.
   */
  private void atExit() {
    if (isWanted() && isAnythingOpen() && LastStep.isAdded(tracking.instrumentation(), this)) {
      return;
    }
    run();
  }

  private boolean isAnythingOpen() {
    try {
      Ledger.settleAtExit(tracking);
      return Ledger.kinds(tracking).stream().anyMatch(kind -> kind.open() > 0);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return true; // whoever looks last says what is wrong
    }
  }

  @Override
  public void run() {
    if (isWanted()) {
      OwnBuffers.begin(); // the thread is the program's
      end();
      OwnBuffers.end();
    }
  }

  /** False where the program was too short, and nobody asked. */
  private boolean isWanted() {
    return folder != null || tracking.settings().fleet() != null || path() != null;
  }

  synchronized @Nullable Path path() {
    return path;
  }

  /**
   * Where it is, or will be as soon as there is something to publish; null if that is not known.
   */
  @Nullable Path expected() {
    return folder == null ? path() : Path.of(folder).resolve(Presence.pid() + TableFolder.ENDING);
  }

  private synchronized void end() {
    try {
      Ledger.settleAtExit(tracking);
    } catch (ReflectiveOperationException | RuntimeException e) {
      failures.add(Part.COUNTS, e, SteadyClock.now());
    }
    publish(true);
    ended = true;
    TableFile to = file;
    if (to == null) {
      return;
    }
    try {
      to.ended();
      if (fleetCopies != null) {
        fleetCopies.end(to.copy(command), SteadyClock.now());
      }
      to.close();
      if (path != null && folder == null) {
        Files.deleteIfExists(path);
        Files.deleteIfExists(OwnAccount.beside(path, OwnAccount.ANSWER));
        NativeMemory.end();
      }
    } catch (IOException | RuntimeException e) {
      // A security manager may say no. It lies there until somebody makes another of that name.
    }
  }

  /** Publishes what changed. */
  synchronized void tick() {
    publish(false);
  }

  /** Adds a point to the series between two ticks; nothing before the first one. */
  synchronized void point() {
    if (ended || file == null) {
      return;
    }
    now = SteadyClock.now();
    try {
      kinds = Ledger.kinds(tracking);
      counters.look();
      status.look();
      series();
    } catch (IOException | ReflectiveOperationException | RuntimeException e) {
      // The next tick fails as well, and says so.
    }
  }

  /**
   * Each part by itself: one that fails is tried again the next time, and keeps no other from being
   * published. What failed is published, too.
   */
  private synchronized void publish(boolean last) {
    if (ended) {
      return;
    }
    now = SteadyClock.now(); // before anything is counted
    try {
      open();
    } catch (IOException | RuntimeException e) {
      fail(e);
      return;
    }
    for (Part part : Part.values()) {
      try {
        publish(part, last);
        failures.clear(part);
      } catch (IOException | ReflectiveOperationException | RuntimeException e) {
        failures.add(part, e, now);
      }
    }
    try {
      failures.publish();
      TableFile to = Objects.requireNonNull(file);
      to.looked(now);
      if (to.isFull() && !toldFull) {
        toldFull = true;
        Messages.say("the tables are full; what the agent finds from now on is not in them");
      }
      if (fleetCopies != null && !last && fleetCopies.isDue(now)) {
        fleetCopies.put(to.copy(command), now);
      }
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
    ticks++;
  }

  private void publish(Part part, boolean last) throws IOException, ReflectiveOperationException {
    switch (part) {
      case COUNTS -> {
        kinds = Ledger.kinds(tracking);
        for (int i = 0; i < kinds.size(); i++) {
          statistics(kinds.get(i));
        }
      }
      case CONFIGURATION -> configuration(last);
      case WATCHED -> watched(last);
      case SITES -> Objects.requireNonNull(sites).publish();
      case FORCED -> forced.publish(this);
      case SAVED -> saved(kinds);
      case FINALIZERS -> finalizers();
      case MEMORY -> memory();
      case STUCK -> stuck.publish(now, ticks, status.threads, last);
      case BUFFER_POOLS -> bufferPools();
      case INFORMATION -> {
        counters.look();
        if (!knowsStart && counters.began > 0) {
          information();
        }
      }
      case LOADERS -> loaders(last);
      case LIBRARIES -> libraries(last);
      case SERIES -> series();
    }
  }

  private void series() throws IOException {
    values[0] = status.resident;
    long committed = Runtime.getRuntime().totalMemory();
    values[1] = committed;
    values[2] = openHandles();
    values[3] = counters.pauses;
    values[4] = counters.pauseNanos;
    values[5] = text(counters.cause);
    values[6] = Math.max(0, committed - Runtime.getRuntime().freeMemory());
    values[7] = counters.heapAfter;
    values[8] = counters.oldPauses;
    values[9] = status.anonymous;
    values[10] = status.ofFiles;
    values[11] = status.threads;
    values[12] = status.descriptors;
    values[13] = counters.classes;
    values[14] = counters.used;
    values[15] = counters.compiled;
    values[16] = counters.fullPauses;
    Course to = Objects.requireNonNull(course);
    to.widen(kinds);
    to.add(now, kinds, values);
  }

  /** Says, the first time, that nothing can be published for now. It is tried again. */
  synchronized void fail(Throwable e) {
    if (toldFailure) {
      return;
    }
    toldFailure = true;
    Messages.say(
        "the agent cannot write its tables, so nothing can be read of this program ("
            + e
            + "); it tries again each second");
  }

  /** Makes the file, unless it is there. */
  private void open() throws IOException {
    if (file != null) {
      return;
    }
    long pid = Presence.pid();
    TableFile made = TableFolder.make(folder, pid);
    file = made;
    try {
      failures.prepare();
      sites = new SiteRows(this);
      course = new Course(made);
      course.begin(began, atStart, text(""));
      counters.look();
      information();
    } catch (IOException | RuntimeException e) {
      file = null;
      tables.clear();
      texts.clear();
      rows.clear();
      made.close();
      Files.deleteIfExists(made.path());
      throw e;
    }
    path = made.path();
    Tracking.Fleet fleet = tracking.settings().fleet();
    if (fleet != null) {
      fleetCopies = new FleetCopies(fleet, pid, SteadyClock.now());
    }
    Presence.publishesInto(made.path().toString());
  }

  /** The JVM knows when it began only at the end of its start, which is after this agent's. */
  private void information() throws IOException {
    knowsStart = counters.began > 0;
    values[0] = Presence.pid();
    command = text(System.getProperty("sun.java.command", ""));
    values[1] = command;
    values[2] = text(System.getProperty("java.runtime.version", ""));
    values[3] = text(arguments());
    values[4] = knowsStart ? counters.began : started();
    set("information", INFORMATION);
  }

  private static long started() {
    Instant now = Instant.now();
    return ProcessHandle.current().info().startInstant().orElse(now).toEpochMilli();
  }

  /** The JVM's own options that can be seen: others may have passwords. */
  private static String arguments() {
    StringBuilder all = new StringBuilder();
    try (InputStream words = new FileInputStream("/proc/self/cmdline")) {
      String text = new String(words.readAllBytes(), StandardCharsets.UTF_8);
      for (String word : text.split("\0", -1)) {
        if (word.startsWith("-XX:")) {
          all.append(all.isEmpty() ? "" : " ").append(word);
        }
      }
    } catch (IOException e) {
      // another system
    }
    return all.toString();
  }

  private void configuration(boolean last) throws IOException, ReflectiveOperationException {
    values[0] = text(Presence.version());
    values[1] = text(tracking.settings().level().label());
    values[2] = tracking.every();
    values[3] = text(tracking.options());
    values[4] = text(String.join("\n", tracking.patched()));
    values[5] = Objects.requireNonNull(file).lines(tracking.stoodDown());
    values[6] = last ? text(ProgramEnd.failure(tracking)) : 0;
    values[7] = text(ProgramEnd.uncaught());
    values[8] = ProgramEnd.exitCode();
    values[9] = tracking.bytes();
    values[10] = tracking.settings().late() ? 1 : 0;
    System.arraycopy(tracking.missed(), 0, values, 11, 4);
    values[15] = OpenOverTime.ending();
    set("configuration", CONFIGURATION);
  }

  /** The classes that rules are about, as far as they have come. */
  private void watched(boolean last) throws IOException {
    Watching watching = tracking.watching();
    if (watching != null && (last || ticks % RARELY == 0)) {
      watching.lookAtHidden();
    }
    if (watching == null || watching.rows().changes() == watchedChanges) {
      return;
    }
    int changes = watching.rows().changes();
    for (WatchedRows.Row row : watching.rows().all()) {
      Rule rule = row.rule();
      values[0] = text(rule.library());
      values[1] = text(row.type());
      values[2] = text(row.state());
      values[3] = text(row.detail());
      values[4] = text(rule.from());
      values[5] = text(rule.freedBy().name().toLowerCase(Locale.ROOT));
      values[6] = text(rule.holds());
      values[7] = text(rule.called());
      values[8] = text(rule.advice());
      values[9] = row.notCounted();
      set("watched " + row.type(), WATCHED);
    }
    watchedChanges = changes;
  }

  private void statistics(Ledger.KindCounts kind) throws IOException {
    values[0] = text(kind.kind());
    values[1] = kind.opened();
    values[2] = kind.closed();
    values[3] = kind.collected();
    values[4] = kind.lost();
    values[5] = kind.open();
    values[6] = kind.bytes();
    values[7] = kind.openedBytes();
    values[8] = kind.lostBytes();
    values[9] = kind.peakBytes();
    values[10] = text(kind.proof());
    values[11] = kind.unseen();
    set(kind.kind(), STATISTICS);
  }

  private void saved(List<Ledger.KindCounts> kinds)
      throws IOException, ReflectiveOperationException {
    for (Savings work : Savings.now(kinds)) {
      values[0] = text(work.feature());
      values[1] = work.done();
      values[2] = work.saved();
      values[3] = text(work.unit());
      set(work.feature(), SAVED);
    }
  }

  private void finalizers() throws IOException {
    for (Object[] type : Ledger.finalizers()) {
      values[0] = text((String) type[0]);
      values[1] = (Long) type[1];
      values[2] = (Long) type[2];
      set("finalizer " + type[0], FINALIZER);
    }
  }

  private void memory() throws IOException {
    status.look();
    if (status.resident < 0) {
      return;
    }
    if (ticks % RARELY == 0) {
      status.readContainer();
    }
    values[0] = status.resident;
    values[1] = status.residentPeak;
    values[2] = status.limit;
    set("memory", MEMORY);
  }

  /** One that has nothing any more keeps its row. */
  private void bufferPools() throws IOException {
    Set<String> gone = new HashSet<>(bufferPools);
    for (NettyPools.Figures pool : tracking.nettyPools()) {
      values[0] = text(pool.type());
      values[1] = pool.allocators();
      values[2] = pool.chunks();
      values[3] = pool.kept();
      values[4] = pool.used();
      set("buffers " + pool.type(), BUFFER_POOL);
      bufferPools.add(pool.type());
      gone.remove(pool.type());
    }
    for (String type : gone) {
      Arrays.fill(values, 1, 5, 0);
      values[0] = text(type);
      set("buffers " + type, BUFFER_POOL);
    }
  }

  private void loaders(boolean last) throws IOException {
    if (last || ticks % RARELY == 1) {
      values[0] = tracking.loaders();
      values[1] = counters.committed;
      values[2] = counters.used;
      set("loaders", LOADERS);
    }
  }

  private void libraries(boolean last) throws IOException {
    if (tracking.entries() > 0) {
      if (copies == null) {
        copies =
            new Libraries(tracking.instrumentation(), tracking.stoodDown(), new LibraryRows(this));
      }
      copies.publish(tracking.entries(), last);
    }
  }

  /** How many handles of Offcut's libraries are open; -1 without any. */
  private long openHandles() {
    return copies == null ? -1 : copies.openHandles();
  }

  /** Where a text is that is used again; 0 if there is no room for it. */
  long text(String text) throws IOException {
    Long known = texts.get(text);
    if (known == null) {
      known = Objects.requireNonNull(file).text(text);
      if (known < 0) {
        return 0;
      }
      texts.put(text, known);
    }
    return known;
  }

  /** Puts a text into the file; negative if there is no room for it. */
  long newText(String text) throws IOException {
    return Objects.requireNonNull(file).text(text);
  }

  /** Publishes the values as the row of a name. */
  void set(String name, String schema) throws IOException {
    TableFile.Row row = rows.get(name);
    if (row == null) {
      row = table(schema).add();
      if (row == null) {
        return;
      }
      rows.put(name, row);
    }
    row.set(values, 0);
  }

  TableFile.Table table(String schema) throws IOException {
    TableFile.Table table = tables.get(schema);
    if (table == null) {
      table = Objects.requireNonNull(file).table(schema);
      tables.put(schema, table);
    }
    return table;
  }
}
