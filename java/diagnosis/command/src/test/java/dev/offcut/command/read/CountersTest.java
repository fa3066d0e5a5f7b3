package dev.offcut.command.read;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountersTest {
  private static Path own() {
    return Path.of(
        "/tmp/hsperfdata_" + System.getProperty("user.name"),
        String.valueOf(ProcessHandle.current().pid()));
  }

  @Test
  void of_jvm_whatItRunsAndThatToolsMayAttach() {
    assertThat(Counters.of(own()))
        .isEqualTo(new Counters(System.getProperty("sun.java.command"), true));
  }

  @Test
  void of_jvmThatToolsMayNotAttachTo_saysSo(@TempDir Path folder) throws IOException {
    byte[] whole = Files.readAllBytes(own());
    String name = "sun.rt.jvmCapabilities";
    int value = new String(whole, ISO_8859_1).indexOf(name) + name.length();
    while (whole[value] == 0) {
      value++; // padding
    }
    assertThat(whole[value]).isEqualTo((byte) '1');
    whole[value] = '0';
    Path file = Files.write(folder.resolve("1"), whole);
    assertThat(Counters.of(file))
        .isEqualTo(new Counters(System.getProperty("sun.java.command"), false));
  }

  @Test
  void all_ownJvm_isLeftOut() throws IOException {
    assertThat(Counters.all()).doesNotContainKey(ProcessHandle.current().pid());
  }

  @Test
  void of_noCounters_null(@TempDir Path folder) throws IOException {
    byte[] whole = Files.readAllBytes(own());
    Path file = folder.resolve("1");
    for (int length : new int[] {0, 3, 31, 100, 2000}) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThat(Counters.of(file)).as("%d bytes", length).isNull();
    }
    whole[0]++;
    Files.write(file, whole);
    assertThat(Counters.of(file)).isNull();
    assertThat(Counters.of(folder.resolve("2"))).isNull();
  }
}
