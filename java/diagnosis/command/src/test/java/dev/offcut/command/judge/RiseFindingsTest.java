package dev.offcut.command.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Accounts;
import dev.offcut.command.read.GivenAccount;
import dev.offcut.command.read.GivenFields;
import dev.offcut.resident.Account;
import dev.offcut.resident.Descriptors;
import dev.offcut.resident.Part;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** More and more open resources of one line. */
class RiseFindingsTest extends RisingLines {
  @Test
  void openOnesThatRise_areAFindingWithTheirLine() {
    line(FILE, LINE, 0, second -> 10 * second);
    assertThat(titles())
        .containsExactly("GROWING 300 FileInputStream opened at Orders.java:88 are open");
    assertThat(findings().getFirst().text()).contains("rose by 200 in 19.3 s", LINE);
  }

  /** Ten of what a program has few of are enough; of others a hundred. */
  @Test
  void few_areAFindingOnlyIfTheyAreHeavy() {
    owner = "org.lib.Client\nclose\n";
    line(THREAD, LINE, 0, second -> second);
    line(FILE, OTHER, 0, second -> 2 * second);
    assertThat(titles())
        .containsExactly("GROWING 30 threads of Client opened at Orders.java:88 are open");
    assertThat(findings().getFirst().text()).contains("end each Client with close().");
  }

  /** A server opens what it needs, and keeps it. */
  @Test
  void whatIsOpenedAtTheStart_isNoFinding() {
    line(THREAD, LINE, 0, second -> Math.min(200, 100 * second));
    line(SELECTOR, OTHER, 0, second -> second < 2 ? 0 : 64);
    assertThat(titles()).isEmpty();
  }

  @Test
  void aPoolThatFillsLater_isNoFinding() {
    line(THREAD, LINE, 0, second -> second < 20 ? 0 : 64);
    line(SELECTOR, OTHER, 0, second -> Math.min(50, Math.max(0, 5 * (second - 10))));
    assertThat(titles()).isEmpty();
  }

  /** Threads that a library starts when it needs them, as by each connection of a client. */
  @Test
  void threadsOfALibrarysPool_areAFindingOnlyIfThereAreMany() {
    line(THREAD, LINE, 0, second -> 3 * second);
    assertThat(titles()).isEmpty();
    line(THREAD, LINE, 0, second -> 8 * second);
    assertThat(titles()).containsExactly("GROWING 240 threads opened at Orders.java:88 are open");
  }

  /** Too fast to be a rise, and too many to say nothing. */
  @Test
  void thousandsThatCameAtOnce_andAreKept_areOpen() {
    line(FILE, LINE, 0, second -> second < 20 ? 0 : 2_000);
    assertThat(titles())
        .containsExactly("OPEN 2,000 FileInputStream opened at Orders.java:88 are open");
  }

  /** Another process decides how many connections there are. */
  @Test
  void thousandsOfSockets_areNoFinding() {
    line(SOCKET, LINE, 0, second -> second < 20 ? 0 : 2_000);
    assertThat(titles()).isEmpty();
  }

  @Test
  void aLineThatClosesMost_andForgetsSome_isAFinding() {
    line(FILE, LINE, 1_000, second -> second);
    assertThat(titles())
        .containsExactly("GROWING 30 FileInputStream opened at Orders.java:88 are open");
  }

  /** One cause is one finding, that of what owns the others. */
  @Test
  void whatIsOpenedTogether_isOneFinding() {
    line(THREAD, OTHER, 0, second -> 4 * second);
    line(FILE, LINE, 0, second -> 6 * second);
    owner = "org.lib.Client\nshutdown\n";
    line(SELECTOR, LINE, 0, second -> 2 * second);
    List<Finding> all = findings();
    assertThat(all).hasSize(1);
    assertThat(all.getFirst().title())
        .startsWith("60 selectors of Client opened at Orders.java:88 are open");
    assertThat(all.getFirst().text())
        .contains("With them came", "180 FileInputStream at Orders.java:88")
        .endsWith("To do: end each Client with shutdown().");
  }

  private void lost(String type) {
    Map<String, Object> lost =
        Map.of("kind", "closeable:" + type, "opened", 300L, "lost", 300L, "open", 0L);
    take("offcut.ResourceStatistics", lost);
    Map<String, Object> row = new HashMap<>(lost);
    row.putAll(Map.of("site", LIBRARY + "\n" + LINE, "line", 1L, "samples", 300L));
    take("offcut.ResourceSite", row);
  }

