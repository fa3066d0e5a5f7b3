package dev.offcut.junit;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One test, or what {@code @BeforeAll} and {@code @AfterAll} of a class do: whoever can be blamed
 * for an opening.
 */
final class TestScope {
  /** The class that has the test. */
  volatile Class<?> type;

  /** The class's own scope; null: it is this one. */
  final @Nullable TestScope ofClass;

  /** The test's method; null before it is known, and of a class. */
  private volatile @Nullable Method method;

  /** The method whose annotation counts for it; null if it has none. */
  private volatile @Nullable Method annotated;

  /** For people; null: it is made of the class, the method and JUnit's name, if it is asked for. */
  private final @Nullable String name;

  private volatile String display = "";

  private volatile boolean ended;

  /** Whether something was opened after its end. */
  volatile boolean isLate;

  /** Whether its leaks are looked for at the end of the class. */
  volatile boolean isShared;

  /** What was reported before. By the thread that runs the test, then by that of the class. */
  private List<Leak> reported = List.of();

  /** Of a class: its tests whose leaks may come later. */
  private final @Nullable ConcurrentLinkedQueue<TestScope> left;

  /** Of a class: leaks of it and its tests that are known. */
  private final ConcurrentLinkedQueue<Leak> ignored = new ConcurrentLinkedQueue<>();

  /** What each {@link Ledger} keeps of it; made at the first opening. */
  private final ConcurrentHashMap<Ledger, Object> openings = new ConcurrentHashMap<>();

  TestScope(Class<?> type, @Nullable String name, @Nullable TestScope ofClass) {
    this.type = type;
    this.name = name;
    this.ofClass = ofClass;
    left = ofClass == null ? new ConcurrentLinkedQueue<>() : null;
  }

  /** Says which test it is, once that is known. */
  void name(Class<?> ofTest, @Nullable Method itsMethod, String displayName, boolean isToBeShared) {
    type = ofTest;
    method = itsMethod;
    annotated = itsMethod;
    isShared = isToBeShared;
    display = displayName;
  }

  /** Says which method has made it: the annotation of that counts for it. */
  void madeBy(@Nullable Method factory) {
    annotated = factory;
  }

  void end() {
    ended = true;
  }

  /** Whether a frame is of its class. */
  boolean hasClass(StackTraceElement frame) {
    return frame.getClassName().equals(type.getName());
  }

  /** Whether a frame is of its method, or of a lambda in it. */
  boolean hasMethod(StackTraceElement frame) {
    Method its = method;
    if (its == null || !frame.getClassName().equals(its.getDeclaringClass().getName())) {
      return false;
    }
    String called = frame.getMethodName();
    return called.equals(its.getName()) || called.startsWith("lambda$" + its.getName() + "$");
  }

  /** Something is being opened that belongs to it. */
  void noteOpening() {
    if (ended && !isLate) {
      isLate = true;
      if (ofClass != null) {
        ofClass.lookAgainAt(this);
      }
      TestScopes.noteLate(this);
    }
  }

  /** Looks at a test once more when the class ends. */
  void lookAgainAt(TestScope test) {
    if (left != null) {
      left.add(test);
    }
  }

  /** The tests to look at once more. */
  List<TestScope> leftTests() {
    List<TestScope> tests = new ArrayList<>();
    for (TestScope test = poll(); test != null; test = poll()) {
      if (!tests.contains(test)) {
        tests.add(test);
      }
    }
    return tests;
  }

  /** The known leaks of a class and its tests, since the last call. */
  List<Leak> takeIgnored() {
    List<Leak> leaks = List.copyOf(ignored);
    ignored.removeAll(leaks);
    return leaks;
  }

  private @Nullable TestScope poll() {
    return left == null ? null : left.poll();
  }

  /**
   * What it opened and did not close, without what was returned before.
   *
   * @param collected whether collections have freed what only they free, as far as they can
   */
  synchronized List<Leak> newLeaks(boolean collected) {
    List<Leak> all = List.of();
    for (Ledger ledger : Ledger.all()) {
      List<Leak> its = ledger.leaks(this, collected);
      if (!its.isEmpty()) {
        all = new ArrayList<>(all);
        all.addAll(its);
      }
    }
    if (all.isEmpty()) { // as most tests
      reported = all;
      return all;
    }
    List<Leak> before = reported;
    List<Leak> more = new ArrayList<>();
    for (Leak leak : all) {
      Leak since = leak.since(before);
      if (since.count() > 0 && !isIgnored(since)) {
        more.add(since);
      }
    }
    reported = all;
    return more;
  }

  private boolean isIgnored(Leak leak) {
    return Ignored.has(leak, type, annotated)
        && (ofClass == null ? this : ofClass).ignored.add(leak);
  }

  /** What could not be checked, in a sentence; null if nothing. */
  @Nullable String unchecked() {
    for (Ledger ledger : Ledger.all()) {
      String sentence = ledger.unchecked(this);
      if (sentence != null) {
        return sentence;
      }
    }
    return null;
  }

  /** Whether it has something open that only the collector frees. */
  boolean waitsForCollection() {
    for (Ledger ledger : Ledger.all()) {
      if (ledger.waitsForCollection(this)) {
        return true;
      }
    }
    return false;
  }

  /** Nobody will ask for what it has closed. */
  void forgetClosed() {
    for (Ledger ledger : Ledger.all()) {
      ledger.end(this);
    }
  }

  @Nullable Object openings(Ledger of) {
    return openings.get(of);
  }

  Object openings(Ledger of, Supplier<Object> made) {
    return openings.computeIfAbsent(of, any -> made.get());
  }

  @Override
  public String toString() {
    return name != null ? name : name(type, method, display);
  }

  /** The name of a class, or of a test, if it has a method or a name by JUnit. */
  static String name(Class<?> type, @Nullable Method method, String display) {
    String name = type.getName();
    String simple = name.substring(name.lastIndexOf('.') + 1);
    if (method == null && display.isEmpty()) {
      return simple;
    }
    String called = method == null ? "" : method.getName();
    String own = simple + "." + called;
    return display.startsWith(called + "(") ? own : own + " " + display;
  }
}
