package dev.offcut.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is looked at when a test, a class or all tests have ended, and their failures. */
final class Checks {
  /** What stderr has of what nobody counts or checks. */
  private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

  private Checks() {}

  /** Says something on stderr, once in this JVM. */
  static void sayOnce(String sentence) {
    if (SAID.add(sentence)) {
      System.err.println("offcut: @NoNativeLeaks " + sentence);
    }
  }

  /** Ends a test: its failure, or null. */
  static @Nullable NativeLeakError endOfTest(TestScope test) {
    TestScopes.end(test);
    TestScope ofClass = test.ofClass;
    if (test.isShared && ofClass != null) {
      ofClass.lookAgainAt(test);
      return null;
    }
    List<Leak> leaks = test.newLeaks(false);
    if (ofClass != null && test.waitsForCollection()) {
      ofClass.lookAgainAt(test);
    }
    test.forgetClosed();
    if (!leaks.isEmpty()) {
      return Leak.error(
          test.toString(),
          "at the end of the test",
          leaks,
          "close each in try-with-resources or in @AfterEach; if a later test closes it, mark this"
              + " test with @Shared");
    }
    return unchecked(test);
  }

  /**
   * Ends a class, whose tests have ended: its failure, or null.
   *
   * @param report gets what nobody counts, for the report of the tests
   */
  static @Nullable NativeLeakError endOfClass(TestScope scope, Consumer<String> report) {
    scope.end();
    List<TestScope> tests = scope.leftTests();
    List<TestScope> all = new ArrayList<>(tests);
    all.add(scope);
    for (Ledger ledger : Ledger.all()) {
      ledger.collect(all);
    }
    @Nullable NativeLeakError error = null;
    List<Leak> own = scope.newLeaks(true);
    if (!own.isEmpty()) {
      error =
          Leak.error(
              scope.toString(),
              "at the end of the class",
              own,
              "close what @BeforeAll opens in @AfterAll");
    }
    for (TestScope test : tests) {
      error = with(error, ofTestAtEndOfClass(test));
    }
    for (TestScope one : all) {
      if (one == scope || one.isShared) { // the others have said it at their end
        error = with(error, unchecked(one));
      }
    }
    all.forEach(TestScope::forgetClosed);
    tellIgnored(scope, report);
    Ignored.unusedOf(scope.type).forEach(sentence -> tell(sentence, report));
    return with(error, unseen(scope, report));
  }

  private static void tellIgnored(TestScope scope, Consumer<String> report) {
    List<Leak> leaks = scope.takeIgnored();
    if (!leaks.isEmpty()) {
      tell(Leak.ignored(scope.toString(), leaks), report);
    }
  }

  private static void tell(String sentence, Consumer<String> report) {
    System.err.println("offcut: @NoNativeLeaks " + sentence);
    report.accept("@NoNativeLeaks " + sentence);
  }

  /**
   * Tells what nobody counts: a class must not pass in silence for what nobody looked at. It fails
   * for what the user has asked for by name.
   */
  private static @Nullable NativeLeakError unseen(TestScope scope, Consumer<String> report) {
    @Nullable NativeLeakError error = null;
    for (Ledger ledger : Ledger.all()) {
      Ledger.Unseen its = ledger.unseen();
      for (String sentence : its.sentences()) {
        sayOnce(sentence);
        report.accept("@NoNativeLeaks " + sentence);
      }
      for (String asked : its.asked()) {
        error =
            with(
                error,
                new NativeLeakError(
                    scope + ": what the agent's options ask for was not checked: " + asked,
                    List.of()));
      }
    }
    return error;
  }

  private static @Nullable NativeLeakError ofTestAtEndOfClass(TestScope test) {
    List<Leak> leaks = test.newLeaks(true);
    if (leaks.isEmpty()) {
      return null;
    }
    if (test.isShared) {
      return Leak.error(
          test.toString(),
          "at the end of the class",
          leaks,
          "close it in a later test or in @AfterAll, or remove @Shared");
    }
    return !test.isLate
        ? Leak.error(
            test.toString(),
            "at the end of the class, and not freed by a garbage collection, since something"
                + " still refers to it",
            leaks,
            "drop what refers to it: a static field, a cache, a thread")
        : Leak.error(
            test.toString(),
            "at the end of the class, and opened after the test had ended, by a thread that the"
                + " test started",
            leaks,
            "end such threads before the test ends");
  }

  /** Ends all tests: their failure, which stderr has as well, or null. */
  static @Nullable NativeLeakError endOfRun() {
    @Nullable NativeLeakError error = null;
    for (TestScope late : TestScopes.takeLate()) {
      List<Leak> leaks = late.newLeaks(true);
      tellIgnored(late.ofClass == null ? late : late.ofClass, entry -> {});
      if (!leaks.isEmpty()) {
        error =
            with(
                error,
                Leak.error(
                    late.toString(),
                    "at the end of all tests, and opened after its class had ended, by a thread"
                        + " that it started",
                    leaks,
                    "end such threads before the class ends"));
      }
    }
    if (error != null) {
      System.err.println("offcut: " + error.getMessage());
    }
    List<Leak> nobodys = TestScopes.NOBODY.newLeaks(false);
    tellIgnored(TestScopes.NOBODY, entry -> {});
    Ignored.unused().forEach(sentence -> tell(sentence, entry -> {}));
    if (!nobodys.isEmpty()) {
      System.err.println(
          "offcut: "
              + Leak.error(
                      "opened while several tests ran, by a thread that none of them started",
                      "at the end of all tests; no test fails for it",
                      nobodys,
                      "run these tests one at a time, to see which of them it is")
                  .getMessage());
    }
    return error;
  }

  /** The failure of who would pass else for what nobody has looked at; or null. */
  private static @Nullable NativeLeakError unchecked(TestScope scope) {
    String sentence = scope.unchecked();
    return sentence == null ? null : new NativeLeakError(scope + ": " + sentence, List.of());
  }

  private static @Nullable NativeLeakError with(
      @Nullable NativeLeakError first, @Nullable NativeLeakError next) {
    if (first == null || next == null) {
      return first == null ? next : first;
    }
    first.addSuppressed(next);
    return first;
  }
}
