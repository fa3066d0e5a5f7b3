package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LONG;

import dev.offcut.agent.Tracking;
import dev.offcut.agent.hooks.ChurningProgram;
import dev.offcut.agent.hooks.HeapProgram;
import dev.offcut.agent.hooks.HoldingProgram;
import dev.offcut.agent.hooks.HookProgram;
import dev.offcut.agent.hooks.Recorded;
import dev.offcut.agent.hooks.SleepingProgram;
import dev.offcut.agent.hooks.TrackedProgram;
import dev.offcut.test.AgentJvm;
import dev.offcut.test.Await;
import dev.offcut.test.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of programs that end, and of those that are killed. */
class TablesTest {
  private static final int KILLS = 12;

  private static final List<String> NUMBERS =
      List.of("opened", "closed", "collected", "lost", "open", "bytes", "openedBytes", "lostBytes");

  private static final long FINALIZERS_OF_A_RECORDING = 4;

  @TempDir private Path folder = Path.of("");

  private static Path only(Path folder) throws Exception {
    try (Stream<Path> files = TableReader.filesIn(folder)) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(1);
      return all.get(0);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void end_saysWhatTheRecordingSays(int version) throws Exception {
    Path tables = Files.createDirectory(folder.resolve("tables ä"));
    ChildJvm jvm = AgentJvm.of(version, "-Dsun.jnu.encoding=UTF-8");
    long before = System.currentTimeMillis();
    Recorded recorded =
        Recorded.run(
            folder,
            jvm.startedBy("env", "LC_ALL=C.UTF-8"),
            TrackedProgram.class,
            "level=full,tables=" + tables,
            4,
            1000,
            "buffer.direct",
            "unsafe",
            "cleaner",
            "finalizer");
    assertThat(recorded.output.said()).isEmpty();
    TableReader reader = TableReader.in(tables);
    assertThat(reader.hasEnded()).isTrue();
    Map<String, List<Long>> published = reader.counts(NUMBERS.toArray(new String[0]));
    Map<String, List<Long>> told = new TreeMap<>();
    for (RecordedEvent event : recorded.kinds().values()) {
      told.put(event.getString("kind"), NUMBERS.stream().map(event::getLong).toList());
    }
    // The recording's own end opens objects that have finalizers, behind the recording's counts.
    List<Long> finalizers = Objects.requireNonNull(published.remove("finalizer"));
    List<Long> toldOfFinalizers = Objects.requireNonNull(told.remove("finalizer"));
    assertThat(finalizers.get(0))
        .isBetween(1000L, toldOfFinalizers.get(0) + FINALIZERS_OF_A_RECORDING);
    // Threads end meanwhile.
    published.remove("closeable:java.lang.Thread");
    told.remove("closeable:java.lang.Thread");
    // Its end also reads a folder, which is none of the program's: a kind without an object.
    published.values().removeIf(counts -> counts.get(0) == 0);
    told.values().removeIf(counts -> counts.get(0) == 0);
    assertThat(published).isEqualTo(told).containsKey("buffer.direct");
    assertThat(Objects.requireNonNull(published.get("buffer.direct")).get(0)).isPositive();
    assertThat(places(reader)).isEqualTo(places(recorded)).isNotEmpty();
    Map<String, Object> configuration = reader.rows("offcut.AgentConfiguration").get(0);
    assertThat(configuration).containsEntry("level", "full").containsEntry("startFailure", "");
    assertThat(TableReader.number(reader.rows("jdk.JVMInformation").get(0), "jvmStartTime"))
        .isBetween(before, System.currentTimeMillis());
    assertThat(TableReader.number(reader.rows("offcut.ProcessMemory").get(0), "resident"))
        .isPositive();
    List<Map<String, Object>> series = reader.rows("offcut.Series");
    for (String figure :
        List.of(
            "resident", "anonymous", "file", "threads", "descriptors", "classes", "metaspace")) {
      assertThat(TableReader.number(series.get(series.size() - 1), figure)).as(figure).isPositive();
    }
    Map<String, Object> first = series.get(0);
    assertThat(TableReader.number(first, "resident")).isPositive();
    assertThat(TableReader.number(first, "heap")).as("before the program began").isEqualTo(-1);
  }

  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void end_isBehindTheProgramsOwnHooks(int version) throws Exception {
    Path tables = Files.createTempDirectory(folder, "hooks");
    Process program =
        AgentJvm.of(version, AgentJvm.agent("level=full,tables=" + tables))
            .classPath(AgentJvm.classes())
            .and(HookProgram.class.getName())
            .start();
    assertThat(program.waitFor()).isZero();
    TableReader reader = TableReader.in(tables);
    assertThat(reader.hasEnded()).isTrue();
    assertThat(reader.counts("closed", "open")).containsEntry("cleaner", List.of(1L, 0L));
  }

  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void fleet_hasCopiesWithoutArguments_andTheLastOneAtTheEnd(int version) throws Exception {
    Path fleet = folder.resolve("fleet");
    Path copies = fleet.resolve("incoming/service=orders/version=1.4.2/host=h1");
    Process program =
        AgentJvm.of(
                version,
                AgentJvm.agent(
                    "level=full,fleet.every=1s,fleet.service=orders,fleet.version=1.4.2,"
                        + "fleet.host=h1,fleet="
                        + fleet))
            .classPath(AgentJvm.classes())
            .and(HoldingProgram.class.getName(), 1, 1, "a password")
            .start();
    // The first is deleted when the third is there.
    Await.until(
        "the third copy",
        () ->
            Files.isDirectory(copies)
                && names(copies).stream().anyMatch(name -> name.endsWith("-3.tables")));
    program.getOutputStream().close();
    assertThat(program.waitFor()).isZero();
    List<String> names = names(copies);
    assertThat(names)
        .hasSize(2)
        .allMatch(name -> name.matches(program.pid() + "-[0-9]{13}-[0-9]+\\.tables"));
    List<Path> ended = new ArrayList<>();
    for (String name : names) {
      Path copy = copies.resolve(name);
      TableReader reader = TableReader.of(copy);
      if (reader.hasEnded()) {
        ended.add(copy);
      }
      assertThat(reader.rows("jdk.JVMInformation").get(0))
          .containsEntry("javaArguments", HoldingProgram.class.getName());
      assertThat(new String(Files.readAllBytes(copy), StandardCharsets.ISO_8859_1))
          .doesNotContain("password");
      assertThat(reader.rows("offcut.ResourceStatistics")).isNotEmpty();
    }
    assertThat(ended).hasSize(1);
  }

  @Test
  void fleet_isAFile_isSaidOnceAndTheProgramRuns() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    ChildJvm.Output output =
        AgentJvm.with(
                AgentJvm.agent(
                    "level=full,fleet.every=1s,fleet.service=a,fleet.version=1,fleet=" + file))
            .classPath(AgentJvm.classes())
            .and(SleepingProgram.class.getName(), 3000)
            .run();
    assertThat(output.said()).hasSize(1);
    assertThat(output.said().get(0)).contains("the fleet " + file + " cannot be written to (");
  }

