package dev.offcut.apps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.apps.Report.Kind;
import dev.offcut.apps.Report.Saved;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs that know nothing of Offcut: they say the same and end with the same exit code with it
 * and without, and its report says of each what is known beforehand.
 */
class RealProgramsTest {
  /** Of EchoUnderLoad: each is sent from a direct buffer of its own. */
  private static final long MESSAGES = 8 * 500;

  private static final long MESSAGE_BYTES = 8 * 1024;

  @TempDir private Path folder = Path.of("");

  /** Runs it in its three ways, and returns what Offcut reports of it. */
  private Report reportOfTheSame(Program program) throws Exception {
    Program.Ended alone = program.alone(folder);
    assertThat(alone.exitCode()).as(alone.err()).isZero();
    assertThat(alone.out()).isNotEmpty();
    assertThat(program.withRetrofit(folder)).isEqualTo(alone);
    assertThat(program.underOffcut(folder)).isEqualTo(alone);
    assertThat(folder.resolve("run.txt")).isNotEmptyFile();
    assertThat(folder.resolve("run.html")).isNotEmptyFile();
    Report report = Program.report(folder);
    assertThat(report.schema()).isEqualTo("offcut.report/2");
    assertThat(report.isComplete()).isTrue();
    assertThat(report.main()).isEqualTo(program.main().getName());
    assertThat(report.resident()).isPositive();
    assertThat(report.findings("lost")).isEmpty();
    assertThat(report.findings("forgotten")).isEmpty();
    assertThat(report.kinds()).allSatisfy(RealProgramsTest::addsUp);
    return report;
  }

  private static void addsUp(Kind kind) {
    assertThat(kind.opened())
        .as(kind.toString())
        .isPositive()
        .isEqualTo(kind.closed() + kind.collected() + kind.lost() + kind.open());
  }

  /** OSHI closes none of the strings and structures that JNA makes for it. */
  @Test
  void oshi_jnaBlocks_areCountedAndUnboxed() throws Exception {
    Report report = reportOfTheSame(Program.of(SystemFacts.class, "5"));
    Kind blocks = report.kind("jna");
    assertThat(blocks.opened()).isPositive();
    assertThat(blocks.openedBytes()).isPositive();
    assertThat(blocks.collected()).isEqualTo(blocks.opened());
    assertThat(report.findings("late")).singleElement().asString().contains("JNA blocks");
    assertThat(report.sites("jna")).anyMatch(frames -> frames.contains("oshi."));
    Saved boxes = Objects.requireNonNull(report.saved("JNA memory"));
    assertThat(boxes.unit()).isEqualTo("boxes");
    assertThat(boxes.saved())
        .as("one to note a block, one to strike it out")
        .isEqualTo(2 * blocks.opened());
  }

  /** Lucene has an arena for the files of a segment, and one for each file read once. */
  @Test
  void lucene_mappedFiles_areAllClosed() throws Exception {
    Report report = reportOfTheSame(Program.of(FullTextSearch.class));
    for (String name : new String[] {"arena.shared", "arena.confined"}) {
      Kind arenas = report.kind(name);
      assertThat(arenas.opened()).as(name).isGreaterThanOrEqualTo(8); // segments
      assertThat(arenas.closed()).as(name).isEqualTo(arenas.opened());
      assertThat(report.sites(name))
          .as(name)
          .allMatch(frames -> frames.startsWith("org.apache.lucene.store."));
    }
    assertThat(report.findings("late")).isEmpty();
  }

  /** Its allocator takes few and large pieces, and as it serves the whole JVM keeps some. */
  @Test
  void netty_adaptive_takesFewArenasAndLosesNone() throws Exception {
    Report report = reportOfTheSame(Program.of(EchoUnderLoad.class));
    Kind arenas = report.kind("arena.shared");
    assertThat(arenas.opened()).isBetween(2L, MESSAGES / 10);
    assertThat(arenas.closed()).isPositive();
    assertThat(arenas.collected()).isZero();
    assertThat(arenas.openedBytes()).isGreaterThanOrEqualTo(128 * 1024);
    assertThat(report.sites("arena.shared"))
        .allMatch(frames -> frames.startsWith("io.netty.util.internal."));
  }

