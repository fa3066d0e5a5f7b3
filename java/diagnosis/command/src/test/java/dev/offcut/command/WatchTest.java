package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.CommandProcess.Ended;
import dev.offcut.command.run.WatchCommand;
import dev.offcut.test.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Two marks of a program that runs, and what is told of the time between them. */
@EnabledIfSystemProperty(named = "agent.jar", matches = ".+")
class WatchTest {

  @TempDir private Path folder = Path.of("");

  private final List<Process> started = new ArrayList<>();

  private Process program(boolean agent) throws IOException {
    List<String> command = new ArrayList<>(CommandProcess.program(KeepingProgram.class));
    if (agent) {
      command.add(1, CommandProcess.agent("level=full"));
    }
    Process program =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    started.add(program);
    assertThat(program.inputReader().readLine()).isEqualTo("waiting");
    return program;
  }

  private static void keep(Process program, int count) throws IOException {
    write(program, count + "\n");
    assertThat(program.inputReader().readLine()).isEqualTo("waiting");
  }

  private static void write(Process to, String text) throws IOException {
    OutputStream in = to.getOutputStream();
    in.write(text.getBytes(StandardCharsets.UTF_8));
    in.flush();
  }

  private Process watch(CommandProcess offcut, Process program, String... options)
      throws IOException {
    List<String> words = new ArrayList<>(List.of("watch", String.valueOf(program.pid())));
    words.addAll(List.of(options));
    Process watch = offcut.start(words);
    started.add(watch);
    return watch;
  }

  private static void await(CommandProcess offcut, String sentence) throws Exception {
    Await.until(sentence, () -> offcut.said().contains(sentence));
  }

  @AfterEach
  void kill() throws Exception {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void enter_twice_tellsWhatWasKeptBetween() throws Exception {
    Process program = program(true);
    keep(program, 7);
    CommandProcess offcut = new CommandProcess(folder, Map.of(), "-Doffcut.terminal.stdin=true");
    Process watch = watch(offcut, program, "--every", "1s");
    await(offcut, "Enter sets the first mark");
    write(watch, "\n");
    await(offcut, "the first mark is set");
    keep(program, 300);
    write(watch, "\n");
    Ended ended = offcut.ended(watch);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.out())
        .containsPattern("(?m)^MiB +resident +heap +JVM .* buffer\\.direct( +malloc\\.native)?$")
        .containsPattern("(?m)^[0-9:]{8} +[0-9.]+ +[0-9.]+ ")
        .containsPattern("KeepingProgram: opened in the [0-9.]+ s between the marks and still held")
        .containsPattern("(?m)^  buffer\\.direct +300 +0 +300 +300\\.0 KiB$")
        .containsPattern(
            "\\+300\\.0 KiB +buffer\\.direct +\\+300\n +at .*KeepingProgram\\.keep\\(Keep")
        // The JVM frees some of its own meanwhile.
        .containsPattern("(?m)^  malloc, in use +[0-9.]+ MiB +[-+]")
        .contains("Not tracked: ")
        .doesNotContain("Lines are estimates");
  }

  @Test
  void time_withoutAgentAndKeys_attachesAndEnds() throws Exception {
    Process program = program(false);
    CommandProcess offcut = new CommandProcess(folder, Map.of());
    Ended ended = offcut.ended(watch(offcut, program, "--for", "1s"));
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err())
        .contains("the agent is in the JVM " + program.pid() + " now; it misses everything")
        .contains("the first mark is set");
    assertThat(ended.out())
        .contains(
            "between the marks and still held\n  No tracked resource that was opened since the"
                + " first mark is still held.\n")
        .contains("Figures of call sites are estimates: one opening in 128 records its stack");
  }

  @Test
  void program_ends_isTheSecondMark() throws Exception {
    Process program = program(true);
    CommandProcess offcut = new CommandProcess(folder, Map.of());
    Process watch = watch(offcut, program, "--every", "0.2s");
    await(offcut, "the first mark is set");
    keep(program, 20);
    // Once the agent has published all of them, the look behind the next line reads them.
    Words words = new Words();
    Await.until(
        "the agent publishes 20 buffers",
        () -> {
          words.run("report", String.valueOf(program.pid()));
          return Pattern.compile("buffer\\.direct +20 ").matcher(words.printed()).find();
        });
    long lines = offcut.printed().lines().count();
    Await.until("two more lines", () -> offcut.printed().lines().count() >= lines + 2);
    program.getOutputStream().close();
    Ended ended = offcut.ended(watch);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err()).contains("has ended; its last figures are ");
    assertThat(ended.out()).containsPattern("(?m)^  buffer\\.direct +20 +0 +20 +20\\.0 KiB$");
  }

  @Test
  void program_endsBeforeAnotherLook_isNothingToCompare() throws Exception {
    Process program = program(true);
    CommandProcess offcut = new CommandProcess(folder, Map.of());
    Process watch = watch(offcut, program, "--every", "1h");
    await(offcut, "the first mark is set");
    program.destroyForcibly();
    Ended ended = offcut.ended(watch);
    assertThat(ended.exitCode()).isEqualTo(5);
    assertThat(ended.err())
        .contains("it ended before the second mark: there is nothing to compare");
    assertThat(ended.out()).doesNotContain("No tracked resource");
  }

  @Test
  void signal_isTheSecondMark() throws Exception {
    Process program = program(true);
    CommandProcess offcut = new CommandProcess(folder, Map.of());
    Process watch = watch(offcut, program);
    await(offcut, "the first mark is set");
    keep(program, 20);
    watch.destroy();
    Ended ended = offcut.ended(watch);
    assertThat(ended.exitCode()).isEqualTo(143);
    assertThat(ended.out()).containsPattern("(?m)^  buffer\\.direct +20 +0 +20 +20\\.0 KiB$");
  }

  /** The signal comes between the first mark and the next time that the command waits for keys. */
  @Test
  void signal_whileTheCommandIsBusy_isTheSecondMark() throws Exception {
    Process program = program(true);
    AtomicReference<@Nullable WatchCommand> watching = new AtomicReference<>();
    PrintStream err =
        new PrintStream(OutputStream.nullOutputStream()) {
          @Override
          public void println(@Nullable String line) {
            if (String.valueOf(line).contains("the first mark is set")) {
              try {
                keep(program, 20);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
              Objects.requireNonNull(watching.get()).stop();
            }
          }
        };
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    WatchCommand command =
        new WatchCommand(new PrintStream(out, true, StandardCharsets.UTF_8), err);
    watching.set(command);
    assertThat(new CommandLine(command).execute(String.valueOf(program.pid()))).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .containsPattern("(?m)^  buffer\\.direct +20 +0 +20 +20\\.0 KiB$");
  }

  @Test
  void options_thatAreNone_areRefused() {
    Words words = new Words();
    assertThat(words.run("watch", "1", "--for", "soon")).isEqualTo(2);
    assertThat(words.said()).contains("'soon' is not a time; examples are 60s, 5m and 1h");
    assertThat(words.run("watch", "none")).isEqualTo(4);
  }
}
