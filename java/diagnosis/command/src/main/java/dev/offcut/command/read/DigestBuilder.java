package dev.offcut.command.read;

import dev.offcut.command.judge.EndFindings;
import dev.offcut.command.judge.Facts;
import dev.offcut.command.judge.Finding;
import dev.offcut.command.judge.Findings;
import dev.offcut.rules.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link Digest} of events, in whatever order they come. It can be asked for one any number
 * of times while they do. One thread.
 */
public final class DigestBuilder {
  private static final String NO_ACCOUNT =
      "Where resident memory is, is not known: nobody looked while the program ran.";

  private static final String UNTOLD_CLASSES =
      "Which classes of rules are not counted is not known: recordings do not have that, and no file"
          + " of the same run is in this folder.";

  private static final String UNTOLD_END =
      "Whether the agent has stopped tracking anything since the last part of the recording began"
          + " is not known.";

  /** A line keeps starting threads if it started this many after the program's start. */
  private static final int FEWEST_STARTS = 10;

  /** Of these the agent's series have a column each. */
  private static final List<String> POINTS =
      List.of(
          Timeline.RESIDENT,
          Timeline.HEAP,
          Timeline.HEAP_USED,
          Timeline.HEAP_AFTER,
          Timeline.OLD_PAUSES,
          Timeline.FULL_PAUSES,
          Timeline.THREADS,
          Timeline.DESCRIPTORS,
          Timeline.METASPACE,
          Timeline.HANDLES);

  private final Program program = new Program();
  private final Resources resources = new Resources();
  private final HandleCounts handles = new HandleCounts();
  private final Pools pools = new Pools();
  private final Costs costs = new Costs();
  private final ResidentMemory memory = new ResidentMemory();
  private final Timeline timeline = new Timeline();
  private final Courses courses = new Courses();
  private final Closeables closeables = new Closeables();

  /** Whether a row of a table came, and not only events of a recording. */
  private boolean hasTables;

  private final List<String> notes = new ArrayList<>();
  private final Map<String, Consumer<Fields>> readers = new HashMap<>();
  private final @Nullable Listener listener;
  private @Nullable NativeCallers callers;
  private @Nullable Holders holders;

  /** Is told what sources say while they are read: a digest keeps less of it. */
  public interface Listener {
    /** An event, or a row of a table. They come in any order. */
    void heard(Fields event);

    default void heard(Accounts accounts) {}
  }

  public DigestBuilder() {
    this(null);
  }

  /** One that knows nothing yet, and tells a listener what it is told. */
  public DigestBuilder(@Nullable Listener listener) {
    this.listener = listener;
    readers.put("jdk.JVMInformation", program::jvm);
    readers.put("offcut.AgentConfiguration", program::agent);
    readers.put("offcut.PublicationFailure", program::unpublished);
    readers.put("offcut.GoProgram", program::go);
    readers.put("offcut.GoMemory", memory::go);
    readers.put("offcut.HandleConfiguration", program::handles);
    readers.put("offcut.ResourceStatistics", this::kind);
    readers.put("offcut.ResourceSite", resources::site);
    readers.put("offcut.OpenOverTime", courses::row);
    readers.put("offcut.WatchedClass", closeables::watched);
    readers.put("offcut.ForcedCollection", costs::forced);
    readers.put("offcut.FinalizerClass", costs::finalizer);
    readers.put("offcut.StuckThread", costs::stuck);
    readers.put("offcut.SavedWork", costs::saved);
    readers.put("offcut.ProcessMemory", this::process);
    readers.put("offcut.Series", this::point);
    readers.put("offcut.HandleStatistics", this::handles);
    readers.put("offcut.HandleLeak", handles::leak);
    readers.put("offcut.HandleSite", handles::site);
    readers.put("offcut.PoolStatistics", pools::pool);
    readers.put("offcut.OwnerStatistics", pools::owner);
    readers.put("offcut.LostPool", pools::lost);
    readers.put("offcut.BufferPool", pools::bufferPool);
    readers.put("offcut.PoolMap", pools::map);
    readers.put("jdk.ClassLoaderStatistics", costs::loader);
    readers.put("offcut.ClassLoaders", costs::loaders);
    readers.put("jdk.GarbageCollection", timeline::collection);
    readers.put("jdk.GCHeapSummary", this::heap);
  }

  public void take(RecordedEvent event) {
    take(new Recorded(event));
  }

  public void take(Fields event) {
    program.seen(event);
    hasTables |= !(event instanceof Recorded);
    if (listener != null) {
      listener.heard(event);
    }
    Consumer<Fields> reader = readers.get(event.name());
    if (reader != null) {
      reader.accept(event);
    }
  }

  public void accounts(Accounts taken) {
    memory.accounts(taken);
    if (listener != null) {
      listener.heard(taken);
    }
  }

