package dev.offcut.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import shop.Report;

/** What Arrow finds by itself, in JVMs of its own: it looks once. */
class DefaultFactoryTest {
  private static final String EXPECTED = "arrow buffers use 1024 bytes of the pool arrow";

  @TempDir private Path folder = Path.of("");

  @Test
  void rootAllocator_ofAProgramThatNamesNoFactory_usesThePoolOfTheProcess() throws Exception {
    assertThat(run(0, List.of())).contains(EXPECTED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Unsafe", "Unknown", "none"})
  void type_whoseNameArrowFindsHere_usesThePoolOfTheProcess(String type) throws Exception {
    assertThat(run(0, List.of("-Darrow.allocation.manager.type=" + type))).contains(EXPECTED);
  }

  @Test
  void type_netty_isNotHere() throws Exception {
    assertThat(run(1, List.of("-Darrow.allocation.manager.type=Netty")))
        .contains("Please add arrow-memory-netty to your classpath");
  }

  @Test
  void limit_ofTheProcess_isKept() throws Exception {
    assertThat(run(1, List.of("-Doffcut.arrow.limit=8388608"), "large"))
        .contains("OutOfMemoryException: 16777216 bytes for arrow")
        .contains("the limit of the pool, 8388608 bytes, would be exceeded");
  }

  @Test
  void limit_thatIsNoNumber_isRefusedInOneSentence() throws Exception {
    assertThat(run(1, List.of("-Doffcut.arrow.limit=1g")))
        .contains("-Doffcut.arrow.limit=1g: give a number of bytes, such as 268435456");
  }

  @Test
  void arrow_withoutWhatItNeedsOfTheJvm_saysSo() throws Exception {
    assertThat(java(1, List.of("--enable-native-access=ALL-UNNAMED"), "explicit"))
        .contains(
            "Arrow "
                + System.getProperty("arrow.expected")
                + " cannot be used in this JVM: Failed to initialize MemoryUtil. You must start"
                + " Java with");
  }

  @Test
  void buffers_withoutArrowsChecks_haveNoHandle() throws Exception {
    assertThat(run(0, List.of("-Doffcut.handle.detection=full"))).contains("handles 1");
    assertThat(run(0, List.of("-Darrow.enable_unsafe_memory_access=true"))).contains("handles 0");
  }

  private String run(int status, List<String> options) throws Exception {
    return run(status, options, "small");
  }

  private String run(int status, List<String> options, String what) throws Exception {
    List<String> all = new ArrayList<>(options);
    all.add("--enable-native-access=ALL-UNNAMED");
    all.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    return java(status, all, what);
  }

  private String java(int status, List<String> options, String what)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(Arrays.asList(Report.class.getName(), what));
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    assertThat(process.waitFor()).as(Files.readString(out)).isEqualTo(status);
    return Files.readString(out);
  }
}
