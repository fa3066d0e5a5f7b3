package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.CommandProcess.Ended;
import dev.offcut.test.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What holds open objects, of a program that holds them in ways that are known. */
@EnabledIfSystemProperty(named = "agent.jar", matches = ".+")
class HoldersTest extends GivenRun {
  private static final String CLASS = "dev.offcut.command.HoldingProgram";

  private CommandProcess in(String name, String... options) throws IOException {
    return new CommandProcess(Files.createDirectory(folder.resolve(name)), Map.of(), options);
  }

  private static long pid(Process run, CommandProcess command) throws Exception {
    Await.until("the program holds all", () -> command.printed().contains("holding"));
    return run.children().findFirst().orElseThrow().pid();
  }

  @Test
  void report_holders_saysByWhichPathsObjectsAreHeld() throws Exception {
    CommandProcess command = in("run");
    List<String> program = CommandProcess.program(HoldingProgram.class);
    Process run = command.start(words(program, "--no-report", "--watch", CLASS + "$Ticket"));
    long pid = pid(run, command);

    Ended known = in("a").run("report", "" + pid, "--holders");
    assertThat(known.err()).contains("stop the program for about", "the program was stopped for");
    assertThat(known.exitCode()).isZero();
    assertThat(known.out().replaceAll("\\s+", " "))
        .contains("2,130 " + CLASS + "$Ticket open, held by 2,000: the static field")
        .contains("2,000: the static field " + CLASS + ".CACHE (java.util.HashMap) 100: ")
        .contains("in the thread worker-# → " + CLASS + ".own (java.util.ArrayList)")
        .contains("1 direct buffer open, held by 1: the static field " + CLASS + ".BUFFERS")
        .contains("1 shared arena open, held by 1: a variable of " + CLASS + ".main(");

    Ended refused = in("b").run("report", "" + pid, "--holders", "--longest-stop", "0.5");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err())
        .contains("and the limit is 0.5 s; --longest-stop SECONDS allows more");

    Path none = folder.resolve("none.jar");
    Ended unread = in("c", "-Doffcut.heap.jar=" + none).run("report", "" + pid, "--holders");
    assertThat(unread.exitCode()).isEqualTo(1);
    assertThat(unread.err()).contains("the reader of heap dumps is not at " + none);

