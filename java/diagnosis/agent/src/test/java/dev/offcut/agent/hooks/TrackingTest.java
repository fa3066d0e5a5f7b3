package dev.offcut.agent.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.publish.AskingProgram;
import dev.offcut.agent.publish.QuietProgram;
import dev.offcut.agent.publish.TableReader;
import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that forget exactly so many, and what their recordings say of it. */
class TrackingTest {
  private static final boolean FOREIGN = Runtime.version().feature() >= 25;

  /** By the kind, what is to be said after 1,000 were forgotten and 500 closed. */
  private static final Map<String, String> EXPECTED =
      Map.of(
          "arena.confined", "opened 1500 closed 500 lost 1000",
          "arena.shared", "opened 1500 closed 500 lost 1000",
          "arena.automatic", "opened 1000 collected 1000",
          "buffer.direct", "opened 1500 closed 500 collected 1000",
          "unsafe", "opened 1500 closed 500 open 1000",
          "malloc.downcall", "opened 1500 closed 500 open 1000",
          "malloc.jna", "opened 1500 closed 500 open 1000",
          "jna", "opened 1500 closed 500 collected 1000",
          "cleaner", "opened 1500 closed 500 collected 1000");

  private static List<String> kinds() {
    List<String> kinds = new ArrayList<>(EXPECTED.keySet());
    kinds.removeIf(
        kind -> !FOREIGN && (kind.startsWith("arena.") || kind.equals("malloc.downcall")));
    return kinds;
  }

  private static String expected(String kind) {
    return Objects.requireNonNull(EXPECTED.get(kind), kind);
  }

  /** What programs recorded that differ in their options or threads; each is run once. */
  private static final Map<String, Recorded> RUNS = new HashMap<>();

  private static Recorded all(Path folder, String options, int threads) throws Exception {
    String run = options + " " + threads;
    Recorded known = RUNS.get(run);
    if (known == null) {
      List<Object> arguments = new ArrayList<>(List.of(threads, 1000));
      arguments.addAll(kinds());
      arguments.add("finalizer");
      known = Recorded.run(folder, options, arguments.toArray());
      RUNS.put(run, known);
    }
    return known;
  }

  @ParameterizedTest
  @CsvSource({"count,1", "sample,2", "full,2"})
  void forgotten_atEveryLevel_areCountedExactly(String level, int threads, @TempDir Path folder)
      throws Exception {
    Recorded recorded = all(folder, "level=" + level, threads);
    for (String kind : kinds()) {
      assertThat(recorded.kind(kind)).as(kind).isEqualTo(expected(kind));
    }
    RecordedEvent finalized = finalized(recorded);
    assertThat(finalized.getLong("registered")).isEqualTo(1000);
    assertThat(finalized.getLong("run")).isEqualTo(1000);
    assertThat(recorded.output.said()).isEmpty();
  }

  private static RecordedEvent finalized(Recorded recorded) {
    List<RecordedEvent> types = recorded.all("FinalizerClass");
    types.removeIf(type -> !type.getString("type").endsWith("$Finalized"));
    return types.get(types.size() - 1);
  }

  @Test
  void sites_atFull_areExact(@TempDir Path folder) throws Exception {
    Recorded recorded = all(folder, "level=full", 2);
    for (String kind : kinds()) {
      String expected = expected(kind);
      boolean late = expected.contains("collected");
      String forgotten =
          late ? "collected 1000" : expected.contains("lost") ? "lost 1000" : "open 1000";
      assertThat(recorded.sites(kind, "forget"))
          .as(kind)
          .containsExactly("opened 1000 " + forgotten);
      if (expected.contains("closed")) {
        assertThat(recorded.sites(kind, "close")).as(kind).contains("opened 500 closed 500");
      }
    }
  }