  /** A statement that is lost, and what it has of its driver. */
  @Test
  void partsOfLostObjects_areToldWithThem() {
    line("org.lib.Pointer", LINE, 0, second -> 10 * second);
    lost("org.lib.Statement");
    assertThat(titles()).hasSize(1).first().asString().startsWith("LOST 300 Statement");
  }

  /** The program cannot end an inner object of a library, of which only its form tells. */
  @Test
  void lostObjects_areOfWhatTheProgramGot() {
    take(
        "offcut.WatchedClass",
        Map.of("class", "org.lib.Pointer", "rule", "org.lib", "state", "counted"));
    owner = "org.lib.Cursor\nclose\nreturned ";
    line("org.lib.Pointer", LINE, 0, second -> 10 * second);
    lost("org.lib.Pointer");
    Finding finding = findings().getFirst();
    assertThat(finding.title())
        .isEqualTo(
            "300 Pointer of Cursor opened at Orders.java:88 were never closed and can no longer be"
                + " closed");
    assertThat(finding.next()).isEqualTo("end each Cursor with close().");
  }

  /** Each line of a library opens less than would be told. */
  @Test
  void linesThatRiseTogether_areOneFinding() {
    line(SOCKET, LINE, 0, second -> 2 * second);
    line(SOCKET, OTHER, 0, second -> 3 * second);
    String kind = "closeable:" + SOCKET;
    take("offcut.ResourceStatistics", Map.of("kind", kind, "opened", 150L, "open", 150L));
    assertThat(titles()).containsExactly("GROWING 150 sockets opened at Orders.java:99 are open");
    assertThat(findings().getFirst().text())
        .contains("90 were opened at " + OTHER, "others at 1 more call site");
  }

  /** What a shutdown hook closes was open to the end. */
  @Test
  void whatIsClosedAtExit_wasOpen() {
    areClosedAtExit = true;
    line(FILE, LINE, 0, second -> 10 * second);
    assertThat(titles())
        .containsExactly(
            "GROWING 300 FileInputStream opened at Orders.java:88 were open at the end");
    assertThat(findings().getFirst().text())
        .contains("300 were closed only while the JVM shut down.");
  }

  @Test
  void whatRisesAtOtherTimes_isAnotherFinding() {
    line(FILE, LINE, 0, second -> 10 * second);
    line(SOCKET, OTHER, 0, second -> second * second);
    assertThat(titles()).hasSize(2);
  }

  /** A ZipFile and the file in it. */
  @Test
  void whatIsCountedOfTheOwnersClass_isTheFinding() {
    line(JAR, LINE, 0, second -> 10 * second);
    owner = JAR + "\nclose\n";
    line(FILE, LINE, 0, second -> 10 * second);
    assertThat(titles()).containsExactly("GROWING 300 ZipFile opened at Orders.java:88 are open");
  }

  @Test
  void whatTheJdkOpensForItself_isNoFinding() {
    line(THREAD, JDK, 0, second -> 20 * second);
    assertThat(titles()).isEmpty();
  }

  private void shape(String type) {
    Map<String, Object> row = new HashMap<>();
    for (String field : List.of("state", "called", "freedBy", "advice")) {
      row.put(field, "");
    }
    row.putAll(Map.of("class", type, "rule", "org.lib", "holds", "nothing", "from", "shape"));
    take("offcut.WatchedClass", row);
  }

  private void process(String figure, IntUnaryOperator course) {
    for (int second = 0; second <= SECONDS; second++) {
      Map<String, Object> row = Map.of(figure, (long) course.applyAsInt(second));
      builder.take(new GivenFields("offcut.Series", BEGIN.plusSeconds(second), row));
    }
  }

  /** Objects of a native library that nobody has heard of, each with two selectors. */
  @Test
  void objectsInStepWithDescriptors_areAFinding() {
    shape("org.lib.Loops");
    line("org.lib.Loops", LINE, 0, second -> 2 * second);
    assertThat(titles()).isEmpty();
    process("descriptors", second -> 20 + 4 * second);
    assertThat(titles())
        .containsExactly("GROWING 60 Loops of org.lib opened at Orders.java:88 are open");
  }

  /** There are too few descriptors for all of them. */
  @Test
  void objectsWithoutDescriptors_areNoFinding() {
    shape("org.lib.Views");
    line("org.lib.Views", LINE, 0, second -> 20 * second);
    process("descriptors", second -> 20 + 4 * second);
    assertThat(titles()).isEmpty();
  }