  /** Without a pool and with sun.misc.Unsafe it closes each direct buffer itself. */
  @Test
  void netty_unpooledWithUnsafe_closesItsDirectBuffers() throws Exception {
    Kind buffers =
        reportOfTheSame(
                Program.of(EchoUnderLoad.class)
                    .with(
                        "-Dio.netty.allocator.type=unpooled",
                        "-Dio.netty.noUnsafe=false",
                        "--sun-misc-unsafe-memory-access=allow"))
            .kind("buffer.direct");
    assertThat(buffers.opened()).isGreaterThanOrEqualTo(MESSAGES);
    assertThat(buffers.openedBytes()).isGreaterThanOrEqualTo(MESSAGES * MESSAGE_BYTES);
    assertThat(buffers.opened() - buffers.closed()).as("what it made once").isLessThan(5);
  }

  /** Without a pool and as JDK 25 has it, it leaves them to the collector. */
  @Test
  void netty_unpooled_leavesItsDirectBuffersToTheCollector() throws Exception {
    Report report =
        reportOfTheSame(Program.of(EchoUnderLoad.class).with("-Dio.netty.allocator.type=unpooled"));
    Kind buffers = report.kind("buffer.direct");
    assertThat(buffers.opened()).isGreaterThanOrEqualTo(MESSAGES);
    assertThat(buffers.closed()).isZero();
    assertThat(buffers.collected()).isGreaterThanOrEqualTo(MESSAGES);
    assertThat(report.findings("late"))
        .singleElement()
        .asString()
        .contains("direct buffers left to the collector");
  }

  /**
   * H2 itself has no finalizers any more; but to compile the session's function it starts javac,
   * whose archives of classes have one, and each is run.
   */
  @Test
  void h2_finalizers_areThoseOfTheCompiler() throws Exception {
    Report report = reportOfTheSame(Program.of(DatabaseSession.class));
    assertThat(report.finalizers())
        .extracting(Report.Finalizer::type)
        .contains("jdk.nio.zipfs.ZipFileSystem")
        .noneMatch(type -> type.startsWith("org.h2."));
    Kind finalizable = report.kind("finalizer");
    long registered = report.finalizers().stream().mapToLong(Report.Finalizer::registered).sum();
    assertThat(finalizable.opened()).isPositive().isEqualTo(registered);
    assertThat(report.finalizers()).allMatch(type -> type.run() <= type.registered());
    assertThat(finalizable.collected()).as("what is left of a compiler at exit").isPositive();
    assertThat(report.kind("buffer.direct").open()).isZero();
  }

  /** A call reads an argument, a result and their fields: a walk for the first is enough. */
  @Test
  void rmi_walks_areSaved() throws Exception {
    Report report = reportOfTheSame(Program.of(RemoteCalls.class));
    Saved walks = Objects.requireNonNull(report.saved("object streams"));
    assertThat(walks.unit()).isEqualTo("walks");
    assertThat(walks.done()).isPositive();
    assertThat(walks.saved()).isGreaterThanOrEqualTo(2_000); // calls
    assertThat(report.findings("late")).isEmpty();
  }

  @Test
  void programs_thatFail_failTheSameWay() throws Exception {
    Program failing = Program.of(RemoteCalls.class, "often");
    Program.Ended alone = failing.alone(folder);
    assertThat(alone.exitCode()).isEqualTo(1);
    assertThat(alone.err()).contains("NumberFormatException", "\"often\"");
    assertThat(failing.withRetrofit(folder)).isEqualTo(alone);
    assertThat(failing.underOffcut(folder)).isEqualTo(alone);
  }
}
