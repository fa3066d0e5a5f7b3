package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Failure;
import dev.offcut.command.run.FleetWords;
import dev.offcut.test.Await;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import picocli.CommandLine.Model.CommandSpec;

/** Runs that add their counts to a fleet. */
@EnabledIfSystemProperty(named = "agent.jar", matches = ".+")
class RunFleetTest extends GivenRun {
  /** A fleet that notes the names of the files it is given. */
  public static final class NotedFleet implements FleetWords {
    public NotedFleet() {}

    @Override
    public CommandSpec command(PrintStream out, PrintStream err) {
      return CommandSpec.create();
    }

    @Override
    public void check(Target target) {
      // Anything can be added.
    }

    @Override
    public int add(List<Path> files, Target target, PrintStream err) throws Failure {
      try {
        for (Path file : files) {
          assertThat(file).isNotEmptyFile();
          Files.writeString(
              Path.of(target.place()),
              target.service() + " " + file.getFileName() + "\n",
              StandardOpenOption.CREATE,
              StandardOpenOption.APPEND);
        }
      } catch (IOException e) {
        throw Failure.other(e.toString());
      }
      err.println("offcut: noted");
      return 0;
    }
  }

  /** The service is found by the loader of the command's own classes. */
  private CommandProcess offcutWithFleet() throws IOException {
    Path services = Files.createDirectories(folder.resolve("service/META-INF/services"));
    Files.writeString(
        services.resolve(FleetWords.class.getName()), NotedFleet.class.getName() + "\n");
    return offcut("-Xbootclasspath/a:" + folder.resolve("service"));
  }

  @Test
  void run_fleetEverySecond_addsWhileTheProgramRunsAndAtItsEnd() throws Exception {
    Path notes = folder.resolve("notes");
    Process run =
        offcutWithFleet()
            .start(
                words(
                        CommandProcess.program(KeepingProgram.class),
                        "--fleet",
                        notes.toString(),
                        "--service",
                        "orders",
                        "--version",
                        "1",
                        "--every",
                        "1s")
                    .toArray(String[]::new));
    Await.until(
        "two copies are added", () -> Files.exists(notes) && Files.readAllLines(notes).size() >= 2);
    run.getOutputStream().close();
    assertThat(run.waitFor()).isZero();
    List<String> lines = Files.readAllLines(notes);
    assertThat(lines.subList(0, lines.size() - 1))
        .hasSizeGreaterThanOrEqualTo(2)
        .allMatch(line -> line.matches("orders [0-9]+\\.tables"));
    assertThat(lines.getLast()).matches("orders offcut-KeepingProgram\\.[0-9]+\\.offcut");
  }

  @Test
  void run_fleetWithABadTime_saysWhatToDo() throws Exception {
    CommandProcess.Ended ended =
        offcutWithFleet()
            .run(
                words(
                    leaking(0),
                    "--fleet",
                    folder.resolve("notes").toString(),
                    "--service",
                    "orders",
                    "--version",
                    "1",
                    "--every",
                    "0m"));
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err()).contains("'0m' is not a time; examples are 60s, 5m and 1h");
  }

  @Test
  void run_optionsOfAFleet_belongTogether() {
    Words words = new Words();
    assertThat(words.run("run", "--service", "orders", "--", "java")).isEqualTo(2);
    assertThat(words.said()).contains("--fleet=DIR", "--version=VERSION");
  }
}
