package dev.offcut.agent.hooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import acme.LibraryProgram;
import dev.offcut.agent.base.Kind;
import dev.offcut.agent.base.concurrent.Samples;
import dev.offcut.test.AgentJvm;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stacks of some tell of all: how many, and of which size. */
class SamplingTest {
  /** Five standard deviations of what is estimated below, and more. */
  private static final double NEARLY = 0.4;

  private static final long SMALL = (long) SampledProgram.SMALL * SampledProgram.SMALL_BYTES;
  private static final long MEDIUM = (long) SampledProgram.MEDIUM * SampledProgram.MEDIUM_BYTES;

  private static Recorded run(Path folder, String... arguments) throws Exception {
    return Recorded.run(
        folder,
        AgentJvm.with("-XX:MaxDirectMemorySize=1g", "-Xmx200m"),
        SampledProgram.class,
        "level=sample",
        (Object[]) arguments);
  }

  private static long sum(Recorded recorded, String kind, String method) {
    return recorded.siteBytes(kind, method).stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void bytes_ofLargeBuffersAmongMany_areThere(@TempDir Path folder) throws Exception {
    Recorded recorded = run(folder, "buffers");
    assertThat(recorded.sites("buffer.direct", "large")).containsExactly("opened 6 open 6");
    assertThat(sum(recorded, "buffer.direct", "large")).isEqualTo(6L * SampledProgram.LARGE_BYTES);
    assertThat((double) sum(recorded, "buffer.direct", "medium"))
        .isCloseTo(MEDIUM, within(NEARLY * MEDIUM));
    assertThat((double) sum(recorded, "buffer.direct", "small"))
        .isCloseTo(SMALL, within(NEARLY * SMALL));
    RecordedEvent configuration = recorded.all("AgentConfiguration").get(0);
    assertThat(configuration.getInt("sampleBytes")).isEqualTo(Samples.MEAN_BYTES);
  }

  @Test
  void bytes_ofBlocksThatGrow_areThere(@TempDir Path folder) throws Exception {
    Recorded recorded = run(folder, "blocks");
    double all = sum(recorded, "unsafe", "main");
    assertThat(all).isCloseTo(SMALL + MEDIUM, within(NEARLY * (SMALL + MEDIUM)));
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_25)
  void bytes_ofArenasThatGrow_areThere(@TempDir Path folder) throws Exception {
    Recorded recorded = run(folder, "arenas");
    for (String kind : List.of("arena.shared", "arena.confined")) {
      double large = sum(recorded, kind + Kind.FILLED_NAME, "allocateMore");
      // Those that left their stack when they were opened are not among them: 64, and a few.
      assertThat(large).as(kind).isCloseTo(MEDIUM, within(NEARLY * MEDIUM));
      assertThat(recorded.sites(kind, "allocateMore")).as(kind).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sample", "full"})
  @EnabledForJreRange(min = JRE.JAVA_25)
  void arenas_filledElsewhere_areOpenedWhereTheyWereOpened(String level, @TempDir Path folder)
      throws Exception {
    Recorded recorded = Recorded.run(folder, AgentJvm.with(), SplitProgram.class, "level=" + level);
    assertThat(recorded.sites("arena.shared", "encode")).isEmpty();
    long opened = 0;
    for (RecordedEvent site : recorded.lastSites("arena.shared", "begin")) {
      opened += site.getLong("opened");
    }
    double filled = sum(recorded, "arena.shared" + Kind.FILLED_NAME, "encode");
    if (level.equals("full")) {
      assertThat(opened).isEqualTo(SplitProgram.ARENAS);
      assertThat(filled).isZero();
    } else {
      // 64 are known, and some 15 stand for 128 each: five standard deviations.
      double off = 5 * 128 * Math.sqrt((SplitProgram.ARENAS - 64) / 128.0);
      assertThat((double) opened).isCloseTo(SplitProgram.ARENAS, within(off));
      double all = (double) SplitProgram.ARENAS * SplitProgram.BYTES;
      assertThat(filled).isCloseTo(all, within(NEARLY * all));
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_25)
  void bytes_ofArenasThatTwoLinesFill_areAtTheLineThatAllocatedThem(@TempDir Path folder)
      throws Exception {
    Recorded recorded = run(folder, "layers");
    String filled = "arena.shared" + Kind.FILLED_NAME;
    long header = sum(recorded, filled, "header");
    // 64 openings left their stack, and by chance a few more.
    assertThat(header).isGreaterThan((SampledProgram.LAYERED - 64) / 2L * Samples.MEAN_BYTES);
    assertThat(sum(recorded, filled, "body")).isEqualTo(header);
  }

  /** A program that reallocates its first blocks for ever must not pay for a stack each time. */
  @Test
  void stacks_ofFirstBlocksThatAreReallocated_end(@TempDir Path folder) throws Exception {
    Recorded recorded = run(folder, "early");
    long stacks = 0;
    for (RecordedEvent site : recorded.lastSites("unsafe", "again")) {
      stacks += site.getLong("samples");
    }
    // One in 128 of them by chance.
    assertThat(stacks).isLessThan(SampledProgram.EARLY / 2);
    assertThat(recorded.last("unsafe").getLong("open")).isEqualTo(SampledProgram.EARLY);
  }

  /** A block is at the line that allocated it last. */
  @Test
  void blocks_thatGrow_areWhereTheyGotTheirSize(@TempDir Path folder) throws Exception {
    Recorded recorded =
        Recorded.run(folder, AgentJvm.with(), SampledProgram.class, "level=full", "blocks");
    assertThat(sum(recorded, "unsafe", "grow")).isEqualTo(MEDIUM);
    assertThat(recorded.last("unsafe").getLong("opened")).isEqualTo(SampledProgram.SMALL);
  }

  /** What stands for many is taken away as it was added. */
  @ParameterizedTest
  @CsvSource({"buffers,buffer.direct", "blocks,unsafe", "arenas,arena.shared arena.shared.filled"})
  void everythingClosed_leavesNothing(String what, String kinds, @TempDir Path folder)
      throws Exception {
    if (what.equals("arenas") && Runtime.version().feature() < 25) {
      return;
    }
    Recorded recorded = run(folder, what, "close");
    for (String kind : kinds.split(" ", -1)) {
      leavesNothing(recorded, kind);
    }
  }

  private static void leavesNothing(Recorded recorded, String kind) {
    Map<String, RecordedEvent> last = new TreeMap<>();
    for (RecordedEvent site : recorded.all("ResourceSite")) {
      if (site.getString("kind").equals(kind)) {
        last.put(site.getString("site"), site);
      }
    }
    assertThat(last).isNotEmpty();
    assertThat(last.values())
        .allSatisfy(
            site -> {
              assertThat(site.getLong("open")).isZero();
              assertThat(site.getLong("bytes")).isZero();
            })
        .anySatisfy(site -> assertThat(site.getLong("closed")).isPositive());
  }

  @Test
  void frames_ofALibrary_areFollowedToTheProgramsOwn(@TempDir Path folder) throws Exception {
    Recorded recorded = Recorded.run(folder, AgentJvm.with(), LibraryProgram.class, "level=sample");
    for (String method : List.of("first", "second")) {
      double opened = 0;
      for (RecordedEvent site : recorded.all("ResourceSite")) {
        List<String> frames = site.getString("site").lines().toList();
        String own = LibraryProgram.class.getName() + "." + method + "(";
        if (frames.stream().anyMatch(frame -> frame.startsWith(own))) {
          opened = Math.max(opened, (double) site.getLong("opened"));
        }
      }
      double half = (double) LibraryProgram.OPENED;
      assertThat(opened).as(method).isCloseTo(half, within(NEARLY * half));
    }
  }
}
