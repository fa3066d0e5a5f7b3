package dev.offcut.test;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;

/** The classes in an agent's jar: its own, and the helpers as the build relocates them. */
public final class HelperJar {
  /** The tag of a class in a class file. */
  private static final int CLASS = 7;

  private static final String HELPER = "/Offcut";

  /** By internal name. */
  private final Map<String, byte[]> own = new LinkedHashMap<>();

  private final Map<String, byte[]> helpers = new LinkedHashMap<>();

  private HelperJar() {}

  /** That of the agent under test, whose classes are in a package. */
  public static HelperJar read(String folder) throws IOException {
    HelperJar jar = new HelperJar();
    AgentJvm.files()
        .forEach(
            (name, file) -> {
              if (name.endsWith(".class")) {
                (name.startsWith(folder) ? jar.own : jar.helpers)
                    .put(name.substring(0, name.length() - ".class".length()), file);
              }
            });
    return jar;
  }

  /** The agent's own classes. */
  public Map<String, byte[]> own() {
    return own;
  }

  /** The class file of a helper. */
  public byte[] helper(String name) {
    byte[] file = helpers.get(name);
    assertThat(file).as(name).isNotNull();
    return file;
  }

  /** Checks that these are all, each after those it extends, and that they name no agent. */
  public void check(List<String> listed) {
    assertThat(listed).containsExactlyInAnyOrderElementsOf(helpers.keySet());
    List<String> seen = new ArrayList<>();
    for (String name : listed) {
      assertThat(new String(helper(name), ISO_8859_1))
          .as(name)
          .doesNotContain("dev/offcut", "dev.offcut");
      ClassReader file = new ClassReader(helper(name));
      assertThat(file.getClassName()).isEqualTo(name);
      List<String> supertypes = new ArrayList<>(List.of(file.getInterfaces()));
      supertypes.add(file.getSuperName());
      supertypes.removeIf(type -> !type.contains(HELPER));
      assertThat(seen).as(name).containsAll(supertypes);
      seen.add(name);
    }
  }

  /**
   * Checks that only these of the agent's classes name helpers. A link that fails once, because the
   * helper is not there yet, would fail for ever: so they run after the helpers were defined.
   */
  public void checkLinks(List<String> linked) {
    own.forEach(
        (name, bytes) -> {
          if (linked.contains(name)) {
            assertThat(links(bytes)).as(name).isNotEmpty();
          } else {
            assertThat(links(bytes)).as(name).isEmpty();
          }
        });
    assertThat(own.keySet()).containsAll(linked);
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
}
