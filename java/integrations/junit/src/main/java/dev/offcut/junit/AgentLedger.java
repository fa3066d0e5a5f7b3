package dev.offcut.junit;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the agent knows: arenas, direct buffers, memory of Unsafe, malloc and JNA, and objects that
 * rules name. The agent's helper class {@code OffcutScope} in java.base keeps a test's openings.
 *
 * <p><b>What only the collector frees</b>, direct buffers and automatic arenas, has no close. It is
 * a leak if something still refers to it when the class has ended and a collection has run.
 */
final class AgentLedger extends Ledger {
  private static final String PRESENT = "offcut.agent.version";
  private static final String HELPER = "java.util.concurrent.OffcutScope";

  private static final String AUTOMATIC_ARENA = "arena.automatic";
  private static final String DIRECT_BUFFER = "buffer.direct";

  /** The kinds of memory that are checked, by the names that the agent gives them, in words. */
  private static final Map<String, String> MEMORY =
      Map.of(
          "arena.confined",
          "confined arena",
          "arena.shared",
          "shared arena",
          AUTOMATIC_ARENA,
          "automatic arena",
          DIRECT_BUFFER,
          "direct buffer",
          "unsafe",
          "block of Unsafe",
          "jna",
          "JNA Memory",
          "malloc.downcall",
          "block of malloc",
          "malloc.jna",
          "block of JNA's malloc");

  /** Before the class of an object that a rule names. */
  private static final String CLOSEABLE = "closeable:";

  /** Classes that code made live as long as their class loader. */
  private static final String GENERATED = CLOSEABLE + "java.lang.Class";

  /** What is in these packages knows itself what it opens, or is none of a test's. */
  private static final List<String> OTHERS =
      List.of(
          "dev.offcut.handle.",
          "dev.offcut.memory.",
          "dev.offcut.netty.",
          "org.junit.",
          "org.apache.maven.",
          "org.gradle.");

  /** What the agent counts besides, and is no test's: how its lines about that begin. */
  private static final List<String> UNCHECKED =
      List.of("cleaners", "finalizers", "forced collections");

  /** What these classes of the JDK open lives as long as a thread, a class loader or a file. */
  private static final List<String> LASTING =
      List.of("sun.nio.ch.Util.", "java.util.zip.ZipFile$", "java.lang.ClassLoader.");

  private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.");

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /** Collections after which nothing has changed: what is open then is in use. */
  private static final int QUIET = 2;

  /** What the current thread opens next is in this scope, whatever runs on it. */
  private static final ThreadLocal<@Nullable Object> MARKED = new ThreadLocal<>();

  private final MethodHandle findBy;
  private final MethodHandle create;
  private final MethodHandle left;
  private final MethodHandle missed;
  private final MethodHandle end;
  private final MethodHandle unseen;
  private final AtomicBoolean begun = new AtomicBoolean();

  private AgentLedger(Class<?> helper) throws ReflectiveOperationException {
    Lookup lookup = MethodHandles.publicLookup();
    findBy =
        lookup.findStatic(
            helper, "findBy", MethodType.methodType(void.class, BiFunction.class, Function.class));
    create = lookup.findConstructor(helper, MethodType.methodType(void.class));
    left = lookup.findVirtual(helper, "left", MethodType.methodType(List.class));
    missed = lookup.findVirtual(helper, "missed", MethodType.methodType(long.class));
    end = lookup.findVirtual(helper, "end", MethodType.methodType(void.class));
    unseen = lookup.findStatic(helper, "unseen", MethodType.methodType(String[][].class));
  }

  /** The ledger, if the agent is there at its full level. */
  static @Nullable AgentLedger find() {
    try {
      Class<?> helper = Class.forName(HELPER, true, null);
      MethodType isFull = MethodType.methodType(boolean.class);
      return (boolean) call(MethodHandles.publicLookup().findStatic(helper, "isFull", isFull))
          ? new AgentLedger(helper)
          : null;
    } catch (ClassNotFoundException e) {
      return null;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the agent is of another version than offcut-junit", e);
    }
  }

