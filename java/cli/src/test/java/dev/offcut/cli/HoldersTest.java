package dev.offcut.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** What holds open objects, of a program that holds them in ways that are known. */
@EnabledIfSystemProperty(named = "agent.jar", matches = ".+")
class HoldersTest {
  private static final int MOST_TURNS = 600;
  private static final String CLASS = "dev.offcut.cli.HoldingProgram";

  @TempDir private Path folder = Path.of("");

  private CommandProcess offcut(String name, String... options) throws IOException {
    return new CommandProcess(Files.createDirectory(folder.resolve(name)), Map.of(), options);
  }

  private static long pid(Process run, CommandProcess command) throws Exception {
    for (int turn = 0; turn < MOST_TURNS && !command.printed().contains("holding"); turn++) {
      Thread.sleep(100);
    }
    return run.children().findFirst().orElseThrow().pid();
  }

  @Test
  void explain_holders_saysByWhichPathsObjectsAreHeld() throws Exception {
    CommandProcess command = offcut("run");
    List<String> program = CommandProcess.program(HoldingProgram.class);
    Process run =
        command.start(words("run", "--no-report", "--watch", CLASS + "$Ticket", "--", program));
    long pid = pid(run, command);

    CommandProcess.Ended known = offcut("a").run("explain", "" + pid, "--holders");
    assertThat(known.err()).contains("stop the program for about", "the program was stopped for");
    assertThat(known.exitCode()).isZero();
    assertThat(known.out().replaceAll("\\s+", " "))
        .contains("2,100 " + CLASS + "$Ticket open, held by 2,000: the static field")
        .contains("2,000: the static field " + CLASS + ".CACHE (java.util.HashMap) 100: ")
        .contains("in the thread worker-# → " + CLASS + ".own (java.util.ArrayList)")
        .contains("1 direct buffer open, held by 1: the static field " + CLASS + ".BUFFERS")
        .contains("1 shared arena open, held by 1: a variable of " + CLASS + ".main(");

    CommandProcess.Ended refused =
        offcut("b").run("explain", "" + pid, "--holders", "--longest-stop", "0.5");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err())
        .contains("and the limit is 0.5 s; --longest-stop SECONDS allows more");

    Path none = folder.resolve("none.jar");
    CommandProcess.Ended unread =
        offcut("c", "-Doffcut.heap.jar=" + none).run("explain", "" + pid, "--holders");
    assertThat(unread.exitCode()).isEqualTo(1);
    assertThat(unread.err()).contains("the reader of heap dumps is not at " + none);

    run.getOutputStream().close();
    assertThat(command.ended(run).exitCode()).isZero();
  }

  @Test
  void explain_holdersOfAFile_saysThatItNeedsAProgram() {
    Words words = new Words();
    assertThat(words.run("explain", folder.toString(), "--holders")).isEqualTo(1);
    assertThat(words.said()).contains("--holders needs the PID of a running JVM");
  }

  private static List<String> words(Object... all) {
    return Stream.of(all)
        .flatMap(
            one ->
                one instanceof List<?> list
                    ? list.stream().map(String::valueOf)
                    : Stream.of(String.valueOf(one)))
        .toList();
  }
}
