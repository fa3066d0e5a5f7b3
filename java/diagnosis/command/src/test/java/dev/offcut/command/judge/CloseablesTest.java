package dev.offcut.command.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Accounts;
import dev.offcut.command.read.Accounts.Taken;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.DigestBuilder;
import dev.offcut.command.read.GivenAccount;
import dev.offcut.command.read.GivenFields;
import dev.offcut.command.read.Holders;
import dev.offcut.command.read.KnownLibraries;
import dev.offcut.command.show.HoldersText;
import dev.offcut.command.show.RulesText;
import dev.offcut.resident.Account;
import dev.offcut.resident.Descriptors;
import dev.offcut.resident.Part;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told of objects of classes that rules name, by rows as the agent publishes them. */
class CloseablesTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_000);
  private static final long MIB = 1L << 20;
  private static final String LINE = "com.acme.Orders.load(Orders.java:88)";

  private static final String DEFLATER = "closeable:java.util.zip.Deflater";

  private final DigestBuilder builder = new DigestBuilder();

  /** Those of the agent. */
  private String options = "";

  private void take(String name, String names, Object... values) {
    builder.take(GivenFields.of(name, NOW, names, values));
  }

  /** Objects of a class; each is open or lost. */
  private void objects(String type, long lost, long open) {
    String kind = "closeable:" + type;
    long all = lost + open;
    take("offcut.ResourceStatistics", "kind opened lost open", kind, all, lost, open);
    String stack = "org.rocksdb.RocksDB.newIterator(RocksDB.java:1)\n" + LINE;
    String counts = "kind site line opened lost open samples";
    take("offcut.ResourceSite", counts, kind, stack, 1L, all, lost, open, all);
  }

  private void watched(String library, String type, String state) {
    take("offcut.WatchedClass", "rule class state detail", library, type, state, "why");
  }

  private void agent() {
    String names = "level version sampleEvery options";
    take("offcut.AgentConfiguration", names, "full", "", 1L, options);
  }

  private static Account.Row row(Part part, String detail, long mib) {
    return new Account.Row(part, detail, mib * MIB);
  }

  /** With 100 MiB of heap, too. */
  private Digest digest(Account.Row... rows) {
    return digest(0, rows);
  }

  private Digest digest(int threads, Account.Row... rows) {
    agent();
    if (rows.length > 0) {
      List<Account.Row> all = new ArrayList<>(List.of(rows));
      all.add(row(Part.HEAP_USED, "", 100));
      Account account = GivenAccount.of(threads, List.of(), Descriptors.UNKNOWN, all);
      builder.accounts(new Accounts(List.of(new Taken(NOW, account))));
    }
    return builder.digest(true);
  }

  private static List<String> titles(Digest digest) {
    return digest.findings().stream().map(one -> one.severity() + " " + one.title()).toList();
  }

  @Test
  void mallocThatCannotBeRead_isALimit() {
    assertThat(digest(row(Part.MALLOC_USED, "", 50)).limits())
        .noneMatch(one -> one.contains("read"));
    assertThat(digest(row(Part.MALLOC_UNREAD, "", 50)).limits())
        .contains(
            "50.0 MiB of malloc could not be read. How much of it is in use, and how much of that is"
                + " not tracked, is not known.");
  }

  @Test
  void allocatorThatCannotBeRead_isALimit() {
    String name = "jemalloc in libduckdb.so";
    assertThat(digest(row(Part.ALLOCATOR, name, 50)).limits())
        .noneMatch(one -> one.contains("read"));
    assertThat(digest(row(Part.ALLOCATOR_UNREAD, name, 50)).limits())
        .contains(
            "50.0 MiB may belong to an allocator whose tables could not be read (jemalloc in"
                + " libduckdb.so). How much of it is in use, and how much of that is not tracked, is"
                + " not known.");
    assertThat(digest(row(Part.ALLOCATOR_UNREAD, "", 3)).limits())
        .anyMatch(one -> one.contains("whose tables could not be read. How"));
  }

  @Test
  void holders_sayOfWhichClassesNobodyCountsTheObjects() {
    Holders none = Holders.of(List.of());
    assertThat(HoldersText.of(none, digest(), false).replaceAll("\\s+", " "))
        .contains("Nobody counted objects of classes that rules name, so the command did not look");
    watched("RocksDB", "org.rocksdb.RocksDB", "counted");
    watched("mine", "com.acme.Unused", "not loaded");
    assertThat(HoldersText.of(none, digest(), false)).doesNotContain("Nobody");
    watched("mine", "com.acme.A", "not understood");
    assertThat(HoldersText.of(none, digest(), false).replaceAll("\\s+", " "))
        .contains("Nobody counted com.acme.A, so the command did not look for these.");
    for (String one : List.of("B", "C", "D")) {
      watched("mine", "com.acme." + one, "not rewritten");
    }
    assertThat(HoldersText.of(none, digest(), false).replaceAll("\\s+", " "))
        .contains("counted com.acme.A, com.acme.B, com.acme.C, 1 more of rules, so");
  }

  /** The true cause is the first finding, and nothing says the same once more. */
  @Test
  void lost_withMallocThatNothingClaims_isTheFirstFinding() {
    watched("RocksDB", "org.rocksdb.RocksIterator", "counted");
    watched("RocksDB", "org.rocksdb.ReadOptions", "counted");
    objects("org.rocksdb.RocksIterator", 12_400, 3);
    objects("org.rocksdb.ReadOptions", 2, 0);
    Digest digest = digest(row(Part.MALLOC_USED, "", 242), row(Part.MALLOC_TRIMMABLE, "", 200));
    assertThat(titles(digest))
        .containsExactly(
            "LOST 12,400 RocksIterator of RocksDB opened at Orders.java:88 were never closed and"
                + " can no"
                + " longer be closed; most likely they hold about 230.0 MiB of malloc memory",
            "KEPT 200.0 MiB of free memory that malloc keeps",
            "NOTE 2 ReadOptions of RocksDB opened at Orders.java:88 were never closed and can no"
                + " longer be closed");
    Finding first = digest.findings().getFirst();
    assertThat(first.bytes()).isEqualTo(230 * MIB);
    assertThat(first.confidence()).isEqualTo(Finding.Confidence.ESTIMATED);
    assertThat(first.text())
        .contains(
            "No other counted resource accounts for this memory. These objects most likely hold it,"
                + " together with 2 ReadOptions"
                + " that are lost. It is not known how much each of them holds.",
            "12,400 were opened at " + LINE)
        .endsWith(
            "To do: close each in try-with-resources; RocksDB frees nothing by itself since"
                + " version 6.");
    assertThat(digest.leaks()).isNotEmpty();
  }

  /** Without bytes many come before what is small, and few behind. */
  @Test
  void lost_withoutBytes_standsByItsNumber() {
    watched("RocksDB", "org.rocksdb.RocksIterator", "counted");
    objects("org.rocksdb.RocksIterator", 4_000, 0);
    Account.Row[] rows = {row(Part.MALLOC_USED, "", 20), row(Part.MALLOC_TRIMMABLE, "", 40)};
    assertThat(titles(digest(rows)).getFirst())
        .startsWith(
            "LOST 4,000 RocksIterator of RocksDB opened at Orders.java:88 were never closed");
  }

  /** A title names a line only if it is that of most. */
  @Test
  void lost_atSeveralLines_namesTheLineOfMost() {
    watched("RocksDB", "org.rocksdb.RocksIterator", "counted");
    String kind = "closeable:org.rocksdb.RocksIterator";
    take("offcut.ResourceStatistics", "kind opened lost", kind, 100L, 100L);
    lostAt(kind, LINE, 60);
    lostAt(kind, "com.acme.Orders.list(Orders.java:99)", 40);
    assertThat(titles(digest()))
        .containsExactly(
            "LOST 100 RocksIterator of RocksDB, most opened at Orders.java:88, were never closed"
                + " and"
                + " can no longer be closed");
    lostAt(kind, LINE, 40);
    lostAt(kind, "com.acme.Orders.last(Orders.java:110)", 20);
    assertThat(titles(digest()))
        .containsExactly(
            "LOST 100 RocksIterator of RocksDB were never closed and can no longer be closed");
  }

  private void lostAt(String kind, String line, long lost) {
    take("offcut.ResourceSite", "kind site opened lost samples", kind, line, lost, lost, lost);
  }

  @Test
  void open_fewWithMalloc_areNamedAndNotBlamed() {
    watched("RocksDB", "org.rocksdb.LRUCache", "counted");
    objects("org.rocksdb.LRUCache", 0, 1);
    Digest digest = digest(row(Part.MALLOC_USED, "", 242));
    assertThat(digest.findings()).hasSize(1);
    Finding open = digest.findings().getFirst();
    assertThat(open.title()).contains("about 230.0 MiB of malloc memory in use");
    assertThat(open.text()).contains("Open objects that may hold this memory: 1 LRUCache.");
  }

  /** A program has some open for each of its jars. One holds at most 50 KiB. */
  @ParameterizedTest
  @ValueSource(ints = {3, 60})
  void open_fewInflaters_areNotNamed(int count) {
    watched("the JDK", "java.util.zip.Inflater", "counted");
    objects("java.util.zip.Inflater", 0, count);
    Digest digest = digest(row(Part.MALLOC_USED, "", 242));
    assertThat(titles(digest).getFirst()).doesNotContain("Inflater");
    assertThat(digest.findings().getFirst().text()).doesNotContain("Inflater");
  }

  @Test
  void open_manyInflaters_areTheFinding() {
    watched("the JDK", "java.util.zip.Inflater", "counted");
    objects("java.util.zip.Inflater", 0, 3_000);
    assertThat(titles(digest(row(Part.MALLOC_USED, "", 242))).getFirst())
        .startsWith("OPEN 3,000 Inflater open");
  }

  @Test
  void open_manyWithMalloc_areTheFinding() {
    watched("ONNX Runtime", "ai.onnxruntime.OrtSession", "counted");
    objects("ai.onnxruntime.OrtSession", 0, 60);
    assertThat(titles(digest(row(Part.MALLOC_USED, "", 242))))
        .containsExactly(
            "OPEN 60 OrtSession of ONNX Runtime opened at Orders.java:88 are open; most likely they hold about 230.0 MiB of"
                + " malloc memory");
  }

  @Test
  void allocator_isThatOfTheLibraryWithItsName() {
    watched("DuckDB", "org.duckdb.DuckDBConnection", "counted");
    watched("RocksDB", "org.rocksdb.RocksIterator", "counted");
    objects("org.duckdb.DuckDBConnection", 0, 60);
    objects("org.rocksdb.RocksIterator", 10, 0);
    String jemalloc = "jemalloc in libduckdb.so";
    assertThat(titles(digest(row(Part.MALLOC_USED, "", 14), row(Part.ALLOCATOR, jemalloc, 300))))
        .containsExactly(
            "OPEN 60 DuckDBConnection of DuckDB opened at Orders.java:88 are open; most likely they hold about 300.0 MiB of "
                + jemalloc,
            "LOST 10 RocksIterator of RocksDB opened at Orders.java:88 were never closed and can"
                + " no longer"
                + " be closed");
  }

  /** Arrow's buffers are blocks of Unsafe, which are counted by themselves. */
  @Test
  void lost_whoseMemoryIsOfAnotherKind_tellsThatOnce() {
    watched("Apache Arrow", "org.apache.arrow.memory.UnsafeAllocationManager", "counted");
    objects("org.apache.arrow.memory.UnsafeAllocationManager", 2_400, 0);
    String counts = "kind opened open bytes";
    take("offcut.ResourceStatistics", counts, "unsafe", 2_400L, 2_400L, 38 * MIB);
    assertThat(titles(digest(row(Part.MALLOC_USED, "", 50))))
        .containsExactly(
            "LOST 2,400 Arrow buffers of Apache Arrow opened at Orders.java:88 were never closed"
                + " and"
                + " can no longer be closed; most likely they hold 38.0 MiB of Unsafe blocks");
  }

  /** Buffers are parts of a pool, whose memory is counted as another kind. */
  @Test
  void lost_partsOfAPool_haveItsMemory() {
    watched("Netty", "io.netty.buffer.PooledDirectByteBuf", "counted");
    objects("io.netty.buffer.PooledDirectByteBuf", 4_000, 2);
    pool("arena.shared", "io.netty.buffer.PoolArena.newChunk(PoolArena.java:1)");
    assertThat(titles(digest(row(Part.MALLOC_USED, "", 14))))
        .containsExactly(
            "LOST 4,000 Netty buffers of Netty opened at Orders.java:88 were never closed and can no"
                + " longer be closed; most likely they hold 64.0 MiB of shared arenas in their pool");
  }

  @Test
  void lost_partsOfAPool_haveNoMemoryOfAnother() {
    watched("Netty", "io.netty.buffer.PooledDirectByteBuf", "counted");
    objects("io.netty.buffer.PooledDirectByteBuf", 4_000, 2);
    pool("arena.shared", "com.acme.Cache.open(Cache.java:1)");
    assertThat(titles(digest(row(Part.MALLOC_USED, "", 14))))
        .hasSize(2)
        .first()
        .isEqualTo("OPEN 16 shared arenas open: 64.0 MiB");
  }

  private void pool(String kind, String frame) {
    pool(kind, frame, 16, 64 * MIB);
  }

  private void pool(String kind, String frame, long open, long bytes) {
    take("offcut.ResourceStatistics", "kind opened open bytes", kind, open, open, bytes);
    long line = KnownLibraries.own(List.of(frame, LINE));
    String stack = frame + "\n" + LINE;
    String counts = "kind opened open bytes samples site line";
    take("offcut.ResourceSite", counts, kind, open, open, bytes, open, stack, line);
  }

  @Test
  void lostArenas_withoutBytes_haveTheMappedFiles() {
    take("offcut.ResourceStatistics", "kind opened lost", "arena.shared", 20L, 20L);
    Digest digest = digest(row(Part.FILES, "/tmp/cache0", 80));
    assertThat(titles(digest))
        .containsExactly("LOST 20 shared arenas lost, and 80.0 MiB of mapped files are resident");
    assertThat(digest.findings().getFirst().text())
        .contains("most likely files are mapped into them. The largest is cache0 (80.0 MiB).");
    assertThat(digest.findings().getFirst().bytes()).isEqualTo(80 * MIB);
  }

  /** Lost with bytes of their own, they say nothing of files. */
  @Test
  void lostArenas_withBytes_leaveMappedFilesToThemselves() {
    String counts = "kind opened lost lostBytes";
    take("offcut.ResourceStatistics", counts, "arena.shared", 20L, 20L, 20 * MIB);
    assertThat(titles(digest(row(Part.FILES, "/tmp/cache0", 80))))
        .containsExactly(
            "LOST 20 shared arenas lost: 20.0 MiB never freed",
            "NOTE 80.0 MiB of mapped files are resident");
  }

  /** One arena of a library's may have mapped all of them. */
  @Test
  void mappedFiles_thatWereDeleted_andTheArenaThatMayHoldThem() {
    pool("arena.shared", "com.acme.Index.open(Index.java:39)", 1, 0);
    List<Account.Row> rows = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      rows.add(row(Part.FILES, "/index/_" + i + ".dvd" + (i == 0 ? "" : " (deleted)"), 2));
    }
    rows.add(row(Part.FILES, "", 1));
    rows.add(row(Part.UNEXPLAINED, "", 1));
    Digest digest = digest(rows.toArray(Account.Row[]::new));
    assertThat(titles(digest)).containsExactly("MAPPED 81.0 MiB of mapped files are resident");
    assertThat(digest.findings().getFirst().text())
        .contains("The largest are _0.dvd (2.0 MiB), _1.dvd (2.0 MiB), ")
        .contains("37 more files have at least 1 MiB.")
        .contains("39 of these files were deleted and are still mapped: 78.0 MiB.")
        .contains(
            "1 shared arena is open without bytes of its own, so files may be mapped into it; it"
                + " was opened at com.acme.Index.open(Index.java:39).");
    assertThat(digest.memory().parts())
        .filteredOn(part -> part.part().startsWith("mapped files"))
        .hasSize(11)
        .endsWith(new Digest.Part("mapped files", 61 * MIB));
    assertThat(digest.memory().parts().stream().mapToLong(Digest.Part::bytes).sum())
        .isEqualTo(digest.memory().resident());
  }

  /** Freed late, all at once: malloc keeps it, and that is told once. */
  @Test
  void late_whatMallocKeeps_isTheirs() {
    watched("the JDK", "java.util.zip.Deflater", "counted");
    take("offcut.ResourceStatistics", "kind opened collected", DEFLATER, 2_000L, 2_000L);
    Digest digest = digest(row(Part.MALLOC_USED, "", 14), row(Part.MALLOC_TRIMMABLE, "", 190));
    assertThat(titles(digest))
        .containsExactly(
            "LATE 2,000 of 2,000 Deflater left to the collector; malloc keeps 190.0 MiB");
    assertThat(digest.findings().getFirst().bytes()).isEqualTo(190 * MIB);
  }

  @Test
  void kept_ofWhatTheProgramClosed_isNobodysMistake() {
    watched("the JDK", "java.util.zip.Deflater", "counted");
    take("offcut.ResourceStatistics", "kind opened collected", DEFLATER, 20_000L, 150L);
    assertThat(titles(digest(row(Part.MALLOC_USED, "", 14), row(Part.MALLOC_TRIMMABLE, "", 190))))
        .containsExactly("KEPT 190.0 MiB of free memory that malloc keeps");
  }

  @Test
  void automaticArenas_areLateIfTheyAreAFlood() {
    automatic(9_000);
    assertThat(titles(digest())).isEmpty();
    automatic(50_000);
    assertThat(titles(digest()))
        .containsExactly("LATE 50,000 of 50,000 automatic arenas left to the collector");
  }

  private void automatic(long all) {
    take("offcut.ResourceStatistics", "kind opened collected", "arena.automatic", all, all);
  }

  @Test
  void threads_many_areToldWithTheirLine() {
    watched("the JDK", "java.lang.Thread", "counted");
    objects("java.lang.Thread", 0, 800);
    Digest digest = digest(830, row(Part.STACKS, "", 60));
    assertThat(titles(digest)).containsExactly("THREADS 830 threads have 60.0 MiB of stacks");
    assertThat(digest.findings().getFirst().text())
        .contains("800 threads opened at " + LINE + " are open.");
  }

  /** What is not watched is no reason for good news. */
  @Test
  void watchedClass_thatIsNotCounted_isALimit() {
    watched("RocksDB", "org.rocksdb.RocksIterator", "counted");
    watched("--watch", "com.acme.NativeThing", "not loaded");
    Digest digest = digest();
    assertThat(digest.limits())
        .containsExactly("com.acme.NativeThing is not counted (not loaded): why.");
    assertThat(digest.coverage().watched())
        .endsWith("objects of RocksDB that the program must close");
    assertThat(digest.coverage().allUnwatched()).contains("`--watch CLASS` tracks a class");
  }

  @Test
  void watchedClass_manyThatAreNot_areCounted() {
    for (int i = 0; i < 5; i++) {
      watched("RocksDB", "org.rocksdb.Class" + i, "not understood");
    }
    assertThat(digest().limits())
        .hasSize(4)
        .last()
        .asString()
        .startsWith("2 more classes of rules are not counted");
  }

  /** One proof is that of all: one sentence tells of it. */
  @Test
  void refutedCounts_areLeftOut_andSaidOnce() {
    for (String type : List.of("org.rocksdb.RocksIterator", "org.rocksdb.LRUCache")) {
      watched("RocksDB", type, "counted");
      String counts = "kind opened lost proof";
      take("offcut.ResourceStatistics", counts, "closeable:" + type, 60L, 60L, "refuted");
    }
    Digest digest = digest();
    assertThat(digest.kinds()).isEmpty();
    assertThat(titles(digest)).isEmpty();
    assertThat(digest.limits())
        .containsExactly(
            "The agent counted objects of classes that rules name wrongly on this JDK, so they are"
                + " left out.");
    assertThat(digest.coverage().watched()).noneMatch(one -> one.startsWith("objects of"));
    assertThat(RulesText.matched(digest)).contains("\n" + digest.limits().getFirst());
  }

  @Test
  void mappedFiles_areWatchedIfTheirRegionsAreCounted() {
    assertThat(digest().coverage().allUnwatched()).contains("buffers of mapped files");
    watched("the JDK", "sun.nio.ch.FileChannelImpl$Unmapper", "counted");
    assertThat(digest().coverage().allUnwatched()).doesNotContain("buffers of mapped files");
  }

  @Test
  void withoutRules_nobodySaysThatClassesAreWatched() {
    Digest digest = digest();
    assertThat(digest.coverage().watched()).noneMatch(one -> one.startsWith("objects of"));
    assertThat(digest.coverage().allUnwatched())
        .endsWith("that the program must close and that have no Cleaner");
  }

  /** What the built-in rules leave out is said, whether a class of theirs was counted or not. */
  @ParameterizedTest
  @CsvSource({"default,true", "file,true", "on,false", "off,false"})
  void classesThatCountOnlyOnRequest_areNotWatched(String rules, boolean leavesOut) {
    options = "level=full,rules=" + rules + ",arenas=on";
    String all = digest().coverage().allUnwatched();
    assertThat(all.contains("JdbcStatement and Statement")).isEqualTo(leavesOut);
    assertThat(all.contains("`--rules on` counts them, too")).isEqualTo(leavesOut);
    assertThat(all.contains("`offcut rules` lists the rules")).isEqualTo(!rules.equals("off"));
  }
}