  @Test
  void sites_atSample_areTheSamePlaces(@TempDir Path folder) throws Exception {
    Recorded recorded = all(folder, "level=sample,sample=10", 1);
    for (String kind : kinds()) {
      // An arena that left no stack when it was opened may leave one when it allocates.
      assertThat(recorded.sites(kind, "forget"))
          .as(kind)
          .hasSizeBetween(1, kind.startsWith("arena.") ? 2 : 1);
    }
  }

  @Test
  void sites_atCount_areNone(@TempDir Path folder) throws Exception {
    assertThat(all(folder, "level=count", 1).all("ResourceSite")).isEmpty();
  }

  @Test
  void bytes_areThoseOfWhatIsOpen(@TempDir Path folder) throws Exception {
    Recorded recorded = all(folder, "level=count", 1);
    RecordedEvent unsafe = recorded.last("unsafe");
    assertThat(unsafe.getLong("bytes")).isEqualTo(1000 * TrackedProgram.BYTES);
    if (FOREIGN) {
      RecordedEvent arenas = recorded.last("arena.confined");
      assertThat(arenas.getLong("bytes")).isZero();
      assertThat(arenas.getLong("openedBytes")).isEqualTo(1500 * TrackedProgram.BYTES);
      assertThat(arenas.getLong("lostBytes")).isEqualTo(1000 * TrackedProgram.BYTES);
    }
  }

  /** One that stays open hides no byte too few. */
  @Test
  void blocksThatGetOtherSizes_inThreads_leaveNoBytes(@TempDir Path folder) throws Exception {
    Recorded recorded =
        Recorded.run(
            folder,
            // One heap of malloc, so that threads get each other's addresses.
            AgentJvm.with("-XX:+UseSerialGC").startedBy("env", "MALLOC_ARENA_MAX=1"),
            ReallocatingProgram.class,
            "level=count",
            6,
            60_000);
    assertThat(recorded.output.out()).containsExactly("refused java.lang.OutOfMemoryError", "done");
    assertThat(recorded.kind("unsafe")).isEqualTo("opened 360001 closed 360000 open 1");
    assertThat(recorded.last("unsafe").getLong("bytes")).isEqualTo(ReallocatingProgram.KEPT);
  }

