package dev.offcut.agent;

import dev.offcut.agent.base.Helpers;
import dev.offcut.agent.base.Kind;
import dev.offcut.agent.base.concurrent.Downcalls;
import dev.offcut.agent.base.concurrent.ExitCode;
import dev.offcut.agent.base.concurrent.OwnBuffers;
import dev.offcut.agent.base.concurrent.Samples;
import dev.offcut.agent.base.concurrent.Scope;
import dev.offcut.agent.hooks.Level;
import dev.offcut.agent.hooks.Patching;
import dev.offcut.agent.hooks.ProgramEnd;
import dev.offcut.agent.hooks.Proof;
import dev.offcut.agent.hooks.Source;
import dev.offcut.agent.publish.Ledger;
import dev.offcut.agent.publish.NativeMemory;
import dev.offcut.agent.publish.NettyPools;
import dev.offcut.agent.publish.OwnAccount;
import dev.offcut.agent.publish.Recorder;
import dev.offcut.agent.publish.Tables;
import dev.offcut.agent.publish.Watch;
import dev.offcut.agent.rules.Wanted;
import dev.offcut.agent.rules.Watching;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * What is tracked, and how it stands: {@link Patching} inserts the calls that count, {@link
 * Watching} does so for closeables by rule, and {@link Proof} shows for each kind whether the
 * counts are right. Nothing is ever thrown into the program.
 */
public final class Tracking {
  private static final String BASE = "java/util/concurrent/Offcut";

  public static final String BUFFERS = BASE + "Buffers";
  public static final String UNSAFE = BASE + "UnsafeMemory";
  public static final String JNA = BASE + "JnaBlocks";
  public static final String NATIVE = BASE + "NativeBlocks";
  public static final String DOWNCALLS = BASE + "Downcalls";
  public static final String REGISTRATIONS = BASE + "Registrations";
  public static final String FINALIZERS = BASE + "Finalizers";
  public static final String FORCED = BASE + "ForcedCollections";
  public static final String EXIT_CODE = BASE + "ExitCode";
  public static final String NETTY = BASE + "NettyChunks";

  private static final String OFF = "off";

  private static final String CLOSEABLES = "closeables";

  private static volatile @Nullable Tracking installed;

  private final Instrumentation instrumentation;
  private final Settings settings;

  private volatile @Nullable Watching watching;

  /** Those of which a probe was counted wrongly: what was counted until then is shown as such. */
  private final Set<Source> refuted = ConcurrentHashMap.newKeySet();

  /** By number of the kind. */
  private final Map<Integer, Proof> proofs = new ConcurrentHashMap<>();

  /** What was said last of downcalls that are not counted. */
  private volatile @Nullable String saidOfDowncalls;

  private final NettyPools nettyPools;
  private final Patching patching;

  /** By any thread that loads a class; told by Flight Recorder's. */
  private final List<String> stoodDown = new CopyOnWriteArrayList<>();

  private Tracking(Instrumentation instrumentation, Settings settings) {
    this.instrumentation = instrumentation;
    this.settings = settings;
    this.nettyPools = new NettyPools(instrumentation);
    this.patching = new Patching(instrumentation, this, nettyPools);
    stoodDown.addAll(settings.watched.problems());
  }

  /**
   * The level, of how many openings one leaves its stack, what is tracked, and what of it the user
   * has switched on by name. {@code behindHooks}: whether the last tables are made behind the
   * program's own shutdown hooks even if nothing is open.
   */
  public record Settings(
      Level level,
      int sample,
      Set<Source> sources,
      Set<Source> asked,
      boolean gcAtExit,
      @Nullable String record,
      @Nullable String tables,
      @Nullable Fleet fleet,
      boolean behindHooks,
      boolean late,
      long missedMalloc,
      String rules,
      Wanted watched,
      boolean nativeMemory) {}

  /**
   * A fleet that copies of the tables are put into.
   *
   * @param host null: the name that this machine has
   */
  public record Fleet(
      String folder, String service, String version, @Nullable String host, long everyMillis) {}

