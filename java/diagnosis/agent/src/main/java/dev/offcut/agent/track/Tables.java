package dev.offcut.agent.track;

import dev.offcut.agent.LastStep;
import dev.offcut.agent.Messages;
import dev.offcut.agent.Presence;
import dev.offcut.agent.base.Kind;
import dev.offcut.agent.base.concurrent.Counts;
import dev.offcut.agent.watch.Watching;
import dev.offcut.closeables.Rule;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes what the agent knows in a {@link TableFile}: a table for each event of that name, and
 * how the main figures changed over time. Where no file can be made, a sentence says so, once.
 *
 * <p>Beyond the counts, which the agent reads each second anyway, publishing allocates nothing as
 * long as the program opens at no new call site and has none of Offcut's libraries, and then writes
 * a few words.
 */
final class Tables implements Runnable {
  private static final String INFORMATION =
      "jdk.JVMInformation\npid long\njavaArguments text\njvmVersion text\njvmArguments text\n"
          + "jvmStartTime time";
  private static final String CONFIGURATION =
      "offcut.AgentConfiguration\nversion text\nlevel text\nsampleEvery long\noptions text"
          + "\npatched text\nstoodDown text\nstartFailure text\nuncaught text\nexitCode long"
          + "\nsampleBytes long\nattached long\nmissedBuffers long\nmissedBufferBytes long"
          + "\nmissedMappedBytes long\nmissedMallocBytes long";
  private static final String STATISTICS =
      "offcut.ResourceStatistics\nkind text\nopened long\nclosed long\ncollected long\nlost long"
          + "\nopen long\nbytes long\nopenedBytes long\nlostBytes long\npeakBytes long\nproof text"
          + "\nunseen long";
  private static final String SITE =
      "offcut.ResourceSite\nkind text\nsite text\nopened long\nclosed long\ncollected long\n"
          + "lost long\nopen long\nbytes long\nlostBytes long\nsamples long";
  private static final String FORCED =
      "offcut.ForcedCollection\nstack text\ncount long\nrequested long";
  private static final String FINALIZER =
      "offcut.FinalizerClass\ntype text\nregistered long\nrun long";
  private static final String SAVED =
      "offcut.SavedWork\nfeature text\ndone long\nsaved long\nunit text";
  private static final String MEMORY =
      "offcut.ProcessMemory\nresident long\nresidentPeak long\nanonymous long\nfile long\n"
          + "shared long\ncontainerLimit long\ncontainerUsed long\nmappedFiles long";

  private static final String WATCHED =
      "offcut.WatchedClass\nrule text\nclass text\nstate text\ndetail text\nfrom text\n"
          + "freedBy text\nholds text\ncalled text\nadvice text\nnotCounted long";
  private static final String BUFFER_POOL =
      "offcut.BufferPool\npool text\nallocators long\nchunks long\nkept long\nused long";
  private static final String LOADERS =
      "offcut.ClassLoaders\nloaders long\ncommitted long\nused long";
  private static final String UNPUBLISHED =
      "offcut.PublicationFailure\npart text\ncause text\nsince time\nlast time\ncount long";

  static final String NAME = "offcut tables";

  /** For the container's limit, and for what makes the kernel walk over all pages. */
  private static final int RARELY = 60;

  private final Tracking tracking;

  /** Given by somebody who reads the file after the program's end, and deletes it; or null. */
  private final @Nullable String folder;

  private final ProcessStatus status = new ProcessStatus();
  private final JvmCounters counters = new JvmCounters();
  private final Forced forced;
  private final Map<String, TableFile.Table> tables = new HashMap<>();
  private final Map<String, TableFile.Row> rows = new HashMap<>();
  private final Map<String, Long> texts = new HashMap<>();
  private final long[] values = new long[64];
  private final Set<String> bufferPools = new HashSet<>();
  private @Nullable Copies copies;

  private @Nullable Path path;
  private @Nullable TableFile file;
  private @Nullable Sites sites;
  private @Nullable Course course;
  private @Nullable FleetCopies fleetCopies;

