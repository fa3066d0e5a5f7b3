package dev.offcut.agent.command;

import static dev.offcut.agent.command.CommandTest.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.offcut.agent.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that the command cannot get at: one sentence each, and an exit code. */
class UnreachableTest {
  private static final int NOBODY = 65_534;

  private static ChildJvm.Output status(long pid) throws Exception {
    return ChildJvm.with().and("-jar", ChildJvm.AGENT, "status", pid).runToAnyEnd();
  }

  private static ChildJvm.Output attach(long pid) throws Exception {
    return ChildJvm.with().and("-jar", ChildJvm.AGENT, "attach", pid).runToAnyEnd();
  }

  @Test
  void processThatIsGone_isExit4() throws Exception {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    long pid = process.pid();
    assertFails(status(pid), 4, "no process has the PID " + pid + "; `list` shows the JVMs");
  }

  @Test
  void processThatIsNoJvm_isExit4_andIsLeftAlone() throws Exception {
    Process process = new ProcessBuilder("sh", "-c", "trap 'exit 3' QUIT; read line").start();
    long pid = process.pid();
    assertFails(status(pid), 4, "the process " + pid + " is no JVM; `list` shows those that are");
    assertThat(process.isAlive()).isTrue();
    process.outputWriter().close();
    assertThat(process.waitFor()).isNotEqualTo(3);
  }

  @Test
  void jvmThatDisabledAttaching_isExit4() throws Exception {
    ChildJvm jvm = ChildJvm.with("-XX:+DisableAttachMechanism");
    try (RunningProgram program = RunningProgram.start(jvm, 0)) {
      assertFails(attach(program.pid()), 4, "the JVM " + program.pid() + " lets nobody attach (");
    }
  }

  @Test
  void jvmThatLoadsNoAgents_isExit4_andSaysWhatIsKnown() throws Exception {
    ChildJvm jvm = ChildJvm.withAgent("jna=off").and("-XX:-EnableDynamicAgentLoading");
    try (RunningProgram program = RunningProgram.start(jvm, 0)) {
      ChildJvm.Output output = status(program.pid());
      assertFails(output, 4, " loads no agent while it runs; start it with -XX:+EnableDynamic");
      assertThat(output.out()).anyMatch(line -> line.endsWith("; switched off jna"));
    }
  }

  @Test
  void javaWithoutTheModule_isExit1() throws Exception {
    ChildJvm.Output output =
        ChildJvm.with("--limit-modules", "java.base")
            .and("-jar", ChildJvm.AGENT, "list")
            .runToAnyEnd();
    assertFails(output, 1, " lacks the module jdk.attach; run this with the java of a JDK");
  }

  @Test
  void jvmOfAnotherUser_isExit4(@TempDir Path folder) throws Exception {
    assumeTrue(
        System.getProperty("user.name").equals("root") && Files.exists(Path.of("/usr/bin/setpriv")),
        "only root can be another user, by setpriv");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path jar = Files.copy(ChildJvm.AGENT, folder.resolve("agent.jar"));
    Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-r--r--"));
    try (RunningProgram program = RunningProgram.start(ChildJvm.withAgent(""), 0)) {
      long pid = program.pid();
      for (String word : new String[] {"status", "attach", "report"}) {
        ChildJvm.Output output =
            ChildJvm.with()
                .startedBy("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups")
                .and("-jar", jar, word, pid)
                .runToAnyEnd();
        assertFails(output, 4, "the process " + pid + " belongs to root; run this as that user");
      }
    }
  }
}
