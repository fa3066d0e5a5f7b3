package dev.offcut.agent.base;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.test.HelperJar;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;

/** The helpers in the agent's jar, as the build relocates them. */
class HelpersTest {
  private static final String SETTINGS = "java/util/concurrent/OffcutTrackingSettings";
  private static final String OWN = "dev/offcut/agent/";

  /** Classes of the agent that run after the helpers were defined. */
  private static final List<String> LINKED =
      Stream.of(
              "Agent",
              "publish/Tables",
              "publish/Ledger",
              "publish/ForcedRows",
              "publish/JvmCounters",
              "publish/NativeMemory",
              "publish/NettyPools",
              "hooks/ProgramEnd",
              "hooks/ProgramStart",
              "hooks/Patching",
              "hooks/Proof",
              "publish/Recorder",
              "Tracking",
              "rules/ClosingMethods",
              "rules/ShapeRules",
              "rules/GeneratedClasses",
              "rules/Watching")
          .map(OWN::concat)
          .toList();

  @Test
  void names_areAllHelpers_inOrder() throws IOException {
    HelperJar.read(OWN)
        .check(
            Stream.of(Helpers.TRACKING, Helpers.DOWNCALLS, Helpers.CLOSEABLES, Helpers.ARENAS)
                .flatMap(group -> group.names().stream())
                .toList());
  }

  @Test
  void agent_linksToHelpers_onlyWhereTheyAreThere() throws IOException {
    HelperJar.read(OWN).checkLinks(LINKED);
  }

  @Test
  void withSettings_replacesTheTextsByTheValues() throws IOException {
    byte[] file = HelperJar.read(OWN).helper(SETTINGS);
    byte[] result =
        JavaBase.withSettings(
            file,
            Map.of(
                "sample", "long enough to move the rest",
                "late", "é",
                "libraries", "a. b.",
                "own", "a.",
                "kinds", "a b"));
    assertThat(new ClassReader(result).getClassName()).isEqualTo(SETTINGS);
    assertThat(new String(result, ISO_8859_1))
        .contains("long enough to move the rest", "\u00C3\u00A9")
        .doesNotContain("offcut setting");
    assertThatThrownBy(() -> JavaBase.withSettings(file, Map.of("sample", "1")))
        .isInstanceOf(IOException.class)
        .hasMessage("no value for the setting late");
  }

  @Test
  void withSettings_ofNoClassFile_isAnIOException() {
    byte[] unknown = {0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 99};
    assertThatThrownBy(() -> JavaBase.withSettings(unknown, Map.of()))
        .isInstanceOf(IOException.class)
        .hasRootCauseMessage("not readable: a constant of kind 99");
  }
}
