package dev.offcut.command.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Courses;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.GrowthRates;
import dev.offcut.command.read.KnownLibraries;
import dev.offcut.command.read.NativeCallers;
import dev.offcut.command.read.NativeCallers.Place;
import dev.offcut.command.read.NativeCallers.Series;
import dev.offcut.command.read.Timeline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who has which native block: no byte is told twice, and none is passed over. */
class NativeFindingsTest {
  static final long MIB = 1 << 20;
  private static final String ITERATOR = "closeable:org.rocksdb.RocksIterator";
  private static final String DATABASE = "closeable:org.rocksdb.RocksDB";
  static final String OPENED = "a.Orders.find(Orders.java:88)";

  private static final NativeCallers.Ended NONE =
      new NativeCallers.Ended(0, 0, 0, 0, 0, 0, List.of());

  static Place place(String group, long mib, String... frames) {
    return place(group, mib, NONE, frames);
  }

  static Place place(String group, long mib, NativeCallers.Ended ended, String... frames) {
    long bytes = mib * MIB;
    return new Place(
        group,
        List.of(frames),
        KnownLibraries.own(List.of(frames)),
        List.of(),
        mib,
        bytes,
        mib,
        bytes,
        mib,
        0,
        ended);
  }

  static NativeCallers callers(Place... places) {
    return new NativeCallers(
        "",
        1 << 19,
        Instant.EPOCH,
        Instant.EPOCH.plusSeconds(1),
        List.of(),
        0,
        0,
        0,
        0,
        List.of(),
        List.of(),
        List.of(places),
        List.of());
  }

  private static Digest.Kind kind(String name, long opened, long lost, long open) {
    return new Digest.Kind(name, opened, opened - lost - open, 0, lost, open, 0, 0, 0, 0);
  }

  static Digest.Closeable rule(String kind) {
    return new Digest.Closeable(kind, "RocksDB", "", "nobody", "malloc", "close each");
  }

  static final Digest.Memory MEMORY =
      new Digest.Memory(100 * MIB, 0, null, true, List.of(), List.of(), List.of());

  private static Unclaimed unclaimed(NativeCallers callers, Digest.Kind... kinds) {
    Digest.Site site =
        new Digest.Site(
            ITERATOR, List.of(OPENED), 10, 0, 0, kinds[0].lost(), 1, 0, 0, 1, true, null);
    Facts facts = facts(callers, List.of(site), List.of(rule(ITERATOR), rule(DATABASE)), kinds);
    return Claims.of(facts, unknown(facts), true);
  }

  static Facts facts(
      NativeCallers callers,
      List<Digest.Site> sites,
      List<Digest.Closeable> rules,
      Digest.Kind... kinds) {
    Digest.Target target = new Digest.Target(1, "a.A", List.of("a.A"), "25", "", 1, "full", 0);
    return new Facts(
        target,
        true,
        MEMORY,
        List.of(kinds),
        rules,
        sites,
        List.of(),
        List.of(),
        List.of(),
        null,
        callers,
        new Timeline());
  }

  private static List<Finding> findings(NativeCallers callers, Unclaimed unclaimed) {
    return NativeFindings.of(facts(callers, callers.sites(), List.of()), unclaimed);
  }

  private static List<String> titles(NativeCallers callers, Unclaimed unclaimed) {
    return findings(callers, unclaimed).stream().map(Finding::title).toList();
  }

  @Test
  void without_aKindThatIsCounted_takesItsBlocksOut() {
    NativeCallers all =
        callers(
            place("arena", 30, "os::malloc(libjvm.so)", "a.A.b(A.java:1)"),
            place("malloc.jna", 40, "malloc(libjna.so)", "a.A.c(A.java:2)"),
            place("", 50, "take(liba.so)", "a.A.d(A.java:3)"));
    NativeCallers some = all.without(List.of(kind("arena.shared", 1, 0, 1)));
    assertThat(some.bytes()).isEqualTo(90 * MIB);
    assertThat(some.counted()).isEqualTo(30 * MIB);
    assertThat(titles(some, new Unclaimed(false)))
        .containsExactly(
            "about 50.0 MiB of malloc memory still held, allocated at a.A.d(A.java:3)",
            "about 40.0 MiB of malloc memory still held, allocated at a.A.c(A.java:2)");
  }

