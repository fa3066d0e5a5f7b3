package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AgentBeanTest {
  @TempDir private Path folder = Path.of("");

  private static ChildJvm program(int version, String... options) throws Exception {
    return AgentJvm.of(version, options)
        .and(AgentJvm.agent("level=full"))
        .classPath(AgentJvm.classes())
        .and(BeanProgram.class.getName());
  }

  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void bean_ofAProgramWithAnMBeanServer_hasTheCountsAndTheLineOfWhatIsOpen(int version)
      throws Exception {
    ChildJvm.Output output = program(version).and("with").run();
    assertThat(output.value("version")).isNotEmpty();
    assertThat(output.value("level")).isEqualTo("full");
    assertThat(output.value("attached")).isEqualTo("false");
    assertThat(output.value("patched")).contains("direct buffers");
    // The JDK may have some of its own.
    assertThat(output.value("buffer.direct")).matches("[3-9] [3-9] [1-9]\\d{3,}");
    assertThat(output.outText())
        .contains("account {\"schema\":\"offcut.accounts/1\"")
        .contains("\"part\":\"HEAP_USED\"")
        .containsPattern(
            "site buffer\\.direct 3 3 0 3000 dev\\.offcut\\.agent\\.publish\\.BeanProgram\\.main\\("
                + "BeanProgram\\.java:\\d+\\)");
  }

  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void bean_ofAProgramWithoutAnMBeanServer_makesNone(int version) throws Exception {
    Path loaded = folder.resolve("loaded");
    program(version, "-Xlog:class+load:file=" + loaded).and("without").run();
    assertThat(Files.readString(loaded))
        .contains("dev.offcut.agent.publish.Tables ")
        .doesNotContain("AgentBean")
        .doesNotContain("javax.management.MBeanServer");
  }
}