  /** Tracks from now on; what, in words. */
  public static String install(Instrumentation instrumentation, Settings settings)
      throws Exception {
    Tracking tracking = new Tracking(instrumentation, settings);
    Map<Source, List<Class<?>>> classes = tracking.patching.begin();
    tracking.watch();
    // In this order: a class that another thread loads meanwhile is met by one of them, or by both.
    Class<?>[] loaded = instrumentation.getAllLoadedClasses();
    tracking.patching.addLoaded(loaded, classes);
    // One step for all: each is a pause, in which the JVM looks at all of its classes.
    tracking.patching.transform(classes, tracking.watched(loaded));
    Scope.unseenBy(tracking::unseen);
    installed = tracking;
    OwnBuffers.begin(); // the thread is the program's
    tracking.begin();
    OwnBuffers.end();
    return "tracks " + String.join(", ", tracking.patched()) + " (" + settings.level.label() + ")";
  }

  private void begin() {
    if (!settings.late) {
      ProgramEnd.watchMain();
      ExitCode.beforeReturn(() -> Ledger.settleAtReturn(this));
    }
    Watch.start(
        OFF.equals(settings.tables)
            ? null
            : Tables.begin(this, settings.tables, settings.behindHooks ? instrumentation : null),
        new OwnAccount(instrumentation));
    if (settings.nativeMemory && !OFF.equals(settings.tables)) {
      sampleNativeMemory();
    }
    if (settings.record != null) {
      String folder = Recorder.start(settings.record);
      if (!Recorder.isRunning()) {
        Messages.say(folder);
      }
    }
  }

  /** Closeables by rule: those come last, since their classes are the program's. */
  private void watch() {
    if (settings.watched.isNothing()) {
      return;
    }
    try {
      Helpers.CLOSEABLES.initialize();
      watching = Watching.install(instrumentation, settings.watched, stoodDown);
    } catch (Exception | LinkageError e) {
      unwatched(e);
    }
  }

  private @Nullable String sampleNativeMemory() {
    String problem = NativeMemory.start(settings.tables);
    if (problem != null) {
      stoodDown.add("native memory: not sampled (" + problem + ")");
    }
    return problem;
  }

  /** Samples malloc from now on, if that is not so; empty, or why it cannot. */
  public static String sampleNative() {
    Tracking tracking = installed;
    if (tracking == null || OFF.equals(tracking.settings.tables)) {
      return "the agent counts nothing, or publishes nothing";
    }
    OwnBuffers.begin(); // it lists folders, which a rule counts
    String problem = tracking.sampleNativeMemory();
    OwnBuffers.end();
    return problem == null ? "" : problem;
  }

  /** Those of the loaded classes that a rule counts. */
  private List<Class<?>> watched(Class<?>[] loaded) {
    Watching watched = watching;
    if (watched != null) {
      try {
        return watched.among(loaded, false);
      } catch (RuntimeException | LinkageError e) {
        unwatched(e);
      }
    }
    return List.of();
  }

  private void unwatched(Throwable e) {
    watching = null;
    String line = CLOSEABLES + ": not tracked (" + e + ")";
    stoodDown.add(line);
    Messages.say(line);
  }

  public Instrumentation instrumentation() {
    return instrumentation;
  }

  /** Closeables by rule; null if there is no rule. */
  public @Nullable Watching watching() {
    return watching;
  }

  /** Records from now on, if that is not so; the folder where the chunks are, or a sentence. */
  public static String record() {
    if (installed == null) {
      return "the agent's level is off, so it has nothing to record; start the program with"
          + " level=sample";
    }
    return Recorder.start(null);
  }

  /** Null: nothing is tracked. */
  public static @Nullable Tracking installed() {
    return installed;
  }

  /**
   * What was open before the agent came, and is in no count: direct buffers, their bytes, bytes of
   * mapped files, bytes of malloc; -1 for what is not known.
   */
  public long[] missed() {
    long[] buffers = patching.missed();
    return new long[] {buffers[0], buffers[1], buffers[2], settings.missedMalloc};
  }

  public Settings settings() {
    return settings;
  }