    run.getOutputStream().close();
    assertThat(command.ended(run).exitCode()).isZero();
  }

  private Ended end(String how) throws Exception {
    CommandProcess command = in("run");
    List<String> program = CommandProcess.program(HoldingProgram.class, how);
    String watched = CLASS + "$Ticket";
    Process run = command.start(words(program, "-o", "it", "--holders", "--watch", watched));
    long pid = pid(run, command);
    Path workspace = workspace(command);
    Path tables = workspace.resolve("tables/" + pid + ".tables");
    // What halts before it published anything has no report.
    Words words = new Words();
    Await.until(
        "counts in " + tables,
        () -> {
          words.run("report", tables.toString());
          return words.printed().contains("buffer.direct");
        });
    run.getOutputStream().close();
    Ended ended = command.ended(run);
    assertThat(workspace).doesNotExist();
    return ended;
  }

  private String text() throws IOException {
    return Files.readString(folder.resolve("run/it.txt")).replaceAll("\\s+", " ");
  }

  private String read(String... options) {
    Words words = new Words();
    List<String> given = new ArrayList<>(List.of("report", folder.resolve("run/it.offcut") + ""));
    given.addAll(List.of(options));
    assertThat(words.run(given.toArray(String[]::new))).isZero();
    return words.printed();
  }

  @Test
  void run_holders_saysWhatHeldThemWhenTheHooksWereDone() throws Exception {
    Ended ended = end("exit");
    assertThat(ended.exitCode()).isEqualTo(HoldingProgram.EXITED);
    assertThat(ended.err())
        .contains("the end of the program waits for a heap dump", "the program was stopped for");
    assertThat(text())
        .contains("This is intended if they belong to a cache or a pool.")
        .contains(
            "What holds them: the static field " + CLASS + ".BUFFERS (java.util.ArrayList): 1.")
        .contains("2,100 " + CLASS + "$Ticket open, held by 2,000: the static field")
        .contains("1 direct buffer open, held by 1: the static field " + CLASS + ".BUFFERS")
        .doesNotContain(".HOOKED");
    String json = read("--json");
    assertThat(ReportSchema.problemsOf(json)).isEmpty();
    assertThat(json)
        .contains("\"holders\":{\"problem\":\"\",\"held\":[{")
        .contains("\"count\":2000,\"by\":\"the static field " + CLASS + ".CACHE");
    assertThat(read()).contains("2,100 " + CLASS + "$Ticket open, held by");
    assertThat(Files.readString(folder.resolve("run/it.html")).replaceAll("\\s+", " "))
        .contains("open, held by 2,000: the static field");
  }

  @Test
  void run_holdersOfAProgramThatHalts_saysWhyNobodyLooked() throws Exception {
    assertThat(end("halt").exitCode()).isEqualTo(HoldingProgram.HALTED);
    assertThat(text())
        .contains(
            "What holds open resources The program was killed or halted, so nobody could look")
        .doesNotContain("What holds them");
  }

  @Test
  void run_holdersWithNothingOpen_dumpsNothing() throws Exception {
    CommandProcess command = in("run");
    Ended ended =
        command.run(words(CommandProcess.program(EmptyProgram.class), "-o", "it", "--holders"));
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.err()).doesNotContain("heap dump");
    assertThat(text()).contains("What holds open resources None was found.");
  }

  @Test
  void run_holdersOfWhatNobodyCounts_saysThatItIsNotKnown() throws Exception {
    List<String> program =
        CommandProcess.with(CommandProcess.program(EmptyProgram.class), "-Doffcut.buffers=off");
    Ended ended = in("run").run(words(program, "-o", "it", "--holders", "--rules", "off"));
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.err()).doesNotContain("heap dump");
    assertThat(text())
        .contains(
            "What holds open resources Nothing that is counted was open, so no heap was dumped."
                + " Nobody counted direct buffers (switched off, or not tracked on this JDK), and"
                + " objects of classes that rules name: whether any of these are open is not"
                + " known.")
        .doesNotContain("None was found");
  }

  static final class EmptyProgram {
    private EmptyProgram() {}

    public static void main(String[] args) {
      System.out.println("nothing");
    }
  }

  @Test
  void watch_holders_saysWhatHeldThemAtTheSecondMark() throws Exception {
    CommandProcess command = in("run");
    Process run =
        command.start(
            words(
                CommandProcess.program(HoldingProgram.class),
                "--no-report",
                "--watch",
                CLASS + "$Ticket"));
    long pid = pid(run, command);
    Ended watched = in("a").run("watch", "" + pid, "--for", "0.5s", "--holders");
    assertThat(watched.exitCode()).as(watched.err()).isZero();
    assertThat(watched.out().replaceAll("\\s+", " "))
        .contains("held by 2,000: the static field " + CLASS + ".CACHE");
    Ended refused =
        in("b").run("watch", "" + pid, "--for", "0.5s", "--holders", "--longest-stop", "0.5");
    assertThat(refused.exitCode()).isZero();
    assertThat(refused.out().replaceAll("\\s+", " ")).contains("--holders is left out: a heap");
    run.getOutputStream().close();
    assertThat(command.ended(run).exitCode()).isZero();
  }

  @Test
  void report_holdersOfAFile_saysThatItNeedsAProgram() {
    Words words = new Words();
    assertThat(words.run("report", folder.toString(), "--holders")).isEqualTo(1);
    assertThat(words.said()).contains("--holders needs the PID of a running JVM");
  }
}