  /** Half of them, and the other half: what is switched on is counted as ever. */
  @ParameterizedTest
  @CsvSource({
    "arenas unsafe downcalls finalizers, arena.confined arena.shared arena.automatic unsafe"
        + " malloc.downcall finalizer",
    "buffers jnamemory jnamalloc cleaners, buffer.direct jna malloc.jna cleaner"
  })
  void switchedOff_isNotCounted(String options, String off, @TempDir Path folder) throws Exception {
    String switches = options.replace(" ", "=off,") + "=off";
    Recorded recorded = all(folder, "level=count,rules=off," + switches, 1);
    Set<String> left = new HashSet<>(kinds());
    left.add("finalizer");
    left.removeAll(Set.of(off.split(" ", -1)));
    assertThat(recorded.kinds()).containsOnlyKeys(left);
    left.remove("finalizer");
    for (String kind : left) {
      assertThat(recorded.kind(kind)).as(kind).isEqualTo(expected(kind));
    }
    assertThat(recorded.output.err())
        .filteredOn(line -> line.startsWith("offcut on JDK "))
        .singleElement()
        .asString()
        .endsWith("; switched off " + options.replace(" ", ", "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"level=off", "enabled=off,level=full"})
  void switchedOff_nothingIsTracked(String options) throws Exception {
    ChildJvm.Output output =
        AgentJvm.withAgent(options)
            .and("-Xlog:class+load,redefine+class+load")
            .classPath(AgentJvm.classes(), AgentJvm.library("jna.jar"))
            .and(TrackedProgram.class.getName(), 1, 10, "buffer.direct", "cleaner")
            .run();
    assertThat(output.said()).isEmpty();
    assertThat(output.out())
        .noneMatch(line -> line.contains("dev.offcut.agent.Tracking "))
        .noneMatch(line -> line.contains("OffcutCounts"))
        .noneMatch(line -> line.contains("redefined"));
  }

  @Test
  void unwritableRecording_isSaidAndTheProgramRuns() throws Exception {
    ChildJvm.Output output =
        AgentJvm.withAgent("level=count,record=/nowhere/x.jfr")
            .classPath(AgentJvm.classes(), AgentJvm.library("jna.jar"))
            .and(TrackedProgram.class.getName(), 1, 10, "cleaner")
            .run();
    assertThat(output.out()).containsExactly("done");
    assertThat(output.said())
        .singleElement()
        .asString()
        .startsWith("offcut: the recording cannot be written to /nowhere/x.jfr (")
        .endsWith("; none is made");
  }

  @Test
  void recordAtLevelOff_isSaid() throws Exception {
    ChildJvm.Output output =
        AgentJvm.withAgent("level=off,record=/nowhere/x.jfr").and("-version").run();
    assertThat(output.said())
        .containsExactly(
            "offcut: nothing is recorded at level off: add level=count, level=sample or"
                + " level=full");
  }

  @ParameterizedTest
  @CsvSource({"0, '', -1", "0 7, '', 7", "none, java.lang.NumberFormatException, -1"})
  void end_isRecorded(String arguments, String uncaught, int exitCode, @TempDir Path folder)
      throws Exception {
    Path file = folder.resolve("recording.jfr");
    ChildJvm.Output output =
        AgentJvm.withAgent("level=count,record=" + file)
            .classPath(AgentJvm.classes())
            .and(SleepingProgram.class.getName())
            .and((Object[]) arguments.split(" ", -1))
            .runToAnyEnd();
    assertThat(output.exitCode()).isEqualTo(uncaught.isEmpty() ? Math.max(0, exitCode) : 1);
    assertThat(output.err())
        .filteredOn(line -> line.startsWith("Exception in thread \"main\" "))
        .hasSize(uncaught.isEmpty() ? 0 : 1);
    List<RecordedEvent> events = new ArrayList<>(Recorded.read(file));
    events.removeIf(event -> !event.getEventType().getName().equals("offcut.AgentConfiguration"));
    events.sort(Comparator.comparing(RecordedEvent::getStartTime));
    RecordedEvent last = events.get(events.size() - 1);
    assertThat(last.getString("uncaught")).isEqualTo(uncaught);
    assertThat(last.getInt("exitCode")).isEqualTo(exitCode);
    assertThat(output.said()).isEmpty();
  }

  @Test
  void forcedCollection_isRecordedWithItsStack(@TempDir Path folder) throws Exception {
    Recorded recorded =
        Recorded.run(
            folder,
            AgentJvm.with("-XX:MaxDirectMemorySize=64k"),
            TrackedProgram.class,
            "level=count",
            1,
            2000,
            "buffer.direct");
    List<RecordedEvent> forced = recorded.all("ForcedCollection");
    assertThat(forced).isNotEmpty();
    assertThat(forced.get(0).getLong("requested")).isEqualTo(TrackedProgram.BYTES);
    assertThat(forced.get(0).getStackTrace().getFrames())
        .anyMatch(frame -> frame.getMethod().getName().equals("reserveMemory"));
  }

  @Test
  void configuration_saysWhatIsTracked(@TempDir Path folder) throws Exception {
    Recorded recorded = all(folder, "level=sample,sample=7,cleaners=off", 1);
    RecordedEvent configuration = recorded.all("AgentConfiguration").get(0);
    assertThat(configuration.getString("level")).isEqualTo("sample");
    assertThat(configuration.getInt("sampleEvery")).isEqualTo(7);
    assertThat(configuration.getString("options")).contains("cleaners=off", "unsafe=on");
    assertThat(configuration.getString("patched")).contains("Unsafe").doesNotContain("cleaners");
    assertThat(configuration.getString("stoodDown"))
        .isEqualTo(FOREIGN ? "" : "arenas are not tracked on this JDK");
  }

  @Test
  void placeWhereNothingChanges_isToldOnceAndAtTheEnd(@TempDir Path folder) throws Exception {
    Recorded recorded =
        Recorded.run(folder, AgentJvm.with(), QuietProgram.class, "level=full", 9000);
    List<RecordedEvent> events = recorded.all("ResourceSite");
    events.removeIf(site -> !site.getString("site").contains("QuietProgram.open("));
    assertThat(events).hasSizeBetween(1, 2);
    assertThat(events.get(events.size() - 1).getLong("opened")).isOne();
  }

  private static void hasNoBuffers(Recorded recorded) {
    assertThat(recorded.kind("buffer.direct")).isEmpty();
    assertThat(recorded.all("ResourceSite"))
        .extracting(site -> site.getString("kind"))
        .doesNotContain("buffer.direct");
  }

  @Test
  void programThatRuns_hasTheJdksStatisticsByPeriod_andItsMemory(@TempDir Path folder)
      throws Exception {
    Recorded recorded =
        Recorded.run(folder, AgentJvm.with(), SleepingProgram.class, "level=full", 8000);
    hasNoBuffers(recorded);
    assertThat(recorded.ofTheJdk("JavaThreadStatistics")).hasSizeGreaterThan(2); // each second
    if (OS.LINUX.isCurrentOs()) { // only Linux has /proc/self/status
      List<RecordedEvent> memory = recorded.all("ProcessMemory");
      RecordedEvent last = memory.get(memory.size() - 1);
      assertThat(last.getLong("resident")).isBetween(10L << 20, 4L << 30);
      assertThat(last.getLong("residentPeak")).isGreaterThanOrEqualTo(last.getLong("resident"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sample", "full"})
  void withinActions_andByOtherThreads_isCountedExactly(String level, @TempDir Path folder)
      throws Exception {
    Recorded recorded =
        Recorded.run(folder, AgentJvm.with(), NestedProgram.class, "level=" + level);
    // Every action registers once more; a registration may be found before another thread cleans.
    int all = 2 * NestedProgram.ACTIONS + NestedProgram.HANDED_OVER;
    RecordedEvent cleaners = recorded.last("cleaner");
    assertThat(cleaners.getLong("opened")).isEqualTo(all);
    assertThat(cleaners.getLong("closed") + cleaners.getLong("collected")).isEqualTo(all);
    assertThat(cleaners.getLong("open")).isZero();
    assertThat(recorded.last("buffer.direct").getLong("opened"))
        .isGreaterThanOrEqualTo(NestedProgram.ACTIONS);
    assertThat(recorded.output.out())
        .containsExactly("done " + (NestedProgram.ACTIONS + NestedProgram.HANDED_OVER));
    assertThat(recorded.output.said()).isEmpty();
  }

  @ParameterizedTest
  @EnabledForJreRange(
      minVersion = 25,
      disabledReason = "an older JDK itself has an object with a finalizer when it ends")
  @CsvSource({"0,false", "1,true"})
  void collectionAtExit_isOnlyIfSomethingIsOpen(int left, boolean collects, @TempDir Path folder)
      throws Exception {
    Recorded recorded =
        Recorded.run(folder, AgentJvm.with(), TidyProgram.class, "level=count", left);
    assertThat(recorded.last("cleaner").getLong("opened")).isEqualTo(1);
    assertThat(recorded.last("cleaner").getLong("collected")).isEqualTo(left);
    assertThat(recorded.output.out()).containsExactly("collected");
    List<String> causes =
        recorded.events.stream()
            .filter(event -> event.getEventType().getName().equals("jdk.GarbageCollection"))
            .map(event -> event.getString("cause"))
            .toList();
    assertThat(causes)
        .filteredOn("System.gc()"::equals)
        .hasSize(TidyProgram.COLLECTIONS + (collects ? 1 : 0));
  }

  @Test
  void collectionAtExit_ofARecordingThatBeganAfterTheLast_isForTheHeapsFigure(@TempDir Path folder)
      throws Exception {
    Path second = folder.resolve("second.jfr");
    Recorded.run(folder, AgentJvm.with(), SecondRecordingProgram.class, "level=count", second);
    assertThat(Recorded.read(second))
        .extracting(event -> event.getEventType().getName())
        .contains("jdk.GCHeapSummary");
  }

  @Test
  void recordOnRequest_isInTheFolderThatIsAnswered() throws Exception {
    ChildJvm.Output output =
        AgentJvm.withAgent("level=count")
            .and("-Djdk.attach.allowAttachSelf=true")
            .classPath(AgentJvm.classes())
            .and(AskingProgram.class.getName(), AgentJvm.AGENT)
            .run();
    assertThat(output.value("folder")).isEqualTo(output.value("property"));
    assertThat(output.value("again")).isEqualTo(output.value("folder"));
    assertThat(output.value("chunks")).isNotEqualTo("0");
    assertThat(output.said()).isEmpty();
  }

  @Test
  void attachedLate_countsNothingThatWasThereBefore(@TempDir Path folder) throws Exception {
    AgentJvm.with("-Djdk.attach.allowAttachSelf=true")
        .classPath(AgentJvm.classes(), AgentJvm.library("jna.jar"))
        .and(LateProgram.class.getName(), AgentJvm.AGENT, folder)
        .run();
    TableReader tables = TableReader.in(folder);
    assertThat(tables.rows("offcut.AgentConfiguration"))
        .singleElement()
        .satisfies(
            missed -> {
              assertThat(missed.get("attached")).isEqualTo(1L);
              assertThat(TableReader.number(missed, "missedBuffers")).isBetween(100L, 110L);
              assertThat(TableReader.number(missed, "missedBufferBytes"))
                  .isBetween(10_000L, 200_000L);
              assertThat(TableReader.number(missed, "missedMappedBytes")).isNotNegative();
              assertThat(missed.get("missedMallocBytes")).isEqualTo(12_345_678L);
            });
    assertThat(tables.counts("opened", "closed", "collected", "lost", "open", "bytes"))
        .containsEntry("buffer.direct", List.of(100L, 0L, 100L, 0L, 0L, 0L))
        .containsEntry("unsafe", List.of(10L, 4L, 0L, 0L, 6L, 600L));
  }

  @Test
  @EnabledForJreRange(minVersion = 25, disabledReason = "this JDK makes no AOT cache in one step")
  void trainedForAnAotCache_thereIsOne(@TempDir Path folder) throws Exception {
    Path cache = folder.resolve("a.aot");
    ChildJvm.Output output =
        AgentJvm.withAgent("level=count")
            .and("-XX:AOTCacheOutput=" + cache)
            .classPath(AgentJvm.AGENT)
            .and("dev.offcut.agent.Launcher")
            .runToAnyEnd();
    assertThat(cache).exists();
    assertThat(output.said())
        .containsExactly(
            "offcut: finalizers: not tracked in a training run for an AOT cache: otherwise the JVM"
                + " cannot write the cache",
            "offcut: threads and class loaders: not tracked in a training run for an AOT cache:"
                + " otherwise the JVM cannot write the cache");
  }

  /**
   * A program that collects, and then starts a recording of its own, which the JVM writes at exit.
   *
   * <p>Argument: its file.
   */
  static final class SecondRecordingProgram {
    private SecondRecordingProgram() {}

    public static void main(String[] args) throws Exception {
      System.gc();
      @SuppressWarnings("resource") // it lasts until the JVM ends
      Recording recording = new Recording();
      recording.enable("jdk.GCHeapSummary");
      recording.setDestination(Path.of(args[0]));
      recording.setDumpOnExit(true);
      recording.start();
    }
  }
}