  @Test
  void without_aKindOfWhichNothingWasCounted_keepsItsBlocks() {
    NativeCallers all = callers(place("arena", 30, "os::malloc(libjvm.so)", "a.A.b(A.java:1)"));
    assertThat(all.without(List.of(kind("arena.shared", 0, 0, 0)))).isEqualTo(all);
  }

  @Test
  void unclaimed_lostObjects_haveWhatTheirLineAndTheirClassTook() {
    NativeCallers all =
        callers(
            place(
                "",
                30,
                "new(librocksdb.so)",
                "org.rocksdb.RocksDB.iterator(RocksDB.java:7)",
                OPENED),
            place(
                "",
                20,
                "seek(librocksdb.so)",
                "org.rocksdb.RocksIterator.seek0(Native Method)",
                "a.Orders.next(Orders.java:90)"),
            place(
                "",
                40,
                "put(librocksdb.so)",
                "org.rocksdb.RocksDB.put(RocksDB.java:9)",
                "a.Orders.fill(Orders.java:20)"));
    Unclaimed unclaimed = unclaimed(all, kind(ITERATOR, 10, 9, 0), kind(DATABASE, 1, 0, 1));
    Unclaimed.Share share = Objects.requireNonNull(unclaimed.of(ITERATOR));
    assertThat(share.bytes()).isEqualTo(50 * MIB);
    assertThat(EvidenceText.of(new Evidence.Holds(share)))
        .contains("new(librocksdb.so): 30.0 MiB")
        .doesNotContain("includes");
    assertThat(titles(all, unclaimed))
        .containsExactly(
            "about 40.0 MiB of malloc memory still held, allocated at a.Orders.fill(Orders.java:20)");
  }

  @Test
  void unclaimed_nothingOfTheLibraryIsOpen_otherLinesKeepTheirBlocks() {
    NativeCallers all =
        callers(
            place(
                "",
                30,
                "new(librocksdb.so)",
                "org.rocksdb.RocksDB.iterator(RocksDB.java:7)",
                OPENED),
            place(
                "",
                40,
                "put(librocksdb.so)",
                "org.rocksdb.RocksDB.put(RocksDB.java:9)",
                "a.Orders.fill(Orders.java:20)"));
    Unclaimed unclaimed = unclaimed(all, kind(ITERATOR, 10, 9, 0), kind(DATABASE, 1, 0, 0));
    Unclaimed.Share share = Objects.requireNonNull(unclaimed.of(ITERATOR));
    assertThat(share.bytes()).isEqualTo(30 * MIB);
    assertThat(titles(all, unclaimed))
        .containsExactly(
            "about 40.0 MiB of malloc memory still held, allocated at a.Orders.fill(Orders.java:20)");
  }

  @Test
  void unclaimed_fewThatAreOpen_leaveTheLineToItsOwnFinding() {
    NativeCallers all =
        callers(
            place(
                "",
                30,
                "new(librocksdb.so)",
                "org.rocksdb.RocksDB.iterator(RocksDB.java:7)",
                OPENED));
    Unclaimed unclaimed = unclaimed(all, kind(ITERATOR, 10, 0, 1), kind(DATABASE, 1, 0, 1));
    assertThat(unclaimed.of(ITERATOR)).isNull();
    assertThat(titles(all, unclaimed)).hasSize(1);
  }

