package dev.offcut.replay.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import dev.offcut.replay.Replay;
import dev.offcut.replay.space.Policy;
import dev.offcut.replay.space.Space.ArenaKind;
import dev.offcut.replay.trace.Op;
import dev.offcut.replay.trace.Trace;
import dev.offcut.replay.trace.TraceReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Records real programs, in the way a user does: the command in a JVM of its own. */
class RecorderTest {
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  @TempDir private Path folder = Path.of("");

  private record Ended(int status, String out, String err) {}

  private Ended offcutReplay(String... arguments) throws IOException, InterruptedException {
    Process process = start(arguments);
    return new Ended(process.waitFor(), output(), Files.readString(folder.resolve("err")));
  }

  private Process start(String... arguments) throws IOException {
    String classPath =
        String.join(
            File.pathSeparator,
            "target/classes",
            jarOf(CommandLine.class),
            jarOf(JsonFactory.class));
    List<String> command =
        new ArrayList<>(List.of(JAVA, "-cp", classPath, "dev.offcut.replay.Main"));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectOutput(folder.resolve("out").toFile())
        .redirectError(folder.resolve("err").toFile())
        .start();
  }

  private String output() throws IOException {
    return Files.readString(folder.resolve("out"));
  }

  private static String jarOf(Class<?> type) {
    return Path.of(
            java.net.URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()))
        .toString();
  }

  @Test
  void record_program_leavesItsTraceAndKeepsOutputAndStatus() throws Exception {
    Path file = folder.resolve("t.jsonl");
    String options = "@" + Files.writeString(folder.resolve("options"), "not for us");
    Ended ended =
        offcutReplay(
            "--record",
            file.toString(),
            "--space",
            "2M",
            "--",
            JAVA,
            "-cp",
            "target/test-classes",
            Unloading.class.getName(),
            options);
    assertThat(ended.status()).as(ended.err()).isEqualTo(Unloading.STATUS);
    assertThat(ended.out()).isEqualTo("arguments " + options + "\n40 classes\n");
    assertThat(ended.err())
        .contains("offcut: wrote " + file + ": ", "where the JVM says", "next: offcut replay");

    Trace trace = TraceReader.read(file);
    assertThat(trace.name()).isEqualTo(Unloading.class.getName());
    assertThat(trace.classSpaceBytes()).isEqualTo(2 << 20);
    long opened =
        trace.ops().stream()
            .filter(op -> op instanceof Op.Open open && open.kind() == ArenaKind.STANDARD)
            .count();
    assertThat(opened).isGreaterThanOrEqualTo(Unloading.LOADERS);
    long closed =
        trace.ops().stream()
            .mapToLong(op -> op instanceof Op.Close close ? close.arenas().count() : 0)
            .sum();
    assertThat(closed).isGreaterThanOrEqualTo(Unloading.LOADERS);
    assertThat(trace.ops()).anyMatch(op -> op instanceof Op.Purge);
    assertThat(trace.ops().stream().filter(op -> op instanceof Op.Mark)).hasSize(2);
    checkEstimate(trace);
    for (Policy policy : Policy.known()) {
      try (Replay replay = new Replay(policy, trace, 16 << 20, 0)) {
        assertThat(replay.run().failure()).isNull();
      }
    }
  }

  /** What the trace says of itself is what is in it: each class once, and what nobody unloaded. */
  private static void checkEstimate(Trace trace) {
    long classes = 0;
    Map<Integer, Long> open = new HashMap<>();
    for (Op op : trace.ops()) {
      if (op instanceof Op.Allocate allocate) {
        classes += allocate.arenas().count() * allocate.times();
        for (int arena = allocate.arenas().first(); arena <= allocate.arenas().last(); arena++) {
          open.merge(arena, allocate.times() * allocate.memory().words() * Long.BYTES, Long::sum);
        }
      } else if (op instanceof Op.Close close) {
        for (int arena = close.arenas().first(); arena <= close.arenas().last(); arena++) {
          open.remove(arena);
        }
      }
    }
    Trace.Estimate estimate = Objects.requireNonNull(trace.estimate());
    assertThat(estimate.classes()).isEqualTo(classes).isGreaterThan(Unloading.LOADERS);
    // Those of the program were found; the JVM's first ones come without their names.
    assertThat(classes - estimate.withoutFile()).isGreaterThan(Unloading.LOADERS);
    long left = open.values().stream().mapToLong(Long::longValue).sum();
    // All but loaders that the JVM's statistics do not know, such as those of hidden classes.
    assertThat(estimate.estimatedBytes()).isBetween(left * 9 / 10, left);
    assertThat(estimate.measuredBytes()).isPositive();
  }

  /** The signal goes to the recorder alone; at a terminal the program has it too, and ends. */
  @Test
  void record_signalWhileItRuns_waitsForTheProgramAndItsTrace() throws Exception {
    Path file = folder.resolve("t.jsonl");
    Path go = folder.resolve("go");
    Process process =
        start(
            "--record",
            file.toString(),
            "--",
            JAVA,
            "-cp",
            "target/test-classes",
            Unloading.class.getName(),
            go.toString());
    while (output().isEmpty()) {
      Thread.onSpinWait();
      assertThat(process.isAlive()).isTrue();
    }
    process.destroy();
    Files.createFile(go);
    assertThat(process.waitFor()).isEqualTo(128 + 15);
    assertThat(output()).contains("40 classes");
    assertThat(TraceReader.read(file).ops()).isNotEmpty();
  }

  @Test
  void record_programThatDoesNotStart_saysSo() throws Exception {
    Path file = folder.resolve("t.jsonl");
    Ended ended = offcutReplay("--record", file.toString(), "--", JAVA, "-XX:NoSuchOption");
    assertThat(ended.status()).isEqualTo(1);
    assertThat(ended.err()).contains("offcut: there is no trace: the program left no recording");
    assertThat(file).doesNotExist();
  }

  @Test
  void record_noSuchJava_saysSo() throws Exception {
    String java = folder.resolve("java").toString();
    Ended ended = offcutReplay("--record", folder.resolve("t").toString(), "--", java, "-version");
    assertThat(ended.status()).isEqualTo(1);
    assertThat(ended.err()).startsWith("offcut: cannot record " + java);
  }
}
