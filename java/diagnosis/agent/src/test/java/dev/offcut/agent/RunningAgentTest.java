package dev.offcut.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import dev.offcut.agent.hooks.HoldingProgram;
import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent in programs that run, and its jar as a program. */
class RunningAgentTest {
  /** What the agent said by then in a JVM with no options at all that it was attached to. */
  private static List<String> attach() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder builder =
        new ProcessBuilder(java, HoldingProgram.class.getName(), "0", "0")
            .redirectErrorStream(true);
    builder.environment().put("CLASSPATH", AgentJvm.classes().toString());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process program = builder.start();
    try {
      assertThat(program.inputReader().readLine()).isEqualTo("ready");
      VirtualMachine jvm = VirtualMachine.attach(String.valueOf(program.pid()));
      try {
        jvm.loadAgent(AgentJvm.AGENT.toString());
        return jvm.getSystemProperties().getProperty(Presence.SAID, "").lines().toList();
      } finally {
        jvm.detach();
      }
    } finally {
      program.destroyForcibly().waitFor();
    }
  }

  @Test
  void attach_toAJvmWithoutOptions_tracksAll() throws Exception {
    int version = Runtime.version().feature();
    String arenas = version >= 25 ? "arenas, " : "";
    String downcalls = version >= 22 ? "downcalls of malloc, " : "";
    assertThat(attach())
        .filteredOn(line -> line.contains("tracks "))
        .singleElement()
        .asString()
        .endsWith(
            "tracks "
                + arenas
                + "direct buffers, Unsafe, JNA's Memory, "
                + downcalls
                + "JNA's Native.malloc, cleaners, finalizers, forced collections (sample)");
  }

  @Test
  void jar_asAProgram_saysWhereTheCommandIs() throws Exception {
    ChildJvm.Output output = AgentJvm.with().and("-jar", AgentJvm.AGENT, "status", 1).runToAnyEnd();
    assertThat(output.err())
        .hasSize(3)
        .anyMatch(line -> line.matches("offcut-agent [0-9]\\S* is an agent, .*"))
        .anyMatch(line -> line.contains("java -javaagent:offcut-agent.jar"))
        .anyMatch(line -> line.contains("offcut attach PID"));
    assertThat(output.out()).isEmpty();
    assertThat(output.exitCode()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.8", "9", "11", "16"})
  void javaBelow17_isTooOldAndSaidSo(String version) {
    assertThat(Launcher.isTooOld(version)).isTrue();
    assertThat(Launcher.needs(version))
        .isEqualTo("this is Java " + version + ", the agent needs 17");
  }

  @ParameterizedTest
  @ValueSource(strings = {"17", "21", "25", "100"})
  void java17OrNewer_isNot(String version) {
    assertThat(Launcher.isTooOld(version)).isFalse();
  }
}
