package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The agent put into programs that run, and into some that refuse it. */
@EnabledIfSystemProperty(named = "agent.jar", matches = ".+")
class AttachTest {
  private static final String AGENT = System.getProperty("agent.jar", "");
  private static final int NOBODY = 65_534;

  private final Words words = new Words();

  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void sayWhereTheAgentIs() {
    System.setProperty("offcut.agent.jar", AGENT);
    System.setProperty("offcut.retrofit.jar", System.getProperty("retrofit.jar", ""));
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  private Process started(ProcessBuilder builder) throws IOException {
    started.add(builder.redirectErrorStream(true).start());
    return started.getLast();
  }

  /** A program that reads four objects, and then waits to be ended. */
  private Process start(String... options) throws IOException {
    List<String> command =
        CommandProcess.with(CommandProcess.program(StreamsProgram.class, "a-secret"), options);
    Process program = started(new ProcessBuilder(command));
    List<String> said = new ArrayList<>();
    while (!said.contains("ready")) {
      said.add(String.valueOf(program.inputReader().readLine()));
      assertThat(said).doesNotContain("null");
    }
    return program;
  }

  private static String pid(Process program) {
    return String.valueOf(program.pid());
  }

  private void assertFails(int exitCode, String sentence, String... given) {
    assertThat(words.run(given)).as(words.said()).isEqualTo(exitCode);
    assertThat(words.said().lines())
        .singleElement()
        .asString()
        .startsWith("offcut: ")
        .contains(sentence);
  }

  @Test
  void attach_handsOptionsToTheAgents_andSaysWhatTheySay() throws Exception {
    Process program = start();
    assertThat(
            words.run(
                "attach",
                pid(program),
                "--level=off",
                "--rewrite=jna",
                "--options=unsafe=off,foo=1"))
        .as(words.said())
        .isZero();
    assertThat(words.said())
        .contains(
            "the option foo is unknown",
            "tracks nothing; switched off unsafe",
            "will rewrite JNA's Memory; switched off streams");
  }

  @Test
  void attach_native_samplesMallocUntilItIsDetached() throws Exception {
    Process program = start();
    assertThat(words.run("attach", "--native", pid(program))).as(words.said()).isZero();
    assertThat(words.said()).contains("is in the JVM").doesNotContain("malloc is not sampled");
    Path maps = Path.of("/proc", pid(program), "maps");
    assertThat(Files.readString(maps)).contains(".native\n");
    assertThat(words.run("report", "--json", pid(program))).isIn(0, 5);
    assertThat(words.printed()).contains("\"nativeCallers\":{");
    assertThat(words.run("detach", "--native", pid(program))).as(words.said()).isZero();
    assertThat(words.said()).contains("malloc is not sampled any more in the JVM");
    assertThat(words.run("attach", "--native", pid(program))).as(words.said()).isZero();
    assertThat(words.said()).contains("the agent was in the JVM");
    assertThat(words.run("detach", pid(program))).isEqualTo(2);
    assertThat(words.said()).contains("Missing required option: '--native'");
    assertThat(program.isAlive()).isTrue();
  }

  @Test
  void jvmThatDisabledAttaching_is4() throws Exception {
    Process program = start("-XX:+DisableAttachMechanism");
    assertFails(4, " does not allow attaching (", "attach", pid(program));
  }

  /** Stopped, so that it does not end before it is asked. */
  @Test
  void jvmThatWritesAnArchive_is4_andGoesOn(@TempDir Path folder) throws Exception {
    String java = CommandProcess.program(StreamsProgram.class).get(0);
    Path archive = folder.resolve("classes.jsa");
    Process dump =
        started(
            new ProcessBuilder(java, "-Xshare:dump", "-XX:SharedArchiveFile=" + archive)
                .redirectOutput(folder.resolve("said").toFile()));
    Path maps = Path.of("/proc", pid(dump), "maps");
    while (dump.isAlive() && !Files.readString(maps).contains("libjvm.so")) {
      Thread.onSpinWait();
    }
    signal(dump, "STOP");
    assertFails(4, " writes an archive of classes (-Xshare:dump), which", "attach", pid(dump));
    signal(dump, "CONT");
    assertThat(dump.waitFor()).isZero();
  }

  @Test
  void jvmThatLoadsNoAgents_is4() throws Exception {
    Process program = start("-XX:-EnableDynamicAgentLoading");
    assertFails(
        4, " loads no agents at run time; start it with `offcut run`", "attach", pid(program));
  }

  @Test
  void agentThatCannotBeRead_is1(@TempDir Path folder) throws Exception {
    Path text = Files.writeString(folder.resolve("agent.jar"), "no jar");
    Process program = start();
    System.setProperty("offcut.agent.jar", text.toString());
    assertFails(1, " could not load the agent (", "attach", pid(program));
  }

  /** What its agent published is shown, with its age, and is not waited for in vain. */
  @Test
  void jvmThatIsStopped_isReadFromItsTables_andListedWithOthers() throws Exception {
    Process stopped = start();
    Process other = start();
    assertThat(words.run("attach", pid(stopped))).as(words.said()).isZero();
    assertThat(words.run("report", pid(stopped))).as(words.said()).isZero();
    signal(stopped, "STOP");
    assertThat(words.run("report", pid(stopped))).as(words.said()).isZero();
    assertThat(words.printed().replaceAll("\\s+", " "))
        .contains("The JVM " + pid(stopped) + " is not responding: it has not answered for 10 s")
        .containsPattern("has not published anything for [0-9]+ s. The report is that old.");
    assertThat(words.run("ps")).isZero();
    signal(stopped, "CONT");
    assertThat(words.printed().lines())
        .anyMatch(row -> row.startsWith(pid(stopped) + " ") && row.contains("  no answer  "))
        .anyMatch(
            row ->
                row.startsWith(pid(other) + " ")
                    && row.contains(" " + System.getProperty("java.version") + " ")
                    && row.contains("  -  "))
        .noneMatch(row -> row.contains("secret"));
    assertThat(Path.of("/tmp/.java_pid" + pid(stopped))).exists();
    assertThat(Path.of("/tmp/.java_pid" + pid(other)))
        .as("where it would listen, if it had been asked to")
        .doesNotExist();
  }

  /** With and without the socket that a JVM opens for the first tool. */
  @Test
  void jvmThatIsStopped_is4_andGoesOnUnseen(@TempDir Path folder) throws Exception {
    Path said = folder.resolve("said");
    Process program =
        started(
            new ProcessBuilder(CommandProcess.program(StreamsProgram.class))
                .redirectOutput(said.toFile()));
    while (!Files.readString(said).contains("ready")) {
      Thread.onSpinWait();
    }
    signal(program, "STOP");
    String sentence =
        "the JVM "
            + pid(program)
            + " is not responding: it has not answered for 10 s; a signal or a debugger stopped"
            + " it, and `kill -CONT "
            + pid(program)
            + "` lets it go on";
    assertFails(4, sentence, "attach", pid(program));
    signal(program, "CONT");
    Path socket = Path.of("/tmp/.java_pid" + pid(program));
    while (!Files.exists(socket)) {
      Thread.onSpinWait();
    }
    assertThat(words.run("attach", pid(program))).as("once it goes on").isEqualTo(4);
    assertThat(said).as("no stacks of threads").hasContent("ready");
  }

  private static void signal(Process program, String name) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, pid(program)).start();
    assertThat(kill.waitFor()).isZero();
  }

  @Test
  void jvmOfAnotherUser_is4(@TempDir Path folder) throws Exception {
    assumeTrue(
        System.getProperty("user.name").equals("root") && Files.exists(Path.of("/usr/bin/setpriv")),
        "only root can be another user, by setpriv");
    Process program = start();
    String command = "dev.offcut.command.Main attach " + pid(program);
    Process status =
        new ProcessBuilder(
                ("setpriv --reuid=%1$d --regid=%1$d --clear-groups %2$s -Doffcut.agent.jar=%3$s"
                        + " -cp %4$s %5$s")
                    .formatted(NOBODY, CommandProcess.java(), AGENT, readable(folder), command)
                    .split(" ", -1))
            .redirectErrorStream(true)
            .start();
    assertThat(status.inputReader().readLine())
        .isEqualTo(
            "offcut: the process " + pid(program) + " belongs to root; run this as that user");
    assertThat(status.waitFor()).isEqualTo(4);
  }

  /** The command's classes and what they need, copied to where every user may read them. */
  private static String readable(Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> copies = new ArrayList<>();
    for (String entry : CommandProcess.PATHS.split(File.pathSeparator, -1)) {
      Path from = Path.of(entry);
      if (from.endsWith("command/target/classes")
          || from.endsWith("account/target/classes")
          || entry.matches(".*/(offcut-resident|picocli|jackson-core)[^/]*jar")) {
        Path to = folder.resolve(String.valueOf(copies.size()));
        copy(from, to);
        copies.add(to.toString());
      }
    }
    return String.join(File.pathSeparator, copies);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        Files.copy(file, copy);
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
  }
}