  @Test
  void line_ofBuffersOfNio_saysHowToLimitThem() {
    NativeCallers all =
        callers(
            place(
                "",
                30,
                "?(libnet.so)",
                "sun.nio.ch.Util.getTemporaryDirectBuffer(Util.java:244)",
                "a.A.write(A.java:5)"));
    Finding finding = findings(all, new Unclaimed(false)).getFirst();
    assertThat(finding.next()).contains("-Djdk.nio.maxCachedBufferSize=BYTES");
    assertThat(finding.text()).contains("functions without a symbol in libnet.so: 30.0 MiB");
  }

  @Test
  void line_thatFreesAsFastAsItTakes_isNoFinding() {
    NativeCallers.Ended inTime = new NativeCallers.Ended(0, 0, 0, 0, 400 * MIB, 1, List.of());
    NativeCallers.Ended old = new NativeCallers.Ended(0, 30 * MIB, 0, 0, 400 * MIB, 1, List.of());
    NativeCallers cache = callers(place("", 30, inTime, "take(liba.so)", "a.A.d(A.java:3)"));
    NativeCallers leak = callers(place("", 30, old, "take(liba.so)", "a.A.d(A.java:3)"));
    assertThat(titles(cache, new Unclaimed(false))).isEmpty();
    assertThat(titles(leak, new Unclaimed(false))).hasSize(1);
  }

  @Test
  void line_thatTheCollectorFrees_isLate() {
    NativeCallers.Ended late =
        new NativeCallers.Ended(
            0, 0, 400 * MIB, 1_500, 0, 0, List.of("java.lang.ref.Finalizer.run(Finalizer.java:9)"));
    Finding finding =
        findings(
                callers(place("", 30, late, "take(liba.so)", "a.A.d(A.java:3)")),
                new Unclaimed(false))
            .getFirst();
    assertThat(finding.severity()).isEqualTo(Finding.Severity.LATE);
    assertThat(finding.title())
        .isEqualTo(
            "up to 30.0 MiB of malloc memory waited for the garbage collector, allocated at"
                + " a.A.d(A.java:3)");
    assertThat(finding.text())
        .contains("about 400.0 MiB were freed so, on average 1.5 s after", "Finalizer.run(");
  }

  @Test
  void line_thatFillsATableOfTheJvm_saysWhich() {
    NativeCallers all =
        callers(
            place(
                "",
                30,
                "the JVM's string table(libjvm.so)",
                "java.lang.String.intern(Native Method)",
                "a.A.key(A.java:6)"));
    Finding finding = findings(all, new Unclaimed(false)).getFirst();
    assertThat(finding.title())
        .isEqualTo(
            "about 30.0 MiB of the JVM's string table still held, allocated at"
                + " a.A.key(A.java:6)");
    assertThat(finding.next()).startsWith("intern only strings");
  }

  static List<Finding> kinds(Facts facts, Unclaimed unclaimed) {
    return KindFindings.of(facts, unclaimed, RiseFindings.of(facts, unknown(facts), unclaimed));
  }

  static List<Courses.Course> unknown(Facts facts) {
    return Collections.nCopies(facts.sites().size(), Courses.Course.UNKNOWN);
  }

  static Courses.Course course(IntUnaryOperator open) {
    List<GrowthRates.Point> points =
        IntStream.rangeClosed(0, 30)
            .mapToObj(i -> new GrowthRates.Point(SECONDS.get(i), open.applyAsInt(i)))
            .toList();
    return new Courses.Course("", "", Set.of(), points, 30);
  }

  private static List<Finding> lost(String holds, long lost, NativeCallers callers) {
    Digest.Site site =
        new Digest.Site(ITERATOR, List.of(OPENED), lost, 0, 0, lost, 0, 0, 0, 1, true, null);
    Digest.Closeable rule = new Digest.Closeable(ITERATOR, "RocksDB", "", "nobody", holds, "close");
    Facts facts = facts(callers, List.of(site), List.of(rule), kind(ITERATOR, lost, lost, 0));
    return kinds(facts, Claims.of(facts, unknown(facts), true));
  }

