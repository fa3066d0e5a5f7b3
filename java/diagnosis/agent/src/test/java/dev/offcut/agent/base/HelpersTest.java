package dev.offcut.agent.base;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.agent.AgentJvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;

/** The helpers in the agent's jar, as the build relocates them. */
class HelpersTest {
  /** The tag of a class in a class file. */
  private static final int CLASS = 7;

  private static final String HELPER = "/Offcut";

  /** Classes of the agent that run after the helpers were defined. */
  private static final List<String> LINKED =
      Stream.of(
              "track/LateTables",
              "track/Ledger",
              "track/Ledger$OwnProof",
              "track/NettyPools",
              "track/ProgramEnd",
              "track/Proof",
              "track/Recorder",
              "track/Tracking",
              "watch/Watching")
          .map(name -> "dev/offcut/agent/" + name)
          .toList();

  /** By internal name. */
  private static final Map<String, byte[]> HELPERS = new LinkedHashMap<>();

  private static final Map<String, byte[]> AGENT = new LinkedHashMap<>();

  @BeforeAll
  static void readJar() throws IOException {
    AgentJvm.files()
        .forEach(
            (name, file) -> {
              if (name.endsWith(".class")) {
                (name.startsWith("dev/offcut/agent/") ? AGENT : HELPERS)
                    .put(name.substring(0, name.length() - ".class".length()), file);
              }
            });
  }

  private static List<String> listed() {
    return Stream.of(
            Helpers.DEFINER,
            Helpers.TRACKING,
            Helpers.DOWNCALLS,
            Helpers.CLOSEABLES,
            Helpers.ARENAS,
            Helpers.STREAMS,
            Helpers.ELEMENTS,
            Helpers.JNA)
        .flatMap(group -> group.names().stream())
        .toList();
  }

  @Test
  void names_areAllClassesOutsideOfTheAgentsPackages() {
    assertThat(listed()).containsExactlyInAnyOrderElementsOf(HELPERS.keySet());
    assertThat(AGENT).containsKey("dev/offcut/agent/Agent");
  }

  @Test
  void names_giveEachClassAfterThoseItExtends() {
    List<String> seen = new ArrayList<>();
    for (String name : listed()) {
      ClassReader file = new ClassReader(HELPERS.get(name));
      assertThat(file.getClassName()).isEqualTo(name);
      List<String> supertypes = new ArrayList<>(List.of(file.getInterfaces()));
      supertypes.add(file.getSuperName());
      supertypes.removeIf(type -> !type.contains(HELPER));
      assertThat(seen).as(name).containsAll(supertypes);
      seen.add(name);
    }
  }

  @Test
  void helpers_nameNothingOfTheAgent() {
    HELPERS.forEach(
        (name, bytes) ->
            assertThat(new String(bytes, ISO_8859_1))
                .as(name)
                .doesNotContain("dev/offcut")
                .doesNotContain("dev.offcut"));
  }

  /**
   * A link that fails once, because the helper is not there yet, would fail for ever. So only those
   * classes have links that run after the helpers were defined.
   */
  @Test
  void agent_linksToHelpers_onlyWhereTheyAreThere() {
    AGENT.forEach(
        (name, bytes) -> {
          if (!LINKED.contains(name)) {
            assertThat(links(bytes)).as(name).isEmpty();
          }
        });
    assertThat(LINKED)
        .allSatisfy(
            name -> assertThat(links(Objects.requireNonNull(AGENT.get(name)))).isNotEmpty());
  }

  /** The helpers that a class file names as classes. */
  private static List<String> links(byte[] bytes) {
    ClassReader file = new ClassReader(bytes);
    List<String> links = new ArrayList<>();
    for (int index = 1; index < file.getItemCount(); index++) {
      int at = file.getItem(index);
      if (at > 0 && file.readByte(at - 1) == CLASS) {
        String name = file.readUTF8(at, new char[file.getMaxStringLength()]);
        if (name.contains(HELPER)) {
          links.add(name);
        }
      }
    }
    return links;
  }

  private static byte[] settings() {
    return Objects.requireNonNull(HELPERS.get("java/util/concurrent/OffcutTrackingSettings"));
  }

  @Test
  void withSettings_replacesTheTextsByTheValues() throws IOException {
    byte[] file = settings();
    byte[] result =
        JavaBase.withSettings(
            file,
            Map.of(
                "sample", "long enough to move the rest",
                "late", "é",
                "libraries", "a. b.",
                "kinds", "a b"));
    assertThat(new ClassReader(result).getClassName())
        .isEqualTo("java/util/concurrent/OffcutTrackingSettings");
    assertThat(new String(result, ISO_8859_1))
        .contains("long enough to move the rest", "\u00C3\u00A9")
        .doesNotContain("offcut setting");
  }

  @Test
  void withSettings_withoutAValue_isAnIOException() {
    byte[] file = settings();
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