  public void callers(NativeCallers known) {
    callers = known;
  }

  public void holders(Holders known) {
    holders = known;
  }

  /** Whose process it is, where no event says so. {@code jdk}: empty if it is no JVM. */
  public void process(long pid, String commandLine, String jdk) {
    program.process(pid, commandLine, jdk);
  }

  public boolean isGo() {
    return program.isGo();
  }

  /**
   * Of a Go program that has ended: what that means for its counts. {@code told}: whether it said
   * that it ends; {@code published}: when it published last.
   */
  public void noteEnd(boolean told, Instant published) {
    if (!told && program.isCounted()) {
      notes.add(GoTexts.untold(published));
    }
  }

  public void note(String sentence) {
    notes.add(sentence);
  }

  public String agentVersion() {
    return program.agentVersion();
  }

  public boolean knowsPauses() {
    return timeline.knowsPauses();
  }

  /** The program's process; -1 if it is not known yet. */
  public long pid() {
    return program.pid();
  }

  private void kind(Fields event) {
    resources.kind(event);
    String kind = event.text("kind");
    if (!Kinds.isCloseable(kind)) {
      timeline.kind(event.time(), kind, event.number("bytes") + event.number("lostBytes"));
    }
  }

  private void process(Fields event) {
    memory.process(event);
    timeline.set(event.time(), Timeline.RESIDENT, event.number("resident"));
  }

  /** What was published at a time of what is known better at the end. */
  private void point(Fields row) {
    for (String figure : POINTS) {
      timeline.set(row.time(), figure, row.number(figure, -1));
    }
    memory.heapInUse(row.time(), row.number("heapUsed", -1), row.number("heapAfter", -1));
    memory.pauses(row.time(), row.number("pauses", -1));
    if (row.number("pauses", -1) >= 0) {
      timeline.paused(row);
    }
    for (String kind : Kinds.names()) {
      if (row.has(kind + ".bytes")) {
        timeline.kind(row.time(), kind, row.number(kind + ".bytes"));
      }
    }
  }

  private void handles(Fields event) {
    timeline.set(event.time(), Timeline.HANDLES, handles.statistics(event));
  }

  private void heap(Fields event) {
    long used = event.number("heapUsed", -1);
    long after = event.text("when").equals("After GC") ? used : -1;
    memory.heapInUse(event.time(), used, after);
    timeline.set(event.time(), Timeline.HEAP, event.number("heapSpace.committedSize"));
    timeline.set(event.time(), Timeline.HEAP_USED, used);
    timeline.set(event.time(), Timeline.HEAP_AFTER, after);
  }

  public Digest digest(boolean complete) {
    Digest.Target target = program.target();
    List<Digest.Kind> counted = resources.kinds();
    NativeCallers sampled = callers == null || !callers.isKnown() ? null : callers.without(counted);
    List<Digest.Kind> kinds = withCallers(counted, sampled);
    List<Digest.Closeable> rules =
        kinds.stream()
            .map(Digest.Kind::kind)
            .filter(Kinds::isCloseable)
            .map(closeables::of)
            .toList();
    List<Digest.Site> sites =
        withSites(
            resources.sites(
                target.level().equals("full"),
                target.sampleEvery(),
                program.sampleBytes(),
                starts()),
            sampled);
    List<Digest.Handles> types = handles.handles();
    List<Digest.Pool> poolList = pools.pools();
    memory.isGo(program.isGo());
    handles.areOf(program.ownClasses());
    Digest.Memory parts = memory.memory(program.end());
    List<Digest.BufferPool> bufferPools = pools.bufferPools();
    Digest.Memory where =
        parts.with(Pools.remarks(bufferPools), GrowthRates.withKinds(parts, kinds, timeline));
    Accounts accounts = memory.accounts();
    Instant ended = program.ended();
    if (ended != null) {
      timeline.endsAt(ended);
    }
    Facts facts =
        new Facts(
            target,
            complete,
            where,
            kinds,
            rules,
            sites,
            resources.filled(program.sampleBytes()),
            poolList,
            bufferPools,
            accounts,
            sampled,
            timeline);
    // One collection may be the agent's own, at the end.
    List<Finding> found =
        Findings.of(
            facts,
            !program.rules().isEmpty() && !program.rules().equals("off"),
            EndFindings.of(program.startFailure(), program.exitCode(), program.uncaught()),
            sites.stream()
                .map(site -> courses.of(site, program.begin(), program.ending()))
                .toList(),
            handles,
            pools.lost(),
            costs,
            timeline.askedFor() > 1 && isUnforced(kinds));
    List<Finding> findings =
        holders == null ? found : found.stream().map(one -> one.with(holders)).toList();
    List<String> limits = limits(complete);
    List<String> told = new ArrayList<>(limits);
    if (!memory.isAccounted()) {
      told.add(NO_ACCOUNT);
    }
    limits.addAll(EndFindings.limits(findings));
    return new Digest(
        complete,
        target,
        told,
        limits,
        new Digest.Gaps(
            program.unpublished(),
            program.hasAgent()
                ? Coverage.untracked(program.patched(), program.feature())
                : List.of(),
            resources.unproven(),
            byRule()),
        coverage(types, poolList, sampled),
        kinds,
        rules,
        closeables.classes(),
        sites,
        facts.filled(),
        types,
        handles.leaks(),
        poolList,
        bufferPools,
        costs.forcedCollections(),
        costs.finalizers(),
        costs.saved(),
        costs.loaders(),
        where,
        findings,
        timeline.series(program::secondsAt, kinds).with(overTime(accounts)),
        pools.maps(),
        sampled == null ? callers : sampled,
        holders);
  }

