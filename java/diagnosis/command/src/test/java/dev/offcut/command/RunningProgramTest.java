package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.Await;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A program that runs, and was started without the agent. */
@EnabledIfSystemProperty(named = "agent.jar", matches = ".+")
class RunningProgramTest {
  private static final Pattern ADDRESS = Pattern.compile("live page at (http://[^\\s]+)");

  @TempDir private Path folder = Path.of("");

  private final Words words = new Words();
  private Process program = new ProcessBuilder("true").inheritIO().start();
  private String pid = "";

  RunningProgramTest() throws Exception {}

  @BeforeEach
  void start() throws Exception {
    System.setProperty("offcut.agent.jar", System.getProperty("agent.jar"));
    System.setProperty("offcut.retrofit.jar", System.getProperty("retrofit.jar"));
    program =
        new ProcessBuilder(CommandProcess.program(LeakingProgram.class, "10", "0", "wait"))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("program").toFile())
            .start();
    pid = String.valueOf(program.pid());
    // A JVM that is only starting may miss the signal at which it opens its socket.
    Path said = folder.resolve("program");
    Await.until("the program waits", () -> Files.readString(said).contains("waiting"));
  }

  @AfterEach
  void kill() throws Exception {
    program.destroyForcibly().waitFor();
  }

  @Test
  void export_withoutAgent_saysHowToPutItThere() {
    assertThat(words.run("export", pid, "--to", "json")).isEqualTo(1);
    assertThat(words.said())
        .isEqualTo(
            "offcut: the agent is not in the JVM "
                + pid
                + "; `offcut attach "
                + pid
                + "` puts it there\n");
  }

  @Test
  void report_withoutAgent_addsUp() {
    assertThat(words.run("report", pid)).as(words.said()).isZero();
    assertThat(words.printed())
        .contains("LeakingProgram, process " + pid + ", JDK ", "Observed from outside.")
        .containsPattern("\\n  Java heap, used +[0-9.]+ MiB")
        .containsPattern("\\n  malloc, in use +[0-9.]+ MiB")
        .containsPattern("\\n  resident +[0-9.]+ MiB")
        .contains("The Java heap may grow to ");
  }

  @Test
  void report_ofAProcessThatIsNoJvm_addsUp() throws Exception {
    Process other = new ProcessBuilder("sleep", "100").start();
    try {
      assertThat(words.run("report", String.valueOf(other.pid()))).as(words.said()).isZero();
      assertThat(words.printed())
          .contains("sleep, process " + other.pid() + "\n")
          .containsPattern("\\n  resident +[0-9.]+ [KM]iB")
          .doesNotContain("JDK", "JVM");
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void attach_thenOthers_showIt() throws Exception {
    assertThat(words.run("attach", pid, "--level", "full")).as(words.said()).isZero();
    assertThat(words.said()).contains("the agent is in the JVM " + pid, "next: offcut web " + pid);
    publishesWithoutRecorder();
    assertThat(words.run("attach", pid, "--record")).isZero();
    assertThat(words.said()).contains("was in the JVM " + pid + " already");
    assertThat(words.run("ps")).isZero();
    assertThat(words.printed()).containsPattern(pid + " +[0-9.]+ +[^ ]+ +yes +[^ ]*LeakingProgram");
    assertThat(words.run("ps", "--json")).isZero();
    assertThat(words.printed()).contains("{\"pid\":" + pid, "\"records\":true");
    assertThat(words.run("report", pid)).as(words.said()).isZero();
    assertThat(words.printed()).contains("process " + pid, "The program still runs");
    showsItLive();
  }

  private void publishesWithoutRecorder() throws Exception {
    assertThat(words.run("ps", "--json")).isZero();
    assertThat(words.printed()).containsPattern("\\{\"pid\":" + pid + ",[^}]*\"records\":false");
    assertThat(words.run("attach", pid)).as("twice").isZero();
    assertThat(words.run("report", pid)).as(words.said()).isZero();
    assertThat(words.printed()).contains("LeakingProgram, process " + pid);
    // What it has not seen comes first.
    assertThat(words.printed().lines().skip(1).findFirst().orElse(""))
        .startsWith(
            "  The program was running already when the agent was attached. At that time it had ");
    assertThat(words.printed().replaceAll("\\s+", " "))
        .containsPattern(
            "had [0-9,]+ direct buffers? with [0-9.]+ [KM]?i?B; [0-9.]+ [KM]?i?B of mapped files;"
                + " [0-9.]+ MiB of malloc");
    assertThat(words.run("report", "--json", pid)).isZero();
    assertThat(ReportSchema.problemsOf(words.printed())).isEmpty();
    assertThat(words.printed()).contains("The program still runs");
  }

  /** What nobody can close any more is known after a collection, and not before. */
  @Test
  void report_withCollect_findsWhatIsLost() throws Exception {
    assertThat(words.run("report", pid, "--collect", "--yes")).isEqualTo(1);
    assertThat(words.said()).contains("the agent is not in the JVM " + pid);
    assertThat(words.run("attach", pid)).as(words.said()).isZero();
    program.getOutputStream().write('x');
    program.getOutputStream().flush();
    Path said = folder.resolve("program");
    Await.until(
        "it forgot more",
        () -> Files.readString(said).lines().filter("forgot 10"::equals).count() == 2);
    String offer = "`offcut report " + pid + " --collect` also tells which open resources are lost";
    Await.until(
        "the agent has told",
        () -> words.run("report", pid) == 0 && words.printed().contains(offer));
    assertThat(words.printed()).contains("arena.confined").doesNotContain("LOST");
    assertThat(words.run("report", pid, "--collect")).isEqualTo(1);
    assertThat(words.said()).contains("may stop the JVM " + pid, "--yes agrees to it");
    assertThat(words.run("report", pid, "--collect", "--yes")).as(words.said()).isZero();
    assertThat(words.printed())
        .contains("LOST       10 confined arenas", "The JVM collected garbage just before");
    assertThat(words.run("report", "file", "--collect")).isEqualTo(1);
    assertThat(words.said()).contains("--collect needs the PID of a running JVM");
  }

  /** Nothing may be said of a collection that the agent has not seen. */
  @Test
  void report_withCollect_ofAJvmWithoutCollector_saysSo() throws Exception {
    List<String> command =
        new ArrayList<>(CommandProcess.program(LeakingProgram.class, "10", "0", "wait"));
    command.remove("-XX:+UseSerialGC");
    command.addAll(
        1,
        List.of(
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:+UseEpsilonGC",
            "-javaagent:" + System.getProperty("agent.jar")));
    Process other = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      other.getInputStream().read(); // it runs
      String its = String.valueOf(other.pid());
      assertThat(words.run("report", its, "--collect", "--yes")).as(words.said()).isZero();
      assertThat(words.printed())
          .contains("the agent has not seen a collection")
          .doesNotContain("The JVM collected garbage");
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void attach_toAnAgentThatTracksNothing_saysSoEachTime() throws Exception {
    List<String> command =
        CommandProcess.with(
            CommandProcess.program(LeakingProgram.class, "10", "0", "wait"),
            CommandProcess.agent("level=off"));
    Process other = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      other.getInputStream().read(); // it runs
      for (int i = 0; i < 2; i++) {
        assertThat(words.run("attach", String.valueOf(other.pid()))).isEqualTo(1);
        assertThat(words.said())
            .contains(
                "publishes nothing, so no report can be made: it counts nothing", "level=sample");
      }
    } finally {
      other.destroyForcibly().waitFor();
    }
  }

  /** Nobody asked for a recording: a full disk would end the program. */
  @Test
  void attach_whereTheUsualFolderIsAnothers_publishesInMemory_andRecordsNothing() throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("temporary"));
    Path other = Files.createDirectory(folder.resolve("elsewhere"));
    Files.createSymbolicLink(temporary.resolve("offcut-" + uid()), other);
    List<String> command =
        CommandProcess.with(
            CommandProcess.program(LeakingProgram.class, "10", "0", "wait"),
            "-Djava.io.tmpdir=" + temporary);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("XDG_RUNTIME_DIR");
    Process started = builder.start();
    try {
      started.getInputStream().read(); // it runs
      String number = String.valueOf(started.pid());
      assertThat(words.run("attach", number)).as(words.said()).isZero();
      assertThat(words.run("report", number)).as(words.said()).isZero();
      assertThat(words.run("ps", "--json")).isZero();
      assertThat(words.printed())
          .containsPattern("\\{\"pid\":" + number + ",[^}]*\"records\":false");
      assertThat(other).isEmptyDirectory();
    } finally {
      started.destroyForcibly().waitFor();
    }
  }

  private static Object uid() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid");
  }

  private void showsItLive() throws Exception {
    CommandProcess offcut = new CommandProcess(folder, Map.of());
    Process web = offcut.start("web", pid);
    try {
      Await.until("the page is served", () -> ADDRESS.matcher(offcut.said()).find());
      Matcher address = ADDRESS.matcher(offcut.said());
      assertThat(address.find()).isTrue();
      URI page = URI.create(address.group(1));
      assertThat(get(page)).contains("<!DOCTYPE html>");
      URI latest = page.resolve("api/v1/snapshot");
      Await.until("there is a snapshot", () -> get(latest).startsWith("{"));
      String snapshot = get(latest);
      assertThat(ReportSchema.problemsOf(snapshot)).isEmpty();
      assertThat(snapshot).contains("\"pid\":" + pid, "\"complete\":false");
      program.destroy();
      CommandProcess.Ended ended = offcut.ended(web);
      assertThat(ended.exitCode()).isZero();
      assertThat(ended.err()).contains("the program " + pid + " has ended");
    } finally {
      web.destroyForcibly().waitFor();
    }
  }

  private static String get(URI address) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
    boolean ok = connection.getResponseCode() == HttpURLConnection.HTTP_OK;
    try (InputStream in = ok ? connection.getInputStream() : connection.getErrorStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
