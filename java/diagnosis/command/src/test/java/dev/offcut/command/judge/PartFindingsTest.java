package dev.offcut.command.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Accounts;
import dev.offcut.command.read.Accounts.Taken;
import dev.offcut.command.read.Costs;
import dev.offcut.command.read.Courses;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.GivenAccount;
import dev.offcut.command.read.NativeCallers;
import dev.offcut.command.read.ResidentMemory;
import dev.offcut.command.read.Timeline;
import dev.offcut.resident.Account;
import dev.offcut.resident.Bound;
import dev.offcut.resident.Descriptors;
import dev.offcut.resident.Part;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartFindingsTest {
  /** Of each process, unless a test says another number. */
  private static final int THREADS = 130;

  private static final long MIB = 1L << 20;
  private static final String WEB_APPLICATION = "org.acme.WebApplicationLoader";

  /** The rows of a program that has 100 MiB besides. */
  private static Account account(int threads, List<Account.Group> loaders, Account.Row... rows) {
    return account(threads, loaders, Descriptors.UNKNOWN, rows);
  }

  private static Account account(
      int threads, List<Account.Group> loaders, Descriptors descriptors, Account.Row... rows) {
    List<Account.Row> all = new ArrayList<>(List.of(rows));
    all.add(row(Part.HEAP_USED, "", 100));
    return GivenAccount.of(threads, loaders, descriptors, all);
  }

  private static Account.Row row(Part part, String detail, long mib) {
    return new Account.Row(part, detail, mib * MIB);
  }

  /** One each ten seconds. */
  private static List<Finding> findings(Account... accounts) {
    return findings(new Unclaimed(false), accounts);
  }

  private static List<Finding> findings(Unclaimed unclaimed, Account... accounts) {
    return findings(List.of(), unclaimed, accounts);
  }

  /** {@code sites}: of objects that hold descriptors. */
  private static List<Finding> findings(
      List<Digest.Site> sites, Unclaimed unclaimed, Account... accounts) {
    List<Taken> all = new ArrayList<>();
    for (Account account : accounts) {
      all.add(new Taken(Instant.EPOCH.plusSeconds(10L * all.size()), account));
    }
    Facts facts = facts(sites, new Accounts(all), null);
    List<Finding> found =
        new ArrayList<>(
            PartFindings.of(facts, unclaimed, RiseFindings.of(facts, unknown(sites), unclaimed)));
    found.addAll(LimitFindings.of(facts));
    found.addAll(MallocFindings.of(facts, unclaimed));
    found.addAll(CostFindings.of(facts, new Costs(), false));
    return found;
  }

  private static Facts facts(
      List<Digest.Site> sites, Accounts accounts, @Nullable NativeCallers callers) {
    long resident = accounts.all().getLast().account().resident();
    return new Facts(
        new Digest.Target(1, "a.A", List.of("a.A"), "25", "", 60, "full", 0),
        true,
        new Digest.Memory(resident, 0, null, true, List.of(), List.of(), List.of()),
        List.of(),
        sites.stream().map(PartFindingsTest::rule).toList(),
        sites,
        List.of(),
        List.of(),
        List.of(),
        accounts,
        callers,
        new Timeline());
  }

  private static List<String> titles(Account... accounts) {
    return findings(accounts).stream()
        .map(finding -> finding.severity() + " " + finding.title())
        .toList();
  }

  private static List<Account.Group> loaders(int count, long mib) {
    return List.of(
        new Account.Group("jdk.internal.loader.ClassLoaders$AppClassLoader", 1, 30 * MIB),
        new Account.Group(WEB_APPLICATION, count, mib * MIB));
  }

  private static Account loading(int count, long mib) {
    return account(
        30, loaders(count, mib), row(Part.METASPACE, "", 40), row(Part.LIBRARIES, "", 100));
  }

  @Test
  void allocators_ofALibrary_areOpen() {
    assertThat(
            titles(
                account(
                    30,
                    List.of(),
                    row(Part.MALLOC_USED, "", 14),
                    row(Part.ALLOCATOR, "jemalloc in libduckdb.so", 300))))
        .containsExactly("OPEN 300.0 MiB belong to jemalloc in libduckdb.so");
  }

  @Test
  void allocators_thatNobodyCouldRead_areSaidToBeWhatIsLeft() {
    Account.Row unread = row(Part.ALLOCATOR_UNREAD, "jemalloc in libduckdb.so", 300);
    assertThat(titles(account(30, List.of(), row(Part.MALLOC_USED, "", 14), unread)))
        .containsExactly("OPEN 300.0 MiB may belong to jemalloc in libduckdb.so");
    assertThat(ResidentMemory.remarks(account(30, List.of(), unread), Duration.ZERO))
        .contains(
            "The line `allocator, or unexplained` is memory that no other line claims. The"
                + " program has an allocator whose tables could not be read, so part of this"
                + " memory may be the allocator's.");
    Account.Row read = row(Part.ALLOCATOR, "jemalloc in libduckdb.so", 1);
    assertThat(ResidentMemory.remarks(account(30, List.of(), read), Duration.ZERO))
        .noneMatch(remark -> remark.contains("allocator"));
  }

  /** One that replaces malloc has what the JVM takes, too. */
  @Test
  void allocators_inThePlaceOfMalloc_areOpenWithoutTheJvms() {
    Account.Row jemalloc = row(Part.ALLOCATOR, "jemalloc in libjemalloc.so.2", 20);
    assertThat(titles(account(30, List.of(), jemalloc))).isEmpty();
    Account.Row more = row(Part.ALLOCATOR, "jemalloc in libjemalloc.so.2", 100);
    assertThat(titles(account(0, List.of(), more)))
        .containsExactly("OPEN about 88.0 MiB belong to jemalloc in libjemalloc.so.2");
  }

  /** How far off the samples may be says nothing of another allocator. */
  @Test
  void allocators_beside_samplesWithAMargin_keepTheirBytes() {
    Account account =
        account(
            1,
            List.of(),
            row(Part.MALLOC_USED, "", 60),
            row(Part.ALLOCATOR, "jemalloc in liba.so", 100));
    assertThat(allocator(account, 1)).isEqualTo(100 * MIB);
    assertThat(allocator(account, 64 * MIB)).isEqualTo(100 * MIB);
  }

  private static NativeCallers callers(long interval, long jvm, long compiler) {
    return callers(interval, jvm, compiler, List.of());
  }

  private static NativeCallers callers(
      long interval, long jvm, long compiler, List<NativeCallers.Series> series) {
    return new NativeCallers(
        "",
        interval,
        Instant.EPOCH,
        Instant.EPOCH,
        List.of(),
        jvm,
        compiler,
        0,
        0,
        List.of(),
        series,
        List.of(),
        List.of());
  }

  /** Its compiler takes some MiB more while it compiles; no line of the program has them. */
  @ParameterizedTest
  @CsvSource({"12, 20, false", "12, 1, true", "17, 20, true"})
  void malloc_thatTheJvmHas_isAFindingIfItIsMuch(long rise, long jvm, boolean isTold) {
    Account account = account(30, List.of(), row(Part.MALLOC_USED, "", 26));
    Accounts accounts = new Accounts(List.of(new Taken(Instant.EPOCH, account)));
    Facts none = facts(List.of(), accounts, callers(1, jvm * MIB, 0));
    Digest.Growth growth =
        new Digest.Growth(Part.MALLOC_USED.title(), rise * MIB, 14, 59 * MIB, 5 * MIB, 88 * MIB);
    Facts facts =
        new Facts(
            none.target(),
            true,
            new Digest.Memory(
                account.resident(), 0, null, true, List.of(), List.of(), List.of(growth)),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            accounts,
            none.callers(),
            new Timeline());
    assertThat(NativeFindingsTest.kinds(facts, new Unclaimed(false))).hasSize(isTold ? 1 : 0);
  }

  private static String kept(long ofCompiler) {
    Account account = account(30, List.of(), row(Part.MALLOC_TRIMMABLE, "", 80));
    Accounts accounts = new Accounts(List.of(new Taken(Instant.EPOCH, account)));
    Facts facts = facts(List.of(), accounts, callers(1, 0, ofCompiler * MIB));
    return MallocFindings.of(facts, new Unclaimed(false)).getFirst().title();
  }

  @Test
  void kept_whatTheCompilerFreed_isSaid() {
    assertThat(kept(79)).isEqualTo("80.0 MiB of free memory that malloc keeps");
    assertThat(kept(80))
        .isEqualTo("80.0 MiB of free memory that malloc keeps, most likely of the JVM's compiler");
  }

  /** One sample stands for so many bytes. */
  private static long allocator(Account account, long interval) {
    NativeCallers callers = callers(interval, 40 * MIB, 0);
    Accounts accounts = new Accounts(List.of(new Taken(Instant.EPOCH, account)));
    Facts facts = facts(List.of(), accounts, callers);
    return MallocFindings.allocatorRows(facts, account).stream()
        .mapToLong(Account.Row::bytes)
        .sum();
  }

  /** Rules name the objects, and a profiler the lines; what was used is not proposed again. */
  @Test
  void malloc_thatNobodyClaims_proposesRulesUnlessTheyWereUsed() {
    Account account = account(30, List.of(), row(Part.MALLOC_USED, "", 300));
    Finding finding = findings(account).getFirst();
    assertThat(finding.title()).contains("of malloc memory in use");
    assertThat(finding.text()).contains("To do: run it with --rules on, which");
    assertThat(findings(new Unclaimed(true), account).getFirst().text())
        .contains("To do: sample malloc, which names the lines")
        .doesNotContain("--rules");
  }

  @Test
  void peak_outsideOfTheHeap_isANoteWithWhatItWas() {
    Account low = account(30, List.of(), row(Part.MALLOC_USED, "", 14));
    Account high = account(30, List.of(), row(Part.MALLOC_USED, "", 90));
    assertThat(titles(low, high, low))
        .containsExactly("NOTE 190.0 MiB were resident 10.0 s after the first measurement");
    assertThat(findings(low, high, low).getFirst().text())
        .isEqualTo(
            "At the end 114.0 MiB were. Near the peak there was more of: malloc, in use"
                + " (76.0 MiB).");
    Account heap =
        account(30, List.of(), row(Part.MALLOC_USED, "", 14), row(Part.HEAP_FREE, "", 9));
    assertThat(titles(low, heap, low)).isEmpty();
  }

  /** What a line had is free by the end, so no other finding tells of it. */
  @Test
  void peak_hasTheLineThatHadMost() {
    Account low = account(30, List.of(), row(Part.MALLOC_USED, "", 14));
    Account high = account(30, List.of(), row(Part.MALLOC_USED, "", 90));
    List<Taken> all =
        List.of(
            new Taken(Instant.EPOCH, low),
            new Taken(Instant.EPOCH.plusSeconds(10), high),
            new Taken(Instant.EPOCH.plusSeconds(20), low));
    String line = "com.acme.Reports.save(Reports.java:31)";
    List<NativeCallers.Series> series =
        List.of(
            new NativeCallers.Series("com.acme.Main.main(Main.java:1)", 2 * MIB, List.of()),
            new NativeCallers.Series(line, 70 * MIB, List.of()));
    Facts facts = facts(List.of(), new Accounts(all), callers(1, 0, 0, series));
    Finding peak = CostFindings.of(facts, new Costs(), false).getFirst();
    assertThat(peak.text())
        .endsWith("malloc memory that was allocated at " + line + " had 70.0 MiB.");
    assertThat(peak.at().own()).isEqualTo(line);
  }

  @Test
  void heap_thatIsFreeAndResident_isANote() {
    assertThat(titles(account(30, List.of(), row(Part.HEAP_FREE, "", 64))))
        .containsExactly("NOTE 64.0 MiB of free Java heap stay resident");
    assertThat(titles(account(30, List.of(), row(Part.HEAP_FREE, "", 63)))).isEmpty();
  }

  @Test
  void loaders_thatGetMore_needNoTenth() {
    assertThat(titles(loading(2, 1), loading(39, 18)))
        .containsExactly(
            "LOADERS 39 class loaders of the class "
                + WEB_APPLICATION
                + " hold 18.0 MiB of metaspace");
    assertThat(titles(loading(39, 18), loading(39, 18))).isEmpty();
    assertThat(titles(loading(2, 1), loading(39, 15))).isEmpty();
    assertThat(titles(loading(39, 30))).hasSize(1);
    assertThat(findings(loading(39, 30)).getFirst().text())
        .contains("Loaders that nothing refers to are among them");
  }

  /** A pool of threads fills up while load rises: until it is full, that is a note. */
  @Test
  void threads_thatGetMore_areAFindingFromAFullPoolOn() {
    assertThat(threads(40, 20)).singleElement().asString().startsWith("NOTE 220 threads");
    assertThat(threads(220, 0)).isEmpty();
    assertThat(threads(40, 30)).singleElement().asString().startsWith("THREADS 310 threads");
    assertThat(threads(280, 0)).isEmpty();
  }

  @Test
  void descriptors_nearTheirLimit_areAFinding() {
    assertThat(descriptors(511, 0, 1024)).isEmpty();
    assertThat(descriptors(Descriptors.UNKNOWN.open(), 0, 0)).isEmpty();
    Finding finding = descriptors(512, 0, 1024).getFirst();
    assertThat(finding.title()).isEqualTo("512 file descriptors are open; the limit is 1,024");
    assertThat(finding.text())
        .startsWith(
            "Of them: 511 files, 1 socket. Files that are open several times: app.log (511 times)."
                + " To do: ");
    assertThat(descriptors(2_000, 0, 2_048).getFirst().text())
        .startsWith("Of them: about 1,999 files, about 1 socket.")
        .contains("app.log (about 1,999 times)");
  }

  private static List<String> near(Bound.Of of, long used, long limit) {
    return titles(limited(null, new Bound(of, used, limit)));
  }

  private static Account limited(Account.@Nullable Container container, Bound... bounds) {
    return limited(THREADS, container, bounds);
  }

  private static Account limited(
      int threads, Account.@Nullable Container container, Bound... bounds) {
    List<Account.Row> rows = List.of(row(Part.HEAP_USED, "", 100));
    return GivenAccount.of(threads, rows, container, List.of(bounds));
  }

  @Test
  void limits_thatAreNear_areFindings() {
    assertThat(near(Bound.Of.THREADS, 255, 512)).isEmpty();
    assertThat(near(Bound.Of.THREADS, 256, 512))
        .containsExactly("LIMIT the container has 256 of at most 512 threads and processes");
    assertThat(near(Bound.Of.INOTIFY, 64, 128))
        .containsExactly("LIMIT the process has 64 of at most 128 instances of inotify");
    assertThat(near(Bound.Of.CLASS_SPACE, 512 * MIB, 1024 * MIB))
        .containsExactly("LIMIT class space has 512.0 MiB of at most 1.0 GiB");
    assertThat(near(Bound.Of.METASPACE, 89 * MIB, 100 * MIB)).isEmpty();
    assertThat(near(Bound.Of.METASPACE, 90 * MIB, 100 * MIB))
        .containsExactly("LIMIT metaspace has 90.0 MiB of at most 100.0 MiB");
  }

  /** The account knows the limit, and the agent what is used: here nothing. */
  @Test
  void limit_ofDirectMemory_isJudgedByWhatIsCounted() {
    assertThat(near(Bound.Of.DIRECT_MEMORY, -1, 512 * MIB)).isEmpty();
    Account account = limited(null, new Bound(Bound.Of.DIRECT_MEMORY, -1, 512 * MIB));
    Facts none = facts(List.of(), new Accounts(List.of(new Taken(Instant.EPOCH, account))), null);
    Digest.Kind direct =
        new Digest.Kind("buffer.direct", 9, 0, 0, 0, 9, 500 * MIB, 500 * MIB, 0, 0);
    Facts facts =
        new Facts(
            none.target(),
            true,
            none.memory(),
            List.of(direct),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            none.accounts(),
            null,
            new Timeline());
    assertThat(LimitFindings.of(facts))
        .extracting(Finding::title)
        .containsExactly("direct buffers have 500.0 MiB of at most 512.0 MiB");
  }

  /** What comes next fails; and a known finding of one limit does not hide another. */
  @Test
  void limit_thatIsNearlyReached_comesFirst_andHasAName() {
    Finding full = findings(limited(null, new Bound(Bound.Of.CLASS_SPACE, 90, 100))).getFirst();
    Finding half = findings(limited(null, new Bound(Bound.Of.CLASS_SPACE, 89, 100))).getFirst();
    assertThat(full.weight()).isEqualTo(Long.MAX_VALUE);
    assertThat(half.weight()).isZero();
    assertThat(full.subject()).isEqualTo("class space");
  }

  /** Other processes of the container may have its memory, and its threads. */
  @Test
  void limit_ofTheContainer_isAFindingIfTheProcessHasHalfOfIt() {
    Bound threads = new Bound(Bound.Of.THREADS, 2L * THREADS + 2, 512);
    assertThat(titles(limited(THREADS + 1, null, threads))).hasSize(1);
    assertThat(titles(limited(THREADS, null, threads))).isEmpty();
    assertThat(titles(limited(new Account.Container(200 * MIB, 190 * MIB, 10 * MIB, 0))))
        .containsExactly("LIMIT the container has 180.0 MiB of at most 200.0 MiB of memory");
    assertThat(titles(limited(new Account.Container(200 * MIB, 190 * MIB, 11 * MIB, 0)))).isEmpty();
    assertThat(titles(limited(new Account.Container(201 * MIB, 201 * MIB, 0, 0)))).isEmpty();
    assertThat(titles(limited(new Account.Container(-1, 190 * MIB, 0, 0)))).isEmpty();
  }

  @Test
  void descriptors_thatGetMore_areAFindingAndWhenTheLimitIsReached() {
    assertThat(descriptors(100, 10, 100_000)).isEmpty();
    Finding finding = descriptors(100, 60, 100_000).getFirst();
    assertThat(finding.severity()).isEqualTo(Finding.Severity.DESCRIPTORS);
    assertThat(finding.title()).isEqualTo("640 file descriptors are open; the limit is 100,000");
    assertThat(finding.text())
        .contains(
            "There are 360 more than 60.0 s before, a rise of 360 a minute. At that rate the limit"
                + " is reached in 04:36:00,");
    assertThat(descriptors(100, 60, 0).getFirst().text()).doesNotContain("limit");
  }

  /** Ten accounts, each with so many more than the one before. */
  private static Digest.Closeable rule(Digest.Site site) {
    return new Digest.Closeable(site.kind(), "the JDK", "", "nobody", "descriptor", "close each");
  }

  private static List<Courses.Course> unknown(List<Digest.Site> sites) {
    return sites.stream().map(site -> Courses.Course.UNKNOWN).toList();
  }

  /** A line that opened two of hundreds is innocent. */
  @Test
  void descriptors_nameALine_onlyIfItOpenedMany() {
    assertThat(ofLine(2)).doesNotContain("Orders.java");
    assertThat(ofLine(400)).contains("400 FileInputStream opened at a.Orders.load(Orders.java:8)");
  }

  private static String ofLine(int open) {
    List<String> frames = List.of("a.Orders.load(Orders.java:8)");
    String kind = "closeable:java.io.FileInputStream";
    Digest.Site site = new Digest.Site(kind, frames, open, 0, 0, 0, open, 0, 0, open, true, null);
    return findings(List.of(site), new Unclaimed(false), accounts(600, 0, 1_024)).getFirst().text();
  }

  private static List<Finding> descriptors(int first, int more, long limit) {
    return findings(accounts(first, more, limit));
  }

  private static Account[] accounts(int first, int more, long limit) {
    Account[] accounts = new Account[10];
    for (int i = 0; i < accounts.length; i++) {
      int open = first + i * more;
      Descriptors its =
          new Descriptors(
              open,
              limit,
              List.of(new Account.Group("file", open - 1, 0), new Account.Group("socket", 1, 0)),
              List.of(new Account.Group("/var/log/app.log", open - 1, 0)));
      accounts[i] = account(1, List.of(), its);
    }
    return accounts;
  }

  private static List<String> threads(int first, int more) {
    Account[] accounts = new Account[10];
    for (int i = 0; i < accounts.length; i++) {
      accounts[i] = account(first + i * more, List.of(), row(Part.STACKS, "", 5));
    }
    return titles(accounts);
  }
}