  /** What a program has until its end is no leak, unless it is much. */
  @Test
  void lost_few_areANote_unlessTheyHoldMuch() {
    NativeCallers little = callers(place("", 3, "take(liba.so)", OPENED));
    NativeCallers much = callers(place("", 30, "take(liba.so)", OPENED));
    assertThat(lost("malloc", 9, little))
        .extracting(Finding::severity)
        .containsExactly(Finding.Severity.NOTE);
    assertThat(lost("malloc", 10, little))
        .extracting(Finding::severity)
        .containsExactly(Finding.Severity.LOST);
    assertThat(lost("malloc", 9, much))
        .extracting(Finding::severity)
        .containsExactly(Finding.Severity.LOST);
  }

  @Test
  void lost_thatMayBeViews_areAFinding_onlyWithBytes() {
    assertThat(lost("nothing", 1_000, callers(place("", 3, "take(liba.so)", OPENED)))).isEmpty();
    assertThat(lost("nothing", 1_000, callers(place("", 30, "take(liba.so)", OPENED)))).hasSize(1);
  }

  private static final List<Instant> SECONDS =
      IntStream.rangeClosed(0, 30).mapToObj(Instant.EPOCH::plusSeconds).toList();

  /** A line that took memory through a jar, how much it held over time, and what it holds. */
  private static Place through(String jar, String line) {
    Place place = place("", 40, "take(liba.so)", line);
    return new Place(
        "", place.frames(), 1, List.of(jar), 1, 0, 1, place.bytes(), 1, 0, place.ended());
  }

  private static Series series(String line, IntUnaryOperator mib) {
    return new Series(
        line, 0, IntStream.rangeClosed(0, 30).mapToObj(i -> mib.applyAsInt(i) * MIB).toList());
  }

  /**
   * Sites of thirty of one kind, how many of each had not ended over time, and how many are lost.
   */
  private static Unclaimed inStep(
      List<Place> places, List<Series> series, List<IntUnaryOperator> courses, long lost) {
    Instant begin = SECONDS.getFirst();
    Instant end = SECONDS.getLast();
    List<String> none = List.of();
    NativeCallers callers =
        new NativeCallers("", 1, begin, end, none, 0, 0, 0, 0, SECONDS, series, places, List.of());
    List<String> lib = List.of("lib.jar");
    long open = 30 - lost;
    List<Digest.Site> sites = new ArrayList<>();
    List<Courses.Course> all = new ArrayList<>();
    for (IntUnaryOperator course : courses) {
      List<String> at = List.of("a.Opens.at(Opens.java:" + sites.size() + ")");
      List<Digest.Path> ways = List.of();
      sites.add(
          new Digest.Site(ITERATOR, at, 0, lib, 30, 0, 0, lost, open, 0, 0, 1, true, null, ways));
      all.add(course(course));
    }
    Facts facts =
        facts(
            callers,
            sites,
            List.of(rule(ITERATOR)),
            kind(ITERATOR, 60, lost * sites.size(), open * sites.size()));
    return Claims.of(facts, all, true);
  }

  private static final String FIRST = "a.Cache.fill(Cache.java:1)";
  private static final String SECOND = "a.Cache.fill(Cache.java:2)";

  /** A cache that is lost has what was put into it elsewhere. */
  @Test
  void lostObjects_haveWhatTheirLibraryTookInStep() {
    List<Place> one = List.of(through("lib.jar", FIRST));
    IntUnaryOperator steady = second -> second;
    List<Series> rises = List.of(series(FIRST, second -> second));
    assertThat(inStep(one, rises, List.of(steady), 30).of(ITERATOR))
        .extracting(Unclaimed.Share::bytes)
        .isEqualTo(40 * MIB);
    List<Series> late = List.of(series(FIRST, second -> second < 25 ? 0 : second));
    assertThat(inStep(one, late, List.of(steady), 30).of(ITERATOR)).isNull();
    List<Place> others = List.of(through("other.jar", FIRST));
    assertThat(inStep(others, rises, List.of(steady), 30).of(ITERATOR)).isNull();
  }