  /** As they were understood. */
  public String options() {
    StringBuilder options = new StringBuilder("level=").append(settings.level.label());
    options.append(",sample=").append(settings.sample);
    options.append(",gcatexit=").append(settings.gcAtExit ? "on" : "off");
    options.append(",rules=").append(settings.rules);
    for (Source source : Source.values()) {
      options.append(',').append(source.option.label()).append('=');
      options.append(settings.sources.contains(source) ? "on" : "off");
    }
    options.append(",native=").append(settings.nativeMemory ? "on" : "off");
    return options.toString();
  }

  /** The kinds that are counted. */
  public List<Integer> kinds() {
    List<Integer> kinds = new ArrayList<>();
    for (Source source : settings.sources) {
      if (isTracked(source) || refuted.contains(source)) {
        kinds.addAll(source.kinds());
      }
    }
    return kinds;
  }

  /** Says once what of the downcalls is not counted. */
  private void askDowncalls() {
    if (patching.links()) {
      String problem = Downcalls.problem();
      if (problem != null && !problem.equals(saidOfDowncalls)) {
        saidOfDowncalls = problem;
        say(Source.DOWNCALLS, problem + "; it is not counted");
      }
    }
  }

  /** How far a kind is shown to be counted rightly, of which so many were opened. */
  public Proof.State proof(int kind, long opened) throws ReflectiveOperationException {
    if (kind == Kind.DOWNCALL) {
      askDowncalls();
    }
    Proof proof = proofs.get(kind);
    if (proof == null) {
      Proof made = new Proof(this, kind);
      Proof known = proofs.putIfAbsent(kind, made);
      proof = known == null ? made : known;
    }
    String problem = proof.look(opened);
    Source source = Source.of(kind);
    if (problem != null && refuted.add(source)) {
      for (int one : source.kinds()) {
        Scope.leaveOut(one);
      }
      patching.fail(source, problem + "; what was counted is unproven");
      patching.restore(source);
    }
    return refuted.contains(source) ? Proof.State.REFUTED : proof.state();
  }

  public Patching patching() {
    return patching;
  }

  /** Whether its classes are rewritten, or will be when they come. */
  public boolean isTracked(Source source) {
    return patching.isTracked(source);
  }

  /** How many classes have come until now that look like the entry of a library of Offcut's. */
  public int entries() {
    return patching.entries();
  }

  /** What is tracked, in words. */
  public List<String> patched() {
    List<String> patched = new ArrayList<>();
    for (Source source : settings.sources) {
      if (isTracked(source)) {
        patched.add(source.label);
      }
    }
    return patched;
  }

  public List<String> stoodDown() {
    return stoodDown;
  }

  /** What nobody counts, for {@link Scope#unseen}. */
  private String[][] unseen() {
    List<String> off = new ArrayList<>();
    List<String> asked = new ArrayList<>(settings.watched.problems());
    for (Source source : Source.values()) {
      if (!settings.sources.contains(source)) {
        off.add(source.label);
      }
      for (String line : stoodDown) {
        if (settings.asked.contains(source) && line.startsWith(source.label)) {
          asked.add(line);
        }
      }
    }
    Watching watched = watching;
    if (watched != null) {
      watched.rows().addUncounted(asked);
    } else if (settings.watched.isNothing()) {
      off.add(CLOSEABLES);
    }
    String[] none = {};
    return new String[][] {stoodDown.toArray(none), off.toArray(none), asked.toArray(none)};
  }

  /** One opening in so many leaves its stack; 0: none. */
  public int every() {
    return switch (settings.level) {
      case FULL -> 1;
      case SAMPLE -> settings.sample;
      case OFF, COUNT -> 0;
    };
  }

  /** Of so many bytes one is a reason to leave a stack; 0: none is, or all leave theirs. */
  public int bytes() {
    return every() > 1 ? Samples.MEAN_BYTES : 0;
  }

  /** Says what of a source is not tracked, and keeps it for reports. */
  public void say(Source source, String problem) {
    stoodDown.add(source.label + ": " + problem);
    Messages.say(source.label + ": " + problem);
  }

  /** What Netty's allocators keep; empty if none has memory. */
  public List<NettyPools.Figures> nettyPools() {
    return nettyPools.figures();
  }

  /** How many class loaders have classes. */
  public int loaders() {
    Set<@Nullable ClassLoader> loaders = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      loaders.add(loaded.getClassLoader());
    }
    return loaders.size();
  }
}