  /** A run may be nearly over when its work begins. */
  @Test
  void whatBeginsLate_andRisesToTheEnd_isAFinding() {
    line(SELECTOR, LINE, 0, second -> Math.max(0, 5 * (second - 24)));
    assertThat(titles()).containsExactly("GROWING 30 selectors opened at Orders.java:88 are open");
  }

  private static final String IN_LIBRARY = "org.lib.Loop.run(Loop.java:5)";

  /** {@code line}: the program's that started the thread. */
  private void inThread(String type, String line, IntUnaryOperator course) {
    line(type, IN_LIBRARY + "\njava.lang.Thread.start(this thread)\n" + line, 0, course);
  }

  /** A client whose loops open what they need. The words say that the line opened none itself. */
  @Test
  void whatALibraryOpensInItsThreads_isOfTheLineThatStartedThem() {
    inThread(SELECTOR, OTHER, second -> second);
    assertThat(titles())
        .containsExactly(
            "GROWING 30 selectors opened in threads started at Orders.java:99 are open");
    line(THREAD, OTHER, 0, second -> 10 * second);
    assertThat(titles()).containsExactly("GROWING 300 threads opened at Orders.java:99 are open");
    assertThat(findings().getFirst().text())
        .contains("With them came 30 selectors in threads started at Orders.java:99");
  }

  /** A line of the program that opens something is worth more than one that started a thread. */
  @Test
  void whatALibraryOpensInItsThreads_comesLast() {
    inThread(SELECTOR, OTHER, second -> 10 * second);
    line(FILE, LINE, 0, second -> second * second / 9);
    assertThat(titles()).hasSize(2).first().asString().contains("opened at Orders.java:88");
  }

  /** The loops of a client that all share serve whoever uses it. */
  @Test
  void whatALibraryOpensInAFewThreads_isNotOfTheirOwner() {
    owner = "org.lib.Client\nclose\n";
    inThread(SELECTOR, OTHER, second -> second);
    line(THREAD, OTHER, 0, second -> 2);
    take(
        "offcut.ResourceStatistics",
        Map.of("kind", "closeable:" + THREAD, "opened", 2L, "open", 2L));
    assertThat(titles())
        .containsExactly(
            "GROWING 30 selectors opened in threads started at Orders.java:99 are open");
  }

  /** Descriptors without a line stand below the objects that have them, unless few are left. */
  @Test
  void whatHasNoLine_comesAfterObjects() {
    Finding objects =
        Finding.of(Finding.Severity.GROWING, Finding.What.GROWING_OBJECTS).site(0).done();
    assertThat(Findings.isSymptom(descriptors(300, 20_000), List.of(LINE), 0, null)).isTrue();
    assertThat(Findings.isSymptom(descriptors(10_000, 20_000), List.of(LINE), 0, null)).isFalse();
    assertThat(Findings.isSymptom(objects, List.of(LINE), 0, LINE)).isFalse();
  }

  private static Finding descriptors(long open, long limit) {
    return Finding.of(Finding.Severity.DESCRIPTORS, Finding.What.DESCRIPTORS)
        .count(open, limit)
        .done();
  }

  /** Buffers that objects took where they were opened. */
  @Test
  void memoryOfTheSameLine_comesAfterObjects() {
    Finding buffers = Finding.of(Finding.Severity.GROWING, Finding.What.GROWING_KIND).done();
    assertThat(Findings.isSymptom(buffers, List.of(LINE), 0, LINE)).isTrue();
    assertThat(Findings.isSymptom(buffers, List.of(LINE), 0, OTHER)).isFalse();
  }

  private void collected(long count) {
    line(SOCKET, LINE, 0, second -> 1);
    Map<String, Object> counts =
        Map.of(
            "kind",
            "closeable:" + SOCKET,
            "opened",
            3_000L,
            "closed",
            3_000L - count - 1,
            "collected",
            count,
            "open",
            1L);
    take("offcut.ResourceStatistics", counts);
  }

  /** A line that forgets some, which the collector closes soon: few are open at once. */
  @Test
  void manyThatTheCollectorCloses_areAFinding() {
    collected(90);
    assertThat(titles()).isEmpty();
    collected(200);
    assertThat(titles()).containsExactly("LATE 200 of 3,000 sockets left to the collector");
  }