  /** Where the program's command is, which may have passwords. */
  private long command;

  private final Failures failures = new Failures();

  /** What was counted at the last look that could be made. */
  private List<Ledger.KindCounts> kinds = List.of();

  /** When the look began that is published, in ms since 1970. */
  private long now;

  private boolean knowsStart;
  private boolean ended;
  private boolean toldFull;
  private boolean toldFailure;
  private int ticks;
  private int stoodDown = -1;
  private long finalized = -1;
  private int watchedChanges = -1;
  private long mappedFiles = -1;

  Tables(Tracking tracking, @Nullable String folder, Forced forced) {
    this.tracking = tracking;
    this.folder = folder;
    this.forced = forced;
  }

  /**
   * Runs beside the program's own shutdown hooks. What those close later counts as closed: so if
   * anything is open, the last counts are made behind them.
   */
  void atExit() {
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

  /** At the program's end. */
  @Override
  public void run() {
    if (isWanted()) {
      end();
    }
  }

  /** False where the program was too short, and nobody asked. */
  private boolean isWanted() {
    return folder != null || tracking.settings().fleet() != null || path() != null;
  }

  /** Null until the file is there. */
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
      failures.add(Part.COUNTS, e);
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
      }
    } catch (IOException e) {
      // It lies there until somebody makes another of that name.
    }
  }

  /** Publishes what changed. */
  synchronized void tick() {
    publish(false);
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
        failures.add(part, e);
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

  /** What is published: names for those who read that one of them failed. */
  private enum Part {
    COUNTS("counts by kind"),
    CONFIGURATION("what is tracked"),
    WATCHED("classes of unclosed objects"),
    SITES("call sites"),
    FORCED("forced collections"),
    SAVED("saved work"),
    FINALIZERS("finalizers by class"),
    MEMORY("resident memory"),
    BUFFER_POOLS("Netty's buffer pools"),
    INFORMATION("the JVM's start"),
    LOADERS("class loaders"),
    LIBRARIES("handles and pools of Offcut's libraries"),
    SERIES("figures over time");

    final String label;

    Part(String label) {
      this.label = label;
    }
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
      case FINALIZERS -> finalizers(kinds);
      case MEMORY -> memory();
      case BUFFER_POOLS -> bufferPools();
      case INFORMATION -> {
        counters.look();
        if (!knowsStart && counters.began > 0) {
          information();
        }
      }
      case LOADERS -> loaders(last);
      case LIBRARIES -> libraries(last);
      case SERIES -> series(last);
    }
  }

  private void series(boolean last) throws IOException {
    values[0] = status.resident;
    long committed = Runtime.getRuntime().totalMemory();
    values[1] = committed;
    values[2] = openHandles();
    values[3] = counters.pauses;
    values[4] = counters.pauseNanos;
    values[5] = text(counters.cause);
    values[6] = Math.max(0, committed - Runtime.getRuntime().freeMemory());
    values[7] = counters.heapAfter;
    Course to = Objects.requireNonNull(course);
    to.widen(kinds);
    to.add(now, kinds, values, last);
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

  /**
   * Which parts could not be published, since when and why. Their rows, and the text of the usual
   * cause, are made with the file: later the disk may be full.
   */
  private final class Failures {
    private static final String NO_SPACE = "No space left on device";

    /** Other causes than that; a cause with a number in it would else be a text each second. */
    private static final int MOST_CAUSES = 16;

    private static final int COLUMNS = 5;

    private final Map<Part, TableFile.Row> rows = new EnumMap<>(Part.class);
    private final Map<Part, long[]> figures = new EnumMap<>(Part.class);
    private final Set<String> causes = new HashSet<>();
    private boolean changed;

    void prepare() throws IOException {
      text(NO_SPACE);
      for (Part part : Part.values()) {
        of(part)[0] = text(part.label);
        TableFile.Row row = table(UNPUBLISHED).add();
        if (row != null) {
          rows.put(part, row);
        }
      }
    }

    void add(Part part, Exception e) {
      long[] row = of(part);
      if (row[4] == 0) {
        row[1] = cause(e);
        row[2] = now;
      }
      row[3] = now;
      row[4]++;
      changed = true;
    }

    private long[] of(Part part) {
      return figures.computeIfAbsent(part, made -> new long[COLUMNS]);
    }

    private long cause(Exception e) {
      String message = String.valueOf(e.getMessage());
      String cause = message.contains(NO_SPACE) ? NO_SPACE : e.toString();
      if (!causes.contains(cause) && causes.size() == MOST_CAUSES) {
        cause = e.getClass().getName();
      }
      causes.add(cause);
      try {
        return text(cause);
      } catch (IOException noRoom) {
        return 0;
      }
    }

    void clear(Part part) {
      long[] row = of(part);
      if (row[4] != 0) {
        Arrays.fill(row, 1, COLUMNS, 0);
        changed = true;
      }
    }

    /** A row of a part that was published is empty. */
    void publish() throws IOException {
      if (!changed) {
        return;
      }
      for (Map.Entry<Part, TableFile.Row> row : rows.entrySet()) {
        long[] known = of(row.getKey());
        row.getValue().set(known[4] == 0 ? new long[COLUMNS] : known, 0);
      }
      changed = false;
    }
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
      sites = new Sites(this);
      course = new Course(made);
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
    int lines = tracking.stoodDown().size();
    if (!last && lines == stoodDown) {
      return;
    }
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
    set("configuration", CONFIGURATION);
    stoodDown = lines;
  }

  /** The classes that rules are about, as far as they have come. */
  private void watched(boolean last) throws IOException {
    Watching watching = tracking.watching();
    if (watching != null && (last || ticks % RARELY == 0)) {
      watching.lookAtHidden();
    }
    if (watching == null || watching.changes() == watchedChanges) {
      return;
    }
    int changes = watching.changes();
    for (Watching.Row row : watching.rows()) {
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

  /** Where their sum changed, that of a class has. */
  private void finalizers(List<Ledger.KindCounts> kinds)
      throws IOException, ReflectiveOperationException {
    for (int i = 0; i < kinds.size(); i++) {
      Ledger.KindCounts kind = kinds.get(i);
      if (kind.kind().equals(Kind.name(Kind.FINALIZER))
          && kind.opened() + kind.collected() != finalized) {
        long sum = kind.opened() + kind.collected();
        for (Object[] type : Ledger.finalizers()) {
          values[0] = text((String) type[0]);
          values[1] = (Long) type[1];
          values[2] = (Long) type[2];
          set("finalizer " + type[0], FINALIZER);
        }
        finalized = sum;
      }
    }
  }

  private void memory() throws IOException {
    status.look();
    if (status.resident < 0) {
      return;
    }
    if (ticks % RARELY == 0) {
      status.readContainer();
    } else if (ticks % RARELY == 1) {
      mappedFiles = ProcessStatus.mappedFiles();
    }
    values[0] = status.resident;
    values[1] = status.residentPeak;
    values[2] = status.anonymous;
    values[3] = status.file;
    values[4] = status.shared;
    values[5] = status.limit;
    values[6] = status.used;
    values[7] = mappedFiles;
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
        copies = new Copies(this);
      }
      copies.libraries.publish(tracking.entries(), copies, last);
    }
  }

  /** How many handles of Offcut's libraries are open; -1 without any. */
  private long openHandles() {
    return copies == null ? -1 : copies.libraries.openHandles();
  }

  /** Where a text is that is used again; 0 if there is no room for it. */
  private long text(String text) throws IOException {
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

  /** Publishes the values as the row of a name. */
  private void set(String name, String schema) throws IOException {
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

  private TableFile.Table table(String schema) throws IOException {
    TableFile.Table table = tables.get(schema);
    if (table == null) {
      table = Objects.requireNonNull(file).table(schema);
      tables.put(schema, table);
    }
    return table;
  }

  /** What the libraries in the program publish, by key. */
  private static final class Copies implements Libraries.Rows {
    /** A longer text is the map of a pool, which is another one soon. */
    private static final int LONG_TEXT = 4 << 10;

    private record Published(String schema, TableFile.Row row) {}

    private final Tables tables;
    private final Libraries libraries;
    private final Map<String, Published> rows = new HashMap<>();
    private final Map<String, List<TableFile.Row>> free = new HashMap<>();

    /** The last long text of a row, and where it is. */
    private final Map<String, String> texts = new HashMap<>();

    private final Map<String, Long> places = new HashMap<>();

    Copies(Tables tables) {
      this.tables = tables;
      this.libraries = tables.tracking.libraries();
    }

    @Override
    public void set(String key, String schema, Object[] given) throws IOException {
      Published known = rows.get(key);
      if (known == null) {
        List<TableFile.Row> unused = free.get(schema);
        TableFile.Row row =
            unused == null || unused.isEmpty()
                ? tables.table(schema).add()
                : unused.remove(unused.size() - 1);
        if (row == null) {
          return;
        }
        known = new Published(schema, row);
        rows.put(key, known);
      }
      long[] values = tables.values;
      for (int i = 0; i < given.length; i++) {
        values[i] = given[i] instanceof Long number ? number : text(key, (String) given[i]);
      }
      known.row.set(values, 0);
    }

    private long text(String key, String text) throws IOException {
      if (text.length() < LONG_TEXT) {
        return tables.text(text);
      }
      if (!text.equals(texts.get(key))) {
        texts.put(key, text);
        places.put(key, Math.max(0, Objects.requireNonNull(tables.file).text(text)));
      }
      return places.getOrDefault(key, 0L);
    }

    @Override
    public void clear(String key) throws IOException {
      Published known = rows.remove(key);
      texts.remove(key);
      places.remove(key);
      if (known != null) {
        Arrays.fill(tables.values, 0);
        known.row.set(tables.values, 0);
        free.computeIfAbsent(known.schema, unseen -> new ArrayList<>()).add(known.row);
      }
    }
  }

  /** The call sites, of which several may have the same lines: those are one row. */
  private static final class Sites {
    private static final int NUMBERS = Counts.SAMPLES + 1;
    private static final int COLUMNS = 10;

    private final Tables tables;
    private final Map<String, Integer> known = new HashMap<>();
    private final List<TableFile.Row> rows = new ArrayList<>();

    /** Of all call sites, one behind the other. */
    private long[] numbers = new long[64 * NUMBERS];

    /** Of each call site the number of its row, or -1. */
    private int[] rowOf = new int[64];

    /** Of all rows, one behind the other. */
    private long[] values = new long[64 * COLUMNS];

    private int places;

    Sites(Tables tables) {
      this.tables = tables;
    }

    void publish() throws IOException, ReflectiveOperationException {
      int count = Ledger.readSites(numbers);
      while (count * NUMBERS > numbers.length) {
        numbers = new long[2 * count * NUMBERS];
        count = Ledger.readSites(numbers);
      }
      if (count > rowOf.length) {
        rowOf = Arrays.copyOf(rowOf, 2 * count);
        values = Arrays.copyOf(values, 2 * count * COLUMNS);
      }
      for (; places < count; places++) {
        Object[] place = Ledger.place(places);
        rowOf[places] = row((Integer) place[0], (String) place[1]);
      }
      for (int row = 0; row < rows.size(); row++) {
        Arrays.fill(values, row * COLUMNS + 2, (row + 1) * COLUMNS, 0);
      }
      for (int place = 0; place < count; place++) {
        if (rowOf[place] >= 0) {
          add(place * NUMBERS, rowOf[place] * COLUMNS);
        }
      }
      for (int row = 0; row < rows.size(); row++) {
        rows.get(row).set(values, row * COLUMNS);
      }
    }

    private int row(int kind, String lines) throws IOException, ReflectiveOperationException {
      String name = Ledger.name(kind);
      Integer row = known.get(name + "\n" + lines);
      if (row != null) {
        return row;
      }
      long text = Objects.requireNonNull(tables.file).text(lines);
      TableFile.Row made = text < 0 ? null : tables.table(SITE).add();
      if (made == null) {
        return -1;
      }
      int next = rows.size();
      rows.add(made);
      known.put(name + "\n" + lines, next);
      values[next * COLUMNS] = tables.text(name);
      values[next * COLUMNS + 1] = text;
      return next;
    }

    private void add(int from, int to) {
      long opened = numbers[from + Counts.OPENED];
      long closed = numbers[from + Counts.CLOSED];
      long collected = numbers[from + Counts.COLLECTED];
      long lost = numbers[from + Counts.LOST];
      long gone = numbers[from + Counts.FREED_BYTES] + numbers[from + Counts.LOST_BYTES];
      values[to + 2] += opened;
      values[to + 3] += closed;
      values[to + 4] += collected;
      values[to + 5] += lost;
      // They are read while others count: never less than none.
      values[to + 6] += Math.max(0, opened - closed - collected - lost);
      values[to + 7] += Math.max(0, numbers[from + Counts.OPENED_BYTES] - gone);
      values[to + 8] += numbers[from + Counts.LOST_BYTES];
      values[to + 9] += numbers[from + Counts.SAMPLES];
    }
  }

  /**
   * Figures over time: one row a second, and each time that there are too many, every other goes.
   */
  static final class Course {
    private static final String SCHEMA =
        "offcut.Series\ntime time\nresident long\nheap long\nhandles long\npauses long\n"
            + "pauseNanos long\npauseCause text\nheapUsed long\nheapAfter long";
    static final int MOST = 600;
    private static final int OWN_COLUMNS = 9;
    private static final long JITTER_MILLIS = 100;

    /** More closeables than this have no curve: each is a column in each row. */
    private static final int MOST_CLOSEABLES = 64;

    private final TableFile file;
    private TableFile.@Nullable Table table;

    /** Of each kind the column of its open ones; closeables have no bytes. */
    private final Map<String, Integer> columns = new HashMap<>();

    private final StringBuilder schema = new StringBuilder(SCHEMA);
    private int closeables;
    private long[] values = new long[OWN_COLUMNS];
    private long[] none = new long[0];

    /** The oldest first. */
    private final List<TableFile.Row> points = new ArrayList<>(MOST);

    private final List<TableFile.Row> free = new ArrayList<>(MOST);
    private long stepMillis = 1000;
    private long lastMillis;

    Course(TableFile file) {
      this.file = file;
    }

    /** Rows from now on have columns for all these kinds. */
    void widen(List<Ledger.KindCounts> counted) throws IOException {
      if (table != null && !isNew(counted)) {
        return;
      }
      int width = values.length;
      for (int i = 0; i < counted.size(); i++) {
        String kind = counted.get(i).kind();
        boolean isCloseable = kind.startsWith(Ledger.CLOSEABLE);
        if (!columns.containsKey(kind) && (!isCloseable || closeables < MOST_CLOSEABLES)) {
          columns.put(kind, width);
          schema.append('\n').append(kind).append(".open long");
          width++;
          if (isCloseable) {
            closeables++;
          } else {
            schema.append('\n').append(kind).append(".bytes long");
            width++;
          }
        }
      }
      values = new long[width];
      none = new long[width];
      free.clear();
      table = file.table(schema.toString());
    }

    /** Whether a kind has no column that is to have one. */
    private boolean isNew(List<Ledger.KindCounts> counted) {
      for (int i = 0; i < counted.size(); i++) {
        String kind = counted.get(i).kind();
        if (!columns.containsKey(kind)
            && (closeables < MOST_CLOSEABLES || !kind.startsWith(Ledger.CLOSEABLE))) {
          return true;
        }
      }
      return false;
    }

    /**
     * Adds a row.
     *
     * @param figures those between the time and the kinds
     * @param last it is kept, however close to the one before
     */
    void add(long now, List<Ledger.KindCounts> counted, long[] figures, boolean last)
        throws IOException {
      if (!last && now - lastMillis < stepMillis - JITTER_MILLIS && now > lastMillis) {
        return;
      }
      if (points.size() == MOST) {
        thin();
      }
      TableFile.Row row =
          free.isEmpty() ? Objects.requireNonNull(table).add() : free.remove(free.size() - 1);
      if (row == null) {
        return;
      }
      lastMillis = now;
      values[0] = now;
      System.arraycopy(figures, 0, values, 1, OWN_COLUMNS - 1);
      for (int i = 0; i < counted.size(); i++) {
        Ledger.KindCounts kind = counted.get(i);
        Integer at = columns.get(kind.kind());
        if (at != null) {
          values[at] = kind.open();
          if (!kind.kind().startsWith(Ledger.CLOSEABLE)) {
            values[at + 1] = kind.bytes() + kind.lostBytes();
          }
        }
      }
      row.set(values, 0);
      points.add(row);
    }

    /** A row without a time is none. */
    private void thin() throws IOException {
      int kept = 0;
      for (int i = 0; i < points.size(); i++) {
        TableFile.Row row = points.get(i);
        if (i % 2 == 0) {
          points.set(kept++, row);
        } else {
          row.set(none, 0);
          if (row.columns() == values.length) {
            free.add(row);
          }
        }
      }
      points.subList(kept, points.size()).clear();
      stepMillis *= 2;
    }
  }

  /** Collections that the JDK forces, by the program's stack. */
  static final class Forced implements LongConsumer {
    /** What more stacks there are is counted without one. */
    private static final int MOST = 100;

    private static final int FRAMES = 20;

    private final Map<String, long[]> counts = new HashMap<>();
    private boolean changed;

    /** In a thread of the program: with a lock of its own, so that it waits for no file. */
    @Override
    public void accept(long bytes) {
      String stack = stack(new Throwable().getStackTrace());
      synchronized (counts) {
        String key = counts.size() < MOST || counts.containsKey(stack) ? stack : "";
        long[] count = counts.computeIfAbsent(key, made -> new long[2]);
        count[0]++;
        count[1] += bytes;
        changed = true;
      }
    }

    private static String stack(StackTraceElement[] frames) {
      StringBuilder lines = new StringBuilder();
      int taken = 0;
      for (StackTraceElement frame : frames) {
        String type = frame.getClassName();
        boolean above = taken == 0 && isInside(type);
        if (!above && taken < FRAMES && !type.contains("$$Lambda")) {
          lines.append(taken++ == 0 ? "" : "\n").append(type).append('.');
          lines.append(frame.getMethodName()).append('(').append(frame.getFileName());
          if (frame.getLineNumber() > 0) {
            lines.append(':').append(frame.getLineNumber());
          }
          lines.append(')');
        }
      }
      return lines.toString();
    }

    private static boolean isInside(String type) {
      return type.startsWith("java.")
          || type.startsWith("jdk.")
          || type.startsWith("sun.")
          || type.startsWith("dev.offcut.agent.");
    }

    /** Writes to the file without the lock, for which a thread of the program may wait. */
    void publish(Tables tables) throws IOException {
      Map<String, long[]> copy = copyIfChanged();
      if (copy == null) {
        return;
      }
      boolean published = false;
      try {
        for (Map.Entry<String, long[]> entry : copy.entrySet()) {
          tables.values[0] = tables.text(entry.getKey());
          tables.values[1] = entry.getValue()[0];
          tables.values[2] = entry.getValue()[1];
          tables.set("forced " + entry.getKey(), FORCED);
        }
        published = true;
      } finally {
        if (!published) {
          tryAgain();
        }
      }
    }

    private void tryAgain() {
      synchronized (counts) {
        changed = true;
      }
    }

    private @Nullable Map<String, long[]> copyIfChanged() {
      synchronized (counts) {
        if (!changed) {
          return null;
        }
        changed = false;
        Map<String, long[]> copy = new HashMap<>();
        for (Map.Entry<String, long[]> entry : counts.entrySet()) {
          copy.put(entry.getKey(), entry.getValue().clone());
        }
        return copy;
      }
    }
  }
}
