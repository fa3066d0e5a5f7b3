package dev.offcut.command.judge;

import static dev.offcut.command.judge.NativeFindingsTest.MIB;
import static dev.offcut.command.judge.NativeFindingsTest.OPENED;
import static dev.offcut.command.judge.NativeFindingsTest.callers;
import static dev.offcut.command.judge.NativeFindingsTest.course;
import static dev.offcut.command.judge.NativeFindingsTest.facts;
import static dev.offcut.command.judge.NativeFindingsTest.kinds;
import static dev.offcut.command.judge.NativeFindingsTest.place;
import static dev.offcut.command.judge.NativeFindingsTest.rule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Courses;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Kinds;
import dev.offcut.command.read.NativeCallers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** Blocks that only the collector's threads freed, and the objects that were left to them. */
class LateFindingsTest {
  private static final NativeCallers.Ended LATE =
      new NativeCallers.Ended(
          0, 0, 400 * MIB, 1_500, 0, 0, List.of("java.lang.ref.Finalizer.run(Finalizer.java:9)"));

  private static List<Finding> late(NativeCallers callers, String type, long collected) {
    return late(callers, type, collected, Courses.Course.UNKNOWN);
  }

  private static List<Finding> late(
      NativeCallers callers, String type, long collected, Courses.Course course) {
    long closed = 500 - collected;
    Digest.Kind kind = new Digest.Kind(type, 500, closed, collected, 0, 0, 0, 0, 0, 0);
    Digest.Site site =
        new Digest.Site(type, List.of(OPENED), 500, closed, collected, 0, 0, 0, 0, 1, true, null);
    Digest.Closeable rule =
        new Digest.Closeable(type, "own", "", "finalizer", "malloc", "call dispose() on each");
    List<Digest.Closeable> rules = type.equals(Kinds.CLEANER) ? List.of() : List.of(rule);
    Facts facts = facts(callers, List.of(site), rules, kind);
    Unclaimed unclaimed = Claims.of(facts, List.of(course), true);
    List<Finding> all = new ArrayList<>(kinds(facts, unclaimed));
    all.addAll(NativeFindings.of(facts, unclaimed));
    return all;
  }

  /** The class, its line, its number, its bytes and what closes it are one finding. */
  @Test
  void late_objectsAndWhatTheyHeld_areOneFinding() {
    NativeCallers callers = callers(place("", 30, LATE, "take(liba.so)", OPENED));
    List<Finding> all = late(callers, "closeable:own.Matrix", 500);
    assertThat(all).hasSize(1);
    assertThat(all.getFirst().title())
        .isEqualTo(
            "500 of 500 Matrix of own opened at Orders.java:88 left to the collector: up to 30.0 MiB"
                + " of malloc memory waited for it");
    assertThat(all.getFirst().text())
        .contains("on average 1.5 s after", "Finalizer.run(", "call dispose() on each.");
    assertThat(late(callers, Kinds.CLEANER, 500))
        .extracting(Finding::title)
        .containsExactly(
            "500 of 500 objects with a Cleaner opened at Orders.java:88 left to the collector: up to"
                + " 30.0 MiB of malloc memory waited for it");
  }

  /** An object is opened at one line and filled at others, none of which has much. */
  @Test
  void late_objectsThatSeveralLinesFilled_haveWhatTheseTookTogether() {
    NativeCallers callers =
        callers(
            place("", 9, LATE, "take(liba.so)", OPENED),
            place(
                "", 9, LATE, "fill(liba.so)", "own.Matrix.fill(Matrix.java:5)", "a.A.b(A.java:1)"),
            place("", 9, LATE, "take(libb.so)", "a.Other.take(Other.java:3)"));
    assertThat(late(callers, "closeable:own.Matrix", 500))
        .extracting(Finding::title)
        .containsExactly(
            "500 of 500 Matrix of own opened at Orders.java:88 left to the collector: up to 18.0 MiB"
                + " of malloc memory waited for it");
  }

  /**
   * The samples say each second how much a line holds; the objects, how many there were at once.
   */
  @Test
  void late_objectsThatWereThereAtOnce_hadAllThatWasFreedLate() {
    NativeCallers callers = callers(place("", 30, LATE, "take(liba.so)", OPENED));
    Courses.Course course = new Courses.Course("", "", Set.of(), List.of(), 250);
    assertThat(late(callers, "closeable:own.Matrix", 500, course).getFirst().bytes())
        .isEqualTo(200 * MIB);
  }

  /** The line had more at one time, which the program freed. */
  @Test
  void late_objectsOfALineThatClosesMost_hadNoMoreThanTheCollectorFreed() {
    NativeCallers.Ended mostInTime =
        new NativeCallers.Ended(0, 0, MIB, 60_000, 400 * MIB, 1, LATE.liberators());
    NativeCallers callers = callers(place("", 30, mostInTime, "take(liba.so)", OPENED));
    assertThat(late(callers, "closeable:own.Matrix", 500)).isEmpty();
  }