  /** Of so many that had not ended before the JVM ended, the collector found some then. */
  private void collectedAtEnd(String type, long opened, long collected, IntUnaryOperator course) {
    line(type, LINE, 0, course);
    Map<String, Object> counts =
        Map.of(
            "kind",
            "closeable:" + type,
            "opened",
            opened,
            "collected",
            collected,
            "closed",
            0L,
            "open",
            opened - collected);
    take("offcut.ResourceStatistics", counts);
    Map<String, Object> row = new HashMap<>(counts);
    row.putAll(
        Map.of(
            "site",
            LIBRARY + "\n" + LINE,
            "line",
            1L,
            "samples",
            opened - collected,
            "through",
            "lib.jar"));
    take("offcut.ResourceSite", row);
  }

  /** The program had them until it ended; what was collected then, nobody closed. */
  @Test
  void whatTheCollectorFoundAtTheEnd_isToldOnce_andWasNotClosed() {
    collectedAtEnd(FILE, 300, 300, second -> 10 * second);
    assertThat(titles())
        .containsExactly(
            "GROWING 300 FileInputStream opened at Orders.java:88 were open at the end");
    assertThat(findings().getFirst().text())
        .contains("The last garbage collection freed 300: nothing referred to them any more.")
        .doesNotContain("while the JVM shut down");
  }

  /** Most were collected while the program ran: that is another figure, of the same line. */
  @Test
  void whatTheCollectorFoundBefore_isAFindingBesides() {
    collectedAtEnd(FILE, 1_300, 1_000, second -> 10 * second);
    assertThat(titles())
        .contains("GROWING 300 FileInputStream opened at Orders.java:88 are open")
        .anySatisfy(one -> assertThat(one).startsWith("LATE 1,000 of 1,300 FileInputStream"));
  }

  /** Two lines of a kind: one keeps, one forgets. */
  @Test
  void whatTheCollectorFoundOfAnotherLine_isAFindingBesides() {
    line(FILE, LINE, 0, second -> 10 * second);
    Map<String, Object> counts =
        Map.of(
            "kind",
            "closeable:" + FILE,
            "opened",
            500L,
            "collected",
            200L,
            "closed",
            0L,
            "open",
            300L);
    Map<String, Object> row = new HashMap<>(counts);
    row.putAll(
        Map.of(
            "site",
            LIBRARY + "\n" + OTHER,
            "line",
            1L,
            "samples",
            200L,
            "through",
            "lib.jar",
            "opened",
            200L,
            "open",
            0L));
    take("offcut.ResourceStatistics", counts);
    take("offcut.ResourceSite", row);
    assertThat(titles())
        .hasSize(2)
        .anySatisfy(one -> assertThat(one).startsWith("LATE 200 of 500"));
  }

  private void shape(String type, String freedBy) {
    shape(type);
    Map<String, Object> row = new HashMap<>();
    for (String field : List.of("state", "called", "advice")) {
      row.put(field, "");
    }
    row.putAll(Map.of("class", type, "rule", "org.lib", "holds", "malloc", "freedBy", freedBy));
    take("offcut.WatchedClass", row);
  }

  /** A copy of an argument, which a cleaner frees, is no mistake of the program. */
  @Test
  void whatALibraryMakesAndFrees_isAFindingOnlyIfNobodyFreesIt() {
    owner = "org.lib.Handle\nclose\n";
    shape("org.lib.Copy", "cleaner");
    line("org.lib.Copy", LINE, 0, second -> 20 * second);
    assertThat(titles()).isEmpty();
    owner = "org.lib.Copy\nclose\nreturned ";
    shape("org.lib.Copy", "cleaner");
    line("org.lib.Copy", LINE, 0, second -> 20 * second);
    assertThat(titles()).hasSize(1);
    // Its owner may be closed, or is, so that is no mistake either.
    owner = "org.lib.Owner\nclose\nreturned ";
    line("org.lib.Copy", LINE, 0, second -> 20 * second);
    assertThat(titles()).isEmpty();
    String closed = "closeable:org.lib.Owner";
    take("offcut.ResourceStatistics", Map.of("kind", closed, "opened", 400L, "closed", 400L));
    assertThat(titles()).isEmpty();
    take("offcut.ResourceStatistics", Map.of("kind", closed, "opened", 400L, "closed", 200L));
    assertThat(titles()).hasSize(1);
    owner = "org.lib.Handle\nclose\n";
    shape("org.lib.Copy", "nobody");
    line("org.lib.Copy", LINE, 0, second -> 20 * second);
    assertThat(titles()).hasSize(1);
  }