  /** A run of two seconds has one point of each line. */
  @Test
  void lostObjects_ofARunTooShortToTell_haveWhatTheirLibraryTook() {
    List<Place> one = List.of(through("lib.jar", FIRST));
    IntUnaryOperator steady = second -> second;
    assertThat(inStep(one, List.of(), List.of(steady), 30).of(ITERATOR))
        .extracting(Unclaimed.Share::bytes)
        .isEqualTo(40 * MIB);
    List<Place> others = List.of(through("other.jar", FIRST));
    assertThat(inStep(others, List.of(), List.of(steady), 30).of(ITERATOR)).isNull();
  }

  /** An interpreter that is open has what its scripts took. */
  @Test
  void openObjects_haveWhatTheirLibraryTookInStep() {
    List<Series> rises = List.of(series(FIRST, second -> second));
    assertThat(inStep(List.of(through("lib.jar", FIRST)), rises, List.of(second -> second), 0))
        .extracting(unclaimed -> unclaimed.of(ITERATOR))
        .extracting(Unclaimed.Share::bytes)
        .isEqualTo(40 * MIB);
  }

  /** No byte is passed over: what is in step with another line of theirs is added. */
  @Test
  void lostObjectsOfTwoLines_haveWhatIsInStepWithEither() {
    List<Place> both = List.of(through("lib.jar", FIRST), through("lib.jar", SECOND));
    IntUnaryOperator early = second -> Math.min(20, second);
    IntUnaryOperator late = second -> Math.max(0, second - 20);
    Unclaimed unclaimed =
        inStep(both, List.of(series(FIRST, early), series(SECOND, late)), List.of(early, late), 30);
    assertThat(unclaimed.of(ITERATOR)).extracting(Unclaimed.Share::bytes).isEqualTo(80 * MIB);
  }

  /** A table of the JVM belongs to nobody's objects. */
  @Test
  void lostObjects_haveNoTableOfTheJvm() {
    NativeCallers all = callers(place("", 30, "the JVM's string table(libjvm.so)", OPENED));
    assertThat(unclaimed(all, kind(ITERATOR, 10, 10, 0)).of(ITERATOR)).isNull();
  }

  private static final String STREAM = "closeable:java.io.FileInputStream";
  private static final String DEFLATER = "closeable:java.util.zip.Deflater";

  private static Digest.Site open(String kind, long open, String line) {
    return new Digest.Site(kind, List.of(line), open, 0, 0, 0, open, 0, 0, 1, true, null);
  }

  /** What else a line opens has none of what a class took in a call of its own. */
  @Test
  void memoryTakenByAClass_isItsObjects_notThoseOfItsLine() {
    NativeCallers all =
        callers(
            place(
                "", 90, "deflateInit2_(libzip.so)", "java.util.zip.Deflater.init(D.java)", OPENED),
            place("", 30, "fdopendir(libc.so)", "a.Orders.find(Orders.java:90)"));
    List<Digest.Site> sites = List.of(open(STREAM, 2_000, OPENED), open(DEFLATER, 1_000, OPENED));
    Digest.Closeable stream =
        new Digest.Closeable(STREAM, "the JDK", "", "cleaner", "descriptor", "close each");
    Facts facts =
        facts(
            all,
            sites,
            List.of(stream, rule(DEFLATER)),
            kind(STREAM, 2_000, 0, 2_000),
            kind(DEFLATER, 1_000, 0, 1_000));
    Unclaimed unclaimed = Claims.of(facts, unknown(facts), true);
    assertThat(unclaimed.of(DEFLATER)).extracting(Unclaimed.Share::bytes).isEqualTo(90 * MIB);
    assertThat(unclaimed.of(STREAM)).isNull();
  }