  private static List<String> names(Path folder) throws Exception {
    try (Stream<Path> files = TableReader.filesIn(folder)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> !name.startsWith("."))
          .toList();
    }
  }

  /**
   * The last row of its series, in MiB: what is in use, and was after the last collection; full
   * collections.
   */
  private long[] heap(int version, String collector, int held, int collections, int dropped)
      throws Exception {
    Path tables = Files.createTempDirectory(folder, "heap");
    ChildJvm jvm =
        AgentJvm.of(
            version,
            "-XX:+Use" + collector + "GC",
            "-XX:+PerfDisableSharedMem", // no file has the counters
            "-Xms96m",
            "-Xmn32m",
            "-Xmx96m",
            AgentJvm.agent("level=count,gcatexit=off,native=off,tables=" + tables));
    Process program =
        jvm.classPath(AgentJvm.classes())
            .and(HeapProgram.class.getName(), held, collections, dropped)
            .start();
    assertThat(program.waitFor()).isZero();
    List<Map<String, Object>> series = TableReader.in(tables).rows("offcut.Series");
    Map<String, Object> last = series.get(series.size() - 1);
    long after = TableReader.number(last, "heapAfter");
    return new long[] {
      TableReader.number(last, "heapUsed") >> 20,
      after < 0 ? after : after >> 20,
      TableReader.number(last, "fullPauses")
    };
  }

  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void heap_ofEachCollectorAfterACollection_isWhatItLeft(int version) throws Exception {
    for (String collector : List.of("Serial", "Parallel", "G1")) {
      long[] heap = heap(version, collector, 40, 1, 10);
      assertThat(heap[1]).as("after, %s", collector).isBetween(40L, 44L);
      assertThat(heap[0]).as("used, %s", collector).isBetween(48L, 60L);
      assertThat(heap[2]).as("full, %s", collector).isEqualTo(1);
    }
    assertThat(heap(version, "Z", 20, 1, 1)[1])
        .as("no collector that works meanwhile")
        .isEqualTo(-1);
  }

  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void heap_beforeTheFirstCollection_isKnownButNotWhatItLeft(int version) throws Exception {
    long[] heap = heap(version, "Serial", 10, 0, 0);
    assertThat(heap[0]).isBetween(10L, 30L);
    assertThat(heap[1]).isEqualTo(-1);
  }

  private static Map<String, Long> places(TableReader reader) {
    Map<String, Long> places = new TreeMap<>();
    for (Map<String, Object> row : reader.rows("offcut.ResourceSite")) {
      places.put(row.get("kind") + " " + row.get("site"), TableReader.number(row, "opened"));
    }
    return places;
  }

  private static Map<String, Long> places(Recorded recorded) {
    Map<String, Long> places = new TreeMap<>();
    for (RecordedEvent event : recorded.all("ResourceSite")) {
      places.put(event.getString("kind") + " " + event.getString("site"), event.getLong("opened"));
    }
    return places;
  }

  /** Who waits for a time in the tables has all that was counted before it. */
  @Test
  void time_ofTheTables_isNotLaterThanTheirCounts() throws Exception {
    Path copies = Files.createDirectory(folder.resolve("copies"));
    ChildJvm.Output output =
        AgentJvm.withAgent("level=full")
            .classPath(AgentJvm.classes())
            .and(StampedProgram.class.getName(), copies)
            .run();
    assertThat(output.out()).hasSize(StampedProgram.LOOKS);
    for (int look = 1; look <= StampedProgram.LOOKS; look++) {
      List<Long> opened =
          TableReader.of(copies.resolve(String.valueOf(look)))
              .counts("opened")
              .get("buffer.direct");
      long before = Long.parseLong(output.out().get(look - 1).replace("before ", ""));
      assertThat(opened).as("%s", output).first().asInstanceOf(LONG).isGreaterThanOrEqualTo(before);
    }
  }

  /** A program that opens without end, at moments from before its first tables on. */
  @Test
  void killed_atAnyMoment_leavesTablesThatAddUp() throws Exception {
    Random random = new Random(7);
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int kill = 0; kill < KILLS; kill++) {
        Path tables = Files.createDirectory(folder.resolve("killed" + kill));
        long millis = random.nextInt(2_000);
        boolean isPublished = kill % 3 > 0;
        Callable<Boolean> once = () -> killedAfter(tables, millis, isPublished);
        all.add(threads.submit(once));
      }
      for (int kill = 0; kill < KILLS; kill++) {
        assertThat(all.get(kill).get() || kill % 3 == 0).as("kill %s left rows", kill).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /**
   * Whether there were rows by then.
   *
   * @param millis a random time until it is killed
   * @param isPublished whether it begins when there are rows, and not when the program runs
   */
  private static boolean killedAfter(Path tables, long millis, boolean isPublished)
      throws Exception {
    Process program =
        AgentJvm.withAgent("level=sample,tables=" + tables)
            .classPath(AgentJvm.classes())
            .and(ChurningProgram.class.getName())
            .start();
    try {
      program.getInputStream().read(); // it runs
      if (isPublished) {
        Await.until("rows", () -> hasRows(tables));
      }
      Thread.sleep(millis); // not to wait for anything: all moments are right
    } finally {
      program.destroyForcibly().waitFor();
    }
    try (Stream<Path> files = TableReader.filesIn(tables)) {
      if (files.findAny().isEmpty()) {
        return false;
      }
    }
    if (Files.size(only(tables)) == 0) {
      return false; // made, and nothing written: what says that there are tables comes last
    }
    TableReader reader = TableReader.in(tables);
    assertThat(reader.hasEnded()).isFalse();
    boolean any = false;
    for (Map<String, Object> row : reader.rows("offcut.ResourceStatistics")) {
      any = true;
      long gone =
          TableReader.number(row, "closed")
              + TableReader.number(row, "collected")
              + TableReader.number(row, "lost");
      assertThat(TableReader.number(row, "opened")).as("%s", row).isGreaterThanOrEqualTo(gone);
      assertThat(TableReader.number(row, "open"))
          .as("%s", row)
          .isEqualTo(TableReader.number(row, "opened") - gone);
      assertThat(TableReader.number(row, "bytes"))
          .as("%s", row)
          .isBetween(0L, TableReader.number(row, "openedBytes"));
      assertThat((String) row.get("proof")).isNotEmpty();
    }
    for (Map<String, Object> row : reader.rows("offcut.ResourceSite")) {
      if (!String.valueOf(row.get("kind"))
          .startsWith("closeable:java.")) { // the JDK opens some for itself
        assertThat(String.valueOf(row.get("site"))).contains("ChurningProgram");
      }
      assertThat(TableReader.number(row, "opened"))
          .isGreaterThanOrEqualTo(TableReader.number(row, "open"));
    }
    return any;
  }

  private static boolean hasRows(Path tables) throws Exception {
    try (Stream<Path> files = TableReader.filesIn(tables)) {
      Path file = files.findAny().orElse(null);
      return file != null
          && Files.size(file) > 0
          && !TableReader.of(file).rows("offcut.ResourceStatistics").isEmpty();
    }
  }

  @Test
  void folder_missing_isSaidOnce_andTheProgramRuns() throws Exception {
    Path missing = folder.resolve("missing");
    ChildJvm.Output output =
        AgentJvm.withAgent("level=count,tables=" + missing)
            .classPath(AgentJvm.classes())
            .and(SleepingProgram.class.getName(), 3000)
            .run();
    assertThat(output.said())
        .singleElement()
        .asString()
        .startsWith("offcut: the agent cannot write its tables")
        .contains("missing");
  }

  private static List<Path> tablesIn(Path folder) throws Exception {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".tables")).toList();
    }
  }

  @Test
  void file_nobodyAskedFor_goesWithTheProgram() throws Exception {
    Files.createDirectory(folder.resolve("tmp"));
    ChildJvm jvm =
        AgentJvm.withAgent("level=count")
            .and("-Djava.io.tmpdir=" + folder.resolve("tmp"))
            .classPath(AgentJvm.classes())
            .and(ChurningProgram.class.getName())
            .startedBy("env", "-u", "XDG_RUNTIME_DIR");
    Process program = jvm.start();
    try {
      Await.until("a file", () -> !tablesIn(folder.resolve("tmp")).isEmpty());
      program.destroy();
      program.waitFor();
      assertThat(tablesIn(folder.resolve("tmp"))).isEmpty();
    } finally {
      program.destroyForcibly().waitFor();
    }
  }

  /** Counts are numbers: a text with a number in it would be kept for ever, one for each tick. */
  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void tick_asOftenAsInHours_keepsTheFileAsItIs(int version) throws Exception {
    ChildJvm.Output output = ticking(version, "often").run();
    List<Long> used =
        output.out().stream()
            .filter(line -> line.startsWith("used "))
            .map(line -> Long.valueOf(line.substring("used ".length())))
            .toList();
    assertThat(used).hasSize(2);
    // Rows of the series come until there are as many as it keeps; a text a tick would be 1 MiB.
    assertThat(used.get(1) - used.get(0)).isLessThan(256 << 10);
    TableReader reader = TableReader.in(folder.resolve("tables"));
    assertThat(reader.rows("offcut.WatchedClass"))
        .anySatisfy(
            row -> {
              assertThat((String) row.get("class")).contains("$Hidden");
              assertThat(TableReader.number(row, "notCounted")).isEqualTo(20_000);
            });
  }

  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void tick_aPartFails_theOthersArePublishedAndItIsTriedAgain(int version) throws Exception {
    Process program = ticking(version, "failing").start();
    try (BufferedReader out = program.inputReader(StandardCharsets.UTF_8)) {
      await(out, "failing");
      TableReader reader = TableReader.in(folder.resolve("tables"));
      assertThat(failures(reader))
          .extracting(row -> row.get("part"))
          .containsExactly( // the first, and those that need it
              "resident memory", "threads that free what is unreachable", "figures over time");
      assertThat(failures(reader))
          .allSatisfy(
              row -> {
                assertThat((String) row.get("cause")).contains("NullPointerException");
                assertThat(TableReader.number(row, "count")).isGreaterThanOrEqualTo(3);
              });
      assertThat(opened(reader)).isEqualTo(3);
      program.getOutputStream().write('\n');
      program.getOutputStream().flush();
      await(out, "mended");
      assertThat(failures(TableReader.in(folder.resolve("tables")))).isEmpty();
    } finally {
      program.getOutputStream().close();
      program.waitFor();
    }
  }

  private ChildJvm ticking(int version, String what) throws Exception {
    Path tables = Files.createDirectories(folder.resolve("tables"));
    String base = TickingProgram.class.getName() + "$Base";
    return AgentJvm.of(version, AgentJvm.agent("level=count,watch=" + base + ",tables=" + tables))
        .classPath(AgentJvm.classes())
        .and(TickingProgram.class.getName(), what);
  }

  private static void await(BufferedReader out, String word) throws IOException {
    for (String line = out.readLine(); !word.equals(line); line = out.readLine()) {
      assertThat(line).as("the program ended before it said " + word).isNotNull();
    }
  }

  private static List<Map<String, Object>> failures(TableReader reader) {
    return reader.rows("offcut.PublicationFailure").stream()
        .filter(row -> TableReader.number(row, "count") > 0)
        .toList();
  }

  private static long opened(TableReader reader) {
    return reader.rows("offcut.ResourceStatistics").stream()
        .filter(row -> String.valueOf(row.get("kind")).endsWith("TickingProgram$Base"))
        .mapToLong(row -> TableReader.number(row, "opened"))
        .sum();
  }

  @ParameterizedTest
  @ValueSource(longs = {1_000, 600_000, Long.MAX_VALUE - 1, Long.MAX_VALUE})
  void fleetCopy_beforeItsTime_isNotDue(long everyMillis) {
    long began = 1_790_000_000_000L;
    FleetCopies copies =
        new FleetCopies(new Tracking.Fleet("f", "s", "1", null, everyMillis), 1, began);
    assertThat(copies.isDue(began)).isFalse();
    assertThat(copies.isDue(began + 999)).isFalse();
    assertThat(copies.isDue(began + 600_000)).isEqualTo(everyMillis <= 600_000);
  }
}
