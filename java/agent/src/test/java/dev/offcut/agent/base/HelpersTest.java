package dev.offcut.agent.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.agent.jna.AddressMap;
import dev.offcut.longmap.ConcurrentLongMap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;

/** The renamed class files, read by somebody else. */
class HelpersTest {
  private static final Class<?> NEIGHBOUR = ConcurrentHashMap.class;

  private static Map<String, byte[]> read(Class<?>... helpers) throws IOException {
    Map<String, Class<?>> places = new LinkedHashMap<>();
    for (Class<?> helper : helpers) {
      places.put(Helpers.internalName(helper), helper);
    }
    return Helpers.read(NEIGHBOUR, Map.of(), places);
  }

  @Test
  void read_ofTheMap_renamesItAndAllThatIsNested() throws IOException {
    Map<String, byte[]> files = read(ConcurrentLongMap.class, AddressMap.class);
    for (Class<?> nested : ConcurrentLongMap.class.getDeclaredClasses()) {
      assertThat(files)
          .containsKey("java.util.concurrent.OffcutConcurrentLongMap$" + nested.getSimpleName());
    }
    files.forEach(
        (name, bytes) -> {
          assertThat(new ClassReader(bytes).getClassName()).isEqualTo(name.replace('.', '/'));
          assertThat(new String(bytes, StandardCharsets.ISO_8859_1))
              .as(name)
              .doesNotContain("dev/offcut")
              .doesNotContain("dev.offcut");
        });
  }

  @Test
  void read_givesEachClassAfterThoseItExtends() throws IOException {
    List<String> seen = new ArrayList<>();
    read(AddressMap.class, ConcurrentLongMap.class)
        .forEach(
            (name, bytes) -> {
              ClassReader file = new ClassReader(bytes);
              seen.add(file.getClassName());
              List<String> supertypes = new ArrayList<>(List.of(file.getInterfaces()));
              supertypes.add(file.getSuperName());
              supertypes.removeIf(type -> !type.contains("/Offcut"));
              assertThat(seen).as(name).containsAll(supertypes);
            });
    assertThat(seen).isNotEmpty();
  }

  @Test
  void read_ofNoClassFile_isAnIOException() {
    assertThatThrownBy(() -> Helpers.HelperFile.read(new byte[9], Map.of()))
        .isInstanceOf(IOException.class);
    byte[] unknown = {0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 99};
    assertThatThrownBy(() -> Helpers.HelperFile.read(unknown, Map.of()))
        .isInstanceOf(IOException.class)
        .hasRootCauseMessage("not readable: a constant of kind 99");
  }
}
