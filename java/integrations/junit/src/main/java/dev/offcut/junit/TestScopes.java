package dev.offcut.junit;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Which test an opening belongs to. The first rule that fits decides:
 *
 * <ol>
 *   <li>A static initializer is on the stack: no test, since what it opens lives as long as its
 *       class.
 *   <li>The thread runs a test: this test.
 *   <li>The stack has the method of one running test, or a lambda of it: this test. So a thread of
 *       a pool that several tests use is no exception.
 *   <li>A test started the thread: this test, also after its end.
 *   <li>The stack has the class of one running test: this test.
 *   <li>Tests run one at a time, and one is running: this test.
 *   <li>{@code @BeforeAll} or {@code @AfterAll} of a class started the thread: this class.
 *   <li>Nobody can be blamed: what stays open is printed at the end of all tests.
 * </ol>
 */
final class TestScopes {
  /** Classes that call tests, and tell nothing of them: JUnit's, but not its assertions. */
  static final String CALLER = "org.junit.platform.";

  /** Who runs in a thread. Threads that this thread starts have the same object. */
  private static final ThreadLocal<@Nullable Place> PLACE = new InheritableThreadLocal<>();

  private static final Set<TestScope> RUNNING = ConcurrentHashMap.newKeySet();

  /** Those in which something was opened after their end. */
  private static final ConcurrentLinkedQueue<TestScope> LATE = new ConcurrentLinkedQueue<>();

  /** Of openings while tests run of which none can be named. */
  static final TestScope NOBODY = new TestScope(TestScopes.class, "no test", null);

  private static volatile boolean parallel;

  private TestScopes() {}

  /** A scope in the thread that runs it, and what was there before. */
  static final class Place {
    final TestScope scope;
    private final Thread thread = Thread.currentThread();
    private final @Nullable Place before;

    private Place(TestScope scope, @Nullable Place before) {
      this.scope = scope;
      this.before = before;
    }
  }

  static void areParallel(boolean tests) {
    parallel = tests;
  }

  /** From now on the current thread runs a scope. */
  static Place enter(TestScope scope) {
    Place place = new Place(scope, PLACE.get());
    PLACE.set(place);
    return place;
  }

  /** Ends what {@link #enter} began, on the same thread. */
  static void leave(Place place) {
    PLACE.set(place.before); // null, too: the next test on this thread needs the entry again
  }

  static void begin(TestScope test) {
    RUNNING.add(test);
  }

  static void end(TestScope test) {
    test.end();
    RUNNING.remove(test);
  }

  static void noteLate(TestScope scope) {
    LATE.add(scope);
  }

  /** Those in which something was opened after their end, since the last call. */
  static List<TestScope> takeLate() {
    List<TestScope> late = List.copyOf(LATE);
    LATE.removeAll(late);
    return late;
  }

  /** The scope of an opening in progress on this thread. */
  static @Nullable TestScope of(List<StackTraceElement> stack) {
    TestScope scope = find(stack);
    if (scope != null) {
      scope.noteOpening();
    }
    return scope;
  }

  private static @Nullable TestScope find(List<StackTraceElement> stack) {
    for (StackTraceElement frame : stack) {
      if (frame.getMethodName().equals("<clinit>")) {
        return null;
      }
    }
    Place place = PLACE.get();
    if (place != null && place.thread == Thread.currentThread()) {
      return place.scope;
    }
    TestScope named = named(stack, true);
    if (named != null) {
      return named;
    }
    if (place != null && place.scope.ofClass != null) {
      return place.scope;
    }
    named = named(stack, false);
    if (named != null) {
      return named;
    }
    TestScope only = parallel ? null : only();
    if (only != null) {
      return only;
    }
    return place != null ? place.scope : RUNNING.isEmpty() ? null : NOBODY;
  }

  private static @Nullable TestScope only() {
    TestScope only = null;
    for (TestScope test : RUNNING) {
      if (only != null) {
        return null;
      }
      only = test;
    }
    return only;
  }

  /** The one running test whose class, or whose method, is on the stack. */
  private static @Nullable TestScope named(List<StackTraceElement> stack, boolean byMethod) {
    TestScope only = null;
    for (TestScope test : RUNNING) {
      if (isNamed(test, stack, byMethod)) {
        if (only != null) {
          return null;
        }
        only = test;
      }
    }
    return only;
  }

  private static boolean isNamed(TestScope test, List<StackTraceElement> stack, boolean byMethod) {
    for (StackTraceElement frame : stack) {
      if (byMethod ? test.hasMethod(frame) : test.hasClass(frame)) {
        return true;
      }
    }
    return false;
  }
}