  /** Two lines of a kind that each have a finding share its memory; neither has it all. */
  @Test
  void memoryOfTwoLinesOfAKind_isOfTheLineThatTookIt() {
    String other = "a.Other.find(Other.java:1)";
    NativeCallers all =
        callers(
            place("", 60, "take(liba.so)", "org.rocksdb.RocksIterator.<init>(R.java)", OPENED),
            place("", 30, "take(liba.so)", "org.rocksdb.RocksIterator.<init>(R.java)", other));
    Facts facts =
        facts(
            all,
            List.of(open(ITERATOR, 600, OPENED), open(ITERATOR, 300, other)),
            List.of(rule(ITERATOR)),
            kind(ITERATOR, 900, 0, 900));
    Unclaimed unclaimed = Claims.of(facts, unknown(facts), true);
    assertThat(unclaimed.of(ITERATOR)).extracting(Unclaimed.Share::bytes).isEqualTo(90 * MIB);
    assertThat(unclaimed.of(ITERATOR, OPENED, List.of(OPENED, other)))
        .extracting(Unclaimed.Share::bytes)
        .isEqualTo(60 * MIB);
    assertThat(unclaimed.of(ITERATOR, other, List.of(OPENED, other)))
        .extracting(Unclaimed.Share::bytes)
        .isEqualTo(30 * MIB);
  }

  /** Buffers that the collector freed, of objects that nobody closed, are a part of these. */
  @Test
  void buffersOfLostObjects_areToldWithThem() {
    Digest.Kind buffers =
        new Digest.Kind("buffer.direct", 501, 0, 501, 0, 0, 0, 501 * MIB, 501 * MIB, 0);
    Digest.Site site =
        new Digest.Site("buffer.direct", List.of(OPENED), 501, 0, 501, 0, 0, 0, 0, 1, true, null);
    Digest.Site lost =
        new Digest.Site(ITERATOR, List.of(OPENED), 500, 0, 0, 500, 0, 0, 0, 1, true, null);
    Facts facts =
        facts(
            callers(),
            List.of(site, lost),
            List.of(rule(ITERATOR)),
            buffers,
            kind(ITERATOR, 500, 500, 0));
    List<Finding> all = kinds(facts, Claims.of(facts, unknown(facts), true));
    assertThat(all).extracting(Finding::what).containsExactly(Finding.What.LOST_OBJECTS);
    assertThat(all.getFirst().text()).contains("With them came 501 direct buffers");
    Facts others = facts(callers(), List.of(site), List.of(), buffers);
    assertThat(kinds(others, Claims.of(others, unknown(others), true)))
        .extracting(Finding::what)
        .containsExactly(Finding.What.LATE);
  }

  /** Buffers that were opened with objects are told with these, and once. */
  @Test
  void buffersOfTheSameLine_areWhatObjectsHold() {
    Digest.Kind buffers =
        new Digest.Kind("buffer.direct", 901, 0, 0, 0, 901, 90 * MIB, 90 * MIB, 90 * MIB, 0);
    Digest.Site site =
        new Digest.Site(
            "buffer.direct", List.of(OPENED), 900, 0, 0, 0, 900, 90 * MIB, 0, 1, true, null);
    Facts facts =
        facts(
            callers(),
            List.of(site, open(ITERATOR, 800, OPENED)),
            List.of(rule(ITERATOR)),
            buffers,
            kind(ITERATOR, 800, 0, 800));
    List<Finding> all = kinds(facts, Claims.of(facts, unknown(facts), true));
    assertThat(all)
        .extracting(Finding::title)
        .containsExactly(
            "800 RocksIterator of RocksDB opened at Orders.java:88 are open; most likely they hold"
                + " 90.0 MiB of direct buffers");
    Facts few =
        facts(
            callers(),
            List.of(site, open(ITERATOR, 20, OPENED)),
            List.of(rule(ITERATOR)),
            buffers,
            kind(ITERATOR, 20, 0, 20));
    assertThat(kinds(few, Claims.of(few, unknown(few), true)))
        .extracting(Finding::what)
        .containsExactly(Finding.What.OPEN_KIND);
  }
}