  @Test
  void late_objectsThatHeldLittle_areNoFinding() {
    NativeCallers callers = callers(place("", 3, LATE, "take(liba.so)", OPENED));
    assertThat(late(callers, "closeable:own.Matrix", 500)).isEmpty();
    assertThat(late(callers, Kinds.CLEANER, 500)).isEmpty();
  }

  /** A line that closes most and leaves some to the collector has a path that forgets. */
  @Test
  void late_objectsThatALineForgets_areAFinding_thoughTheyHeldLittle() {
    assertThat(late(callers(), Kinds.CLEANER, 133))
        .extracting(Finding::title)
        .containsExactly(
            "133 of 500 objects with a Cleaner opened at Orders.java:88 left to the collector");
    assertThat(late(callers(), Kinds.CLEANER, 300)).as("so it is meant").isEmpty();
    assertThat(late(callers(), Kinds.CLEANER, 99)).as("in use to the end, perhaps").isEmpty();
  }

  @Test
  void late_blocksOfAnotherMethod_keepTheirLine() {
    NativeCallers callers =
        callers(place("", 30, LATE, "take(liba.so)", "a.Orders.fill(Orders.java:20)"));
    assertThat(late(callers, "closeable:own.Matrix", 500))
        .extracting(Finding::what)
        .containsExactly(Finding.What.NATIVE_LATE);
  }

  @Test
  void late_few_doNotHideThatTheOthersRise() {
    String type = "closeable:own.Matrix";
    List<String> at = List.of(OPENED);
    Digest.Site site = new Digest.Site(type, at, 500, 0, 20, 0, 480, 0, 0, 1, true, null);
    Digest.Kind kind = new Digest.Kind(type, 500, 0, 20, 0, 480, 0, 0, 0, 0);
    NativeCallers callers = callers(place("", 30, LATE, "take(liba.so)", OPENED));
    Facts facts = facts(callers, List.of(site), List.of(rule(type)), kind);
    List<Courses.Course> all = List.of(course(second -> 16 * second));
    assertThat(RiseFindings.of(facts, all, Claims.of(facts, all, true)).findings())
        .extracting(Finding::what)
        .containsExactly(Finding.What.GROWING_OBJECTS);
  }

  /** A native object of which a rule says who frees it, with more and more open until the end. */
  private static List<Finding> rising(
      String freedBy, long collected, long samples, IntUnaryOperator course) {
    String type = "closeable:own.Matrix";
    long open = 480 - collected;
    Digest.Site site =
        new Digest.Site(
            type, List.of(OPENED), 2_000, 1_520, collected, 0, open, 0, 0, samples, false, null);
    Digest.Kind kind = new Digest.Kind(type, 2_000, 1_520, collected, 0, open, 0, 0, 0, 0);
    Digest.Closeable rule = new Digest.Closeable(type, "acme", "", freedBy, "malloc", "close each");
    Facts some = facts(callers(), List.of(site), List.of(rule), kind);
    Facts facts =
        new Facts(
            new Digest.Target(1, "a.A", List.of("a.A"), "25", "", 30, "sample", 128),
            true,
            some.memory(),
            some.kinds(),
            some.closeables(),
            some.sites(),
            some.filled(),
            some.pools(),
            some.bufferPools(),
            some.accounts(),
            some.callers(),
            some.timeline());
    List<Courses.Course> all = List.of(course(course));
    return RiseFindings.of(facts, all, Claims.of(facts, all, true)).findings();
  }

  /** They waited for a collection, and nothing is known of what they hold. */
  @Test
  void rising_objectsThatTheCollectionAtTheEndFreed_areNoFinding() {
    assertThat(rising("cleaner", 480, 2_000, second -> 16 * second)).isEmpty();
    assertThat(rising("nobody", 480, 2_000, second -> 16 * second)).hasSize(1);
    assertThat(rising("cleaner", 200, 2_000, second -> 16 * second)).hasSize(1);
  }

  /** Of every 128th opening the stack is known: the course is off by some of them. */
  @Test
  void rising_objectsOfWhichSomeAreSampled_areAsManyAsWereCounted() {
    assertThat(rising("nobody", 0, 1_030, second -> 33 * second))
        .singleElement()
        .extracting(Finding::title)
        .asString()
        .startsWith("480 Matrix of acme opened at Orders.java:88 are open: ");
    assertThat(rising("nobody", 0, 2_000, second -> 33 * second))
        .singleElement()
        .extracting(Finding::title)
        .asString()
        .startsWith("990 Matrix of acme opened at Orders.java:88 were open at the end: ");
  }
}
