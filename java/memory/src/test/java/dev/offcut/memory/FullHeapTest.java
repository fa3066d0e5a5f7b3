package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.handle.Handle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where the Java heap is full what was taken is not lost, and to give back needs no memory. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class FullHeapTest {
  @Test
  void operations_inAFullHeap_loseNothing() throws Exception {
    String handle =
        Path.of(Handle.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .toString();
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-Xmx8m",
                    "-XX:-UseTLAB",
                    "-XX:+UseSerialGC",
                    "-cp",
                    String.join(":", "target/classes", "target/test-classes", handle),
                    FullHeapProgram.class.getName(),
                    String.valueOf(System.nanoTime()),
                    "10"))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said).contains("lost 0");
  }
}
