package dev.offcut.retrofit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.retrofit.jna.JnaRetrofit;
import dev.offcut.retrofit.jna.MemoryProgram;
import dev.offcut.retrofit.stream.StreamRetrofit;
import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import dev.offcut.test.HelperJar;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The retrofit as a jar, started and attached, and beside the agent that counts. */
class RetrofitTest {
  private static final String MAP = "java.util.concurrent.OffcutAddressMap";

  private static ChildJvm.Output run(ChildJvm jvm, String what) throws Exception {
    return jvm.classPath(AgentJvm.classes(), AgentJvm.library("jna.jar"))
        .and(MemoryProgram.class.getName(), what)
        .run();
  }

  private static List<String> offcuts(ChildJvm.Output output) {
    return output.err().stream().filter(line -> line.startsWith("offcut")).toList();
  }

  @Test
  void jar_hasCopiesOfTheAgentsClasses_inItsOwnPackage() throws Exception {
    HelperJar jar = HelperJar.read("dev/offcut/retrofit/");
    jar.check(
        Stream.of(StreamRetrofit.HELPERS, StreamRetrofit.ELEMENTS, JnaRetrofit.HELPERS)
            .flatMap(group -> group.names().stream())
            .toList());
    jar.checkLinks(List.of());
    assertThat(jar.own()).containsKeys("dev/offcut/retrofit/Launcher", "dev/offcut/retrofit/Agent");
    ChildJvm.Output output = AgentJvm.with().and("-jar", AgentJvm.AGENT).runToAnyEnd();
    assertThat(output.err())
        .anyMatch(line -> line.matches("offcut-retrofit [0-9]\\S* is an agent, .*"))
        .anyMatch(line -> line.contains("java -javaagent:offcut-retrofit.jar"));
  }

  @Test
  void start_saysOnceWhatIsRewritten() throws Exception {
    assertThat(offcuts(run(AgentJvm.withAgent("jna=off"), "use")))
        .singleElement()
        .asString()
        .endsWith(": will rewrite ObjectInputStream (17 collections); switched off jna");
  }

  @Test
  void wrongOptions_areNamed_andTheRestWorks() throws Exception {
    String options = "quiet=on,streams=maybe,jnna=off,verify=0,jna=on,jna=off,jna=true";
    ChildJvm.Output output = run(AgentJvm.withAgent(options), "close");
    assertThat(offcuts(output))
        .containsExactly(
            "offcut: streams=maybe is neither on nor off; on is used",
            "offcut: the option jnna is unknown; known are streams, jna, verify, quiet",
            "offcut: verify=0 is not a number from 1 on; nothing is verified");
    assertThat(output.value("class")).isEqualTo(MAP);
  }

  @Test
  void givenTwice_theFirstCounts() throws Exception {
    ChildJvm jvm = AgentJvm.withAgent("").and(AgentJvm.agent("jna=off"));
    ChildJvm.Output output = run(jvm, "close");
    assertThat(output.said())
        .containsExactly(
            "offcut: the retrofit is in this JVM already; loading it again has no effect");
    assertThat(output.value("class")).isEqualTo(MAP);
  }

  @Test
  void besideTheAgentThatCounts_bothStart() throws Exception {
    String counting = "-javaagent:" + System.getProperty("counting.jar") + "=level=full";
    ChildJvm.Output output = run(AgentJvm.withAgent("").and(counting), "close");
    assertThat(output.value("class")).isEqualTo(MAP);
    assertThat(offcuts(output))
        .hasSize(2)
        .anyMatch(line -> line.contains("will rewrite"))
        .anyMatch(line -> line.contains("tracks "));
  }

  @Test
  void attachedBeforeMemoryIsLoaded_retrofits() throws Exception {
    ChildJvm.Output output = attached("early");
    assertThat(output.value("class")).isEqualTo(MAP);
    assertThat(output.said()).isEmpty();
  }

  @Test
  void attachedAfterMemoryIsLoaded_leavesItAndSaysSo() throws Exception {
    ChildJvm.Output output = attached("late");
    assertThat(output.value("class")).isEqualTo("java.util.concurrent.ConcurrentHashMap");
    assertThat(output.value("closed")).isEqualTo("0");
    assertThat(output.said())
        .containsExactly("offcut: JNA's Memory was loaded before the agent; left as it is");
  }

  private static ChildJvm.Output attached(String when) throws Exception {
    return AgentJvm.with("-Djdk.attach.allowAttachSelf=true")
        .classPath(AgentJvm.classes(), AgentJvm.library("jna.jar"))
        .and(MemoryProgram.class.getName(), when, AgentJvm.AGENT)
        .run();
  }
}