  /** Lines of the program that start more and more threads, by themselves or by others. */
  private Set<String> starts() {
    return resources.stacks().stream()
        .filter(stack -> stack.at().isKnown() && Kinds.isCloseable(stack.kind()))
        .filter(stack -> Rule.isOfThreads(closeables.of(stack.kind()).holds()))
        .filter(
            stack ->
                courses.risen(stack.kind(), stack.at().frames(), program.begin(), program.ending())
                    >= FEWEST_STARTS)
        .flatMap(stack -> Stream.of(stack.at().own(), stack.at().startedAt()))
        .filter(line -> !line.isEmpty())
        .collect(Collectors.toSet());
  }

  private Coverage coverage(
      List<Digest.Handles> types, List<Digest.Pool> poolList, @Nullable NativeCallers sampled) {
    if (program.isGo()) {
      return Coverage.ofGo(program.packages(), types, poolList);
    }
    return program.hasAgent()
        ? Coverage.of(
            closeables, resources.isRefutedByRule(), program.rules(), program.patched(), sampled)
        : Coverage.ofLibraries(types, poolList);
  }

  private List<String> byRule() {
    List<String> all = new ArrayList<>(reported(program.stoodDownByRule()));
    all.addAll(resources.unprovenByRule());
    return all;
  }

  private static List<String> reported(List<String> stoodDown) {
    return stoodDown.stream().map(line -> "The agent reports: " + line).toList();
  }

  private List<Digest.Kind> withCallers(
      List<Digest.Kind> counted, @Nullable NativeCallers sampled) {
    if (sampled == null) {
      return counted;
    }
    List<Digest.Kind> all = new ArrayList<>(counted);
    all.add(sampled.kind());
    sampled
        .series(sampled.places())
        .forEach(point -> timeline.kind(point.time(), NativeCallers.KIND, point.bytes()));
    return all;
  }

  private static List<Digest.Site> withSites(
      List<Digest.Site> counted, @Nullable NativeCallers sampled) {
    if (sampled == null) {
      return counted;
    }
    List<Digest.Site> all = new ArrayList<>(counted);
    all.addAll(sampled.sites());
    all.sort(Resources.WORST_FIRST);
    return all;
  }

  /** Of a process without an agent, zero is the first account. */
  private Series.@Nullable Account overTime(@Nullable Accounts accounts) {
    if (accounts == null || program.isRecorded()) {
      return accounts == null ? null : accounts.overTime(program::secondsAt);
    }
    Instant first = accounts.all().getFirst().time();
    return accounts.overTime(time -> Duration.between(first, time).toMillis() / 1000.0);
  }

  /** Whether there are direct buffers, and no collection is known that they forced. */
  private boolean isUnforced(List<Digest.Kind> kinds) {
    return costs.forcedCollections().isEmpty()
        && kinds.stream().anyMatch(kind -> kind.kind().equals("buffer.direct"));
  }

  /** Because of which something may be lost that is not found. */
  private List<String> limits(boolean complete) {
    List<String> all = new ArrayList<>();
    if (!program.missed().isEmpty()) {
      all.add(program.missed());
    }
    all.addAll(program.unpublished());
    all.addAll(notes);
    all.addAll(memory.limits());
    if (callers != null) {
      all.addAll(callers.limits());
    }
    if (program.isGo() && !program.isCounted()) {
      all.add(GoTexts.uncounted(program.packages()));
    } else if (program.isRecorded() && !program.hasAgent() && !program.isGo()) {
      all.add(
          "The agent was not in the program, so only handles and pools of Offcut are known; start"
              + " it with `offcut run`.");
    }
    if (program.hasAgent() && !hasTables) {
      if (!List.of("", "off").contains(program.rules())) {
        all.add(UNTOLD_CLASSES);
      }
      if (!complete) {
        all.add(UNTOLD_END);
      }
    }
    all.addAll(reported(program.stoodDown()));
    all.addAll(closeables.limits());
    all.addAll(resources.unproven());
    return all;
  }
}
