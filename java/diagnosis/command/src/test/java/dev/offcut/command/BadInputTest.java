package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each bad input gets one sentence, and the exit code of its kind. */
class BadInputTest {
  @TempDir private static Path shared = Path.of("");
  @TempDir private Path folder = Path.of("");

  private final Words words = new Words();

  @BeforeAll
  static void record() throws IOException {
    Scenario.leaking().write(shared.resolve("a.jfr"));
  }

  private static String recording() {
    return shared.resolve("a.jfr").toString();
  }

  private void refuses(int exitCode, String sentence, String... given) {
    assertThat(words.run(given)).isEqualTo(exitCode);
    assertThat(words.said()).contains(sentence).startsWith("offcut: ").hasLineCount(1);
    assertThat(words.printed()).isEmpty();
  }

  private String file(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content).toString();
  }

  @Test
  void source_thatIsNone_is5() throws IOException {
    refuses(5, "there is no no.jfr; SRC is a PID", "report", "no.jfr");
    refuses(5, "is empty: its program", "report", file("empty.jfr", new byte[0]));
    refuses(5, "is no recording of Flight Recorder", "report", file("x.jfr", new byte[100]));
    refuses(5, "nor the file of a run (*.offcut)", "report", file("x.offcut", new byte[100]));
    String empty = Files.createDirectory(folder.resolve("empty")).toString();
    refuses(5, "no file of a run and no recording lies in", "report", empty);
  }

  @Test
  void source_newerFormat_is5() throws IOException {
    byte[] bytes = Files.readAllBytes(shared.resolve("a.jfr"));
    bytes[5] = 3;
    refuses(
        5,
        "is in version 3 of Flight Recorder's format, this reads 2; get a newer offcut",
        "report",
        file("newer.jfr", bytes));
  }

  @Test
  void source_newerAgent_is5() throws IOException {
    Path newer = new Scenario("sample", "9.1.0").write(folder.resolve("newer.jfr"));
    refuses(5, "was recorded by version 9.1.0 of the agent, this is ", "report", newer.toString());
  }

  @Test
  void source_cutOff_is5() throws IOException {
    byte[] bytes = Files.readAllBytes(shared.resolve("a.jfr"));
    byte[] half = Arrays.copyOf(bytes, bytes.length / 2);
    refuses(5, "is not whole: its program was killed, or", "report", file("half.jfr", half));
    byte[] more = Arrays.copyOf(bytes, bytes.length + 100);
    refuses(5, "is not whole", "report", file("more.jfr", more));
    byte[] goesOn = bytes.clone();
    goesOn[64] = 1; // as the recorder leaves it until a chunk is ended
    refuses(5, "is not whole", "report", file("goes-on.jfr", goesOn));
  }

  @Test
  void pid_gone_is4() throws IOException, InterruptedException {
    Process gone = new ProcessBuilder("true").start();
    gone.waitFor();
    String pid = String.valueOf(gone.pid());
    for (String word : new String[] {"report", "web"}) {
      refuses(4, "no process has the PID " + pid + "; `offcut ps` lists the JVMs", word, pid);
    }
  }

  @Test
  void pid_noJvm_is4() throws IOException {
    Process sleep = new ProcessBuilder("sleep", "60").start();
    try {
      String pid = String.valueOf(sleep.pid());
      refuses(4, "the process " + pid + " is no JVM; `offcut ps` lists those that are", "web", pid);
    } finally {
      sleep.destroy();
    }
  }

  @Test
  void pid_thatIsNone_is4() {
    refuses(4, "is no PID", "report", "99999999999999999999");
    refuses(4, "main.jar is no PID", "attach", "main.jar");
  }

  @Test
  void output_there_isKept() throws IOException {
    String there = file("there.html", new byte[] {1});
    refuses(1, "exists already; -f overwrites it", "report", recording(), "-o", there);
    assertThat(Path.of(there)).hasSize(1);
    assertThat(words.run("report", recording(), "-f", "-o", there)).isZero();
    assertThat(Path.of(there)).content().contains("<!DOCTYPE html>");
  }

  @Test
  void output_unwritable_isRefused() {
    String nowhere = folder.resolve("no/x.html").toString();
    refuses(
        1,
        "cannot write " + nowhere + ": there is no directory",
        "report",
        recording(),
        "-o",
        nowhere);
    refuses(1, "it is a directory", "export", recording(), "--to", "json", "-o", folder.toString());
  }

  @Test
  void usage_wrong_is2() {
    assertThat(words.run("diff")).isEqualTo(2);
    assertThat(words.said()).contains("'BASE'", "`offcut diff --help` lists the options");
    assertThat(words.run("report", "--bogus", "x")).isEqualTo(2);
    assertThat(words.run("export", recording(), "--to", "xml")).isEqualTo(2);
    assertThat(words.said()).contains("xml", "json, collapsed, pprof");
    assertThat(words.run("run", "--")).isEqualTo(2);
    assertThat(words.said()).contains("there is no program after --");
    assertThat(words.run("run", "java", "-jar", "x.jar")).isEqualTo(2);
    assertThat(words.said()).contains("put -- before it: offcut run -- java");
  }

  @Test
  void web_addressOfOthers_isRefused() {
    refuses(1, "cannot listen on 192.0.2.1:0", "web", recording(), "--bind", "192.0.2.1");
  }
}