  /** Calls the helper, which throws nothing of its own; null if it answers nothing. */
  private static Object call(MethodHandle method, Object... arguments) {
    try {
      return method.invokeWithArguments(arguments);
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** What is to be done so that the agent is there at its full level. */
  static String howToFind() {
    return System.getProperty(PRESENT) == null
        ? "start the JVM of the tests with -javaagent:offcut-agent.jar=level=full"
        : "the agent is there, but its level is not full; give it the option level=full";
  }

  @Override
  void begin() {
    if (begun.compareAndSet(false, true)) {
      // Once, so that its classes are there: what it would load then would be asked for, too.
      List<StackTraceElement> none = List.of(new StackTraceElement("none", "none", null, 0));
      BiFunction<String, List<StackTraceElement>, Boolean> counts = AgentLedger::counts;
      Function<List<StackTraceElement>, @Nullable Object> scopes = this::scope;
      counts(DIRECT_BUFFER, none);
      scope(none);
      call(create);
      call(findBy, counts, scopes);
    }
  }

  private @Nullable Object scope(List<StackTraceElement> stack) {
    Object marked = MARKED.get();
    if (marked != null) {
      return marked;
    }
    TestScope test = TestScopes.of(stack);
    return test == null ? null : test.openings(this, () -> call(create));
  }

  /** Whether what is opened at a call site may be a test's. */
  static boolean counts(String kind, List<StackTraceElement> stack) {
    boolean isMemory = MEMORY.containsKey(kind);
    if (kind.equals(GENERATED) || (!isMemory && !kind.startsWith(CLOSEABLE))) {
      return false;
    }
    String program = "";
    for (StackTraceElement frame : stack) {
      String name = frame.getClassName() + '.' + frame.getMethodName();
      if (frame.getMethodName().equals("<clinit>") || isOf(LASTING, name)) {
        return false;
      }
      if (program.isEmpty() && !isOf(JDK, name)) {
        program = name;
      }
    }
    // Netty's buffers are counted by a rule. The memory below them is a pool's.
    return !program.isEmpty() // else the JDK opens for itself
        && !isOf(OTHERS, program)
        && !(isMemory && program.startsWith("io.netty."));
  }

  private static boolean isOf(List<String> all, String name) {
    for (String one : all) {
      if (name.startsWith(one)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isCollectors(String kind) {
    return kind.equals(AUTOMATIC_ARENA) || kind.equals(DIRECT_BUFFER);
  }

  @Override
  List<Leak> leaks(TestScope scope, boolean classEnded) {
    Object openings = scope.openings(this);
    if (openings == null) {
      return List.of();
    }
    List<Leak> leaks = new ArrayList<>();
    for (Row row : rows(openings)) {
      if (!isCollectors(row.kind)) {
        leaks.add(new Leak(row.name(), row.open, row.found, row.stack));
      } else if (classEnded && row.open > 0) {
        leaks.add(new Leak(row.name(), row.open, 0, row.stack));
      }
    }
    return Leak.byLine(leaks);
  }

  @Override
  @Nullable String unchecked(TestScope scope) {
    Object openings = scope.openings(this);
    long unseen = openings == null ? 0 : (long) call(missed, openings);
    return unseen == 0
        ? null
        : String.format(
            Locale.ROOT,
            "%,d openings were not checked, since tests have resources open at more than 32,000"
                + " call sites; close them, or run fewer tests in one JVM",
            unseen);
  }

  @Override
  Unseen unseen() {
    String[][] all = (String[][]) call(unseen);
    List<String> sentences = new ArrayList<>();
    for (String line : all[0]) {
      if (!isOf(UNCHECKED, line)) {
        sentences.add("does not see all. The agent reports: " + line);
      }
    }
    for (String kind : all[1]) {
      if (!UNCHECKED.contains(kind)) {
        sentences.add("does not check " + kind + " (switched off)");
      }
    }
    List<String> asked = new ArrayList<>();
    for (String line : all[2]) {
      if (!isOf(UNCHECKED, line)) {
        asked.add(line);
      }
    }
    return new Unseen(sentences, asked);
  }

  /** One line of what the helper knows of a scope; the stack begins with the program's line. */
  private record Row(String kind, long open, long found, List<StackTraceElement> stack) {
    String name() {
      String word = MEMORY.get(kind);
      return word == null ? kind.substring(CLOSEABLE.length()) : word;
    }
  }

  private List<Row> rows(Object openings) {
    List<Row> rows = new ArrayList<>();
    for (Object each : (List<?>) call(left, openings)) {
      Object[] row = (Object[]) each;
      List<StackTraceElement> stack = new ArrayList<>();
      for (Object frame : (List<?>) row[3]) {
        stack.add((StackTraceElement) frame);
      }
      int line = (int) row[4];
      rows.add(
          new Row(
              (String) row[0],
              (long) row[1],
              (long) row[2],
              List.copyOf(stack.subList(line, stack.size()))));
    }
    return rows;
  }

  @Override
  boolean waitsForCollection(TestScope scope) {
    Object openings = scope.openings(this);
    return openings != null && openOfCollector(openings) > 0;
  }

  private long openOfCollector(Object openings) {
    long open = 0;
    for (Row row : rows(openings)) {
      if (isCollectors(row.kind)) {
        open += row.open;
      }
    }
    return open;
  }

  /**
   * Collects until all that scopes left to the collector is freed, or collections free no more of
   * it. What one collection has found is freed, and counted, before what a later one finds: that
   * one has a buffer of this class's own to wait for.
   */
  @Override
  void collect(List<TestScope> scopes) {
    synchronized (MARKED) {
      long before = Long.MAX_VALUE;
      int quiet = 0;
      while (quiet < QUIET) {
        long open = 0;
        for (TestScope scope : scopes) {
          Object openings = scope.openings(this);
          open += openings == null ? 0 : openOfCollector(openings);
        }
        if (open == 0) {
          return;
        }
        quiet = open < before ? 0 : quiet + 1;
        before = open;
        if (quiet < QUIET && !collectOnce()) {
          System.err.println(
              "offcut: @NoNativeLeaks cannot run the garbage collector in this JVM, perhaps because"
                  + " of -XX:+DisableExplicitGC; what only the collector frees is reported as a"
                  + " leak");
          return;
        }
      }
    }
  }

  private boolean collectOnce() {
    Object mark = call(create);
    WeakReference<Object> dropped = drop(mark);
    System.gc();
    long deadline = System.nanoTime() + LIMIT_NANOS;
    while (openOfCollector(mark) > 0) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      try {
        TimeUnit.NANOSECONDS.sleep(POLL_NANOS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return dropped.refersTo(null);
      }
    }
    call(end, mark);
    return true;
  }

  private static WeakReference<Object> drop(Object mark) {
    MARKED.set(mark);
    try {
      return new WeakReference<>(ByteBuffer.allocateDirect(1));
    } finally {
      MARKED.remove();
    }
  }

  @Override
  void end(TestScope scope) {
    Object openings = scope.openings(this);
    if (openings != null) {
      call(end, openings);
    }
  }
}