  /** What a library's thread opens is of whoever owns the thread. */
  @Test
  void whatALibraryOpensInItsThreads_isOfTheThreadsOwner() {
    inThread(SELECTOR, OTHER, second -> second);
    inThread(THREAD, OTHER, second -> 2 * second);
    owner = "org.lib.Client\nclose\n";
    line(THREAD, OTHER, 0, second -> second);
    take(
        "offcut.ResourceStatistics",
        Map.of("kind", "closeable:" + THREAD, "opened", 90L, "open", 90L));
    assertThat(findings().getFirst().text()).contains("end each Client with close().");
    assertThat(titles().getFirst())
        .contains(" of Client opened in threads started at Orders.java:99");
  }

  /** An executor makes its threads when it gets tasks. */
  @Test
  void executorsWithoutThreads_areNoFinding() {
    line("java.util.concurrent.ThreadPoolExecutor", LINE, 0, second -> 4 * second);
    process("threads", second -> 20 + second / 2);
    assertThat(titles()).isEmpty();
    process("threads", second -> 20 + 2 * second);
    assertThat(titles())
        .containsExactly("GROWING 120 ThreadPoolExecutor opened at Orders.java:88 are open");
  }

  /** A sampled line that alone opens a kind has all of them. */
  @Test
  void theOnlyLineOfAKind_hasTheExactNumber() {
    line(FILE, LINE, 0, second -> 10 * second);
    String kind = "closeable:" + FILE;
    take("offcut.ResourceStatistics", Map.of("kind", kind, "opened", 340L, "open", 340L));
    assertThat(titles())
        .containsExactly("GROWING 340 FileInputStream opened at Orders.java:88 are open");
  }

  /** The last account may be taken when the collector has closed what nobody closed. */
  @Test
  void descriptors_areThoseBeforeTheEnd() {
    process("descriptors", second -> 20 + 20 * second);
    Descriptors atEnd = new Descriptors(14, 20_000, List.of(), List.of());
    Account account = GivenAccount.of(1, List.of(), atEnd, List.of());
    builder.accounts(
        new Accounts(List.of(new Accounts.Taken(BEGIN.plusSeconds(SECONDS), account))));
    assertThat(titles())
        .containsExactly("DESCRIPTORS 620 file descriptors are open; the limit is 20,000");
    ending = BEGIN.plusMillis(29_500);
    process("descriptors", second -> second == SECONDS ? 14 : 20 + 20 * second);
    assertThat(titles())
        .containsExactly("DESCRIPTORS 600 file descriptors are open; the limit is 20,000");
  }

  private static Accounts.Taken metaspace(int second, long mib) {
    Account.Row row = new Account.Row(Part.METASPACE, "", mib << 20);
    return new Accounts.Taken(BEGIN.plusSeconds(second), GivenAccount.of(row));
  }

  /** Loaders weigh what their classes do. */
  @Test
  void classLoaders_haveWhatMetaspaceRoseBy() {
    String type = "java.lang.ClassLoader";
    line(type, LINE, 0, second -> 5 * second);
    process("metaspace", second -> (10 + second) << 20);
    builder.accounts(new Accounts(List.of(metaspace(1, 10), metaspace(29, 35))));
    assertThat(titles())
        .containsExactly(
            "GROWING 150 class loaders opened at Orders.java:88 are open: 300 more a minute; most"
                + " likely they hold 25.0 MiB of metaspace");
    builder.accounts(new Accounts(List.of(metaspace(1, 10), metaspace(29, 11))));
    assertThat(titles())
        .first()
        .isEqualTo("GROWING 150 class loaders opened at Orders.java:88 are open");
  }

  /** The JVM knows it, also of those that were there when somebody looked first. */
  @Test
  void classLoaders_haveWhatTheJvmSays() {
    line("java.lang.ClassLoader", LINE, 0, second -> 5 * second);
    Account.Group group = new Account.Group("org.acme.PluginLoader", 160, 32 << 20);
    Account account = GivenAccount.of(1, List.of(group), Descriptors.UNKNOWN, List.of());
    builder.accounts(new Accounts(List.of(new Accounts.Taken(BEGIN.plusSeconds(29), account))));
    assertThat(titles())
        .first()
        .isEqualTo(
            "GROWING 150 class loaders opened at Orders.java:88 are open: 300 more a minute; most"
                + " likely they hold 30.0 MiB of metaspace");
  }
}
