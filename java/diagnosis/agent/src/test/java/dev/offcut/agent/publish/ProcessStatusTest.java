package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

/** What counts as a mapped file. */
class ProcessStatusTest {
  private static final int BYTES = 16 << 20;

  /** How many bytes of mapped files more there are with one in that folder. */
  private static long more(Path folder) throws IOException {
    Path file = Files.createTempFile(folder, "offcut", ".data");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long before = ProcessStatus.mappedFiles();
      MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
      for (int at = 0; at < BYTES; at += 512) {
        bytes.put(at, (byte) 1);
      }
      long after = ProcessStatus.mappedFiles();
      bytes.put(0, (byte) 2); // in use until here
      return after - before;
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void mappedFiles_file_counts() throws IOException {
    assertThat(more(Path.of("").toAbsolutePath())).isGreaterThanOrEqualTo(BYTES);
  }

  /** The system counts it as shared, so that it would be counted twice. */
  @Test
  void mappedFiles_memory_doesNot() throws IOException {
    assertThat(more(Path.of("/dev/shm"))).isLessThan(BYTES / 2);
  }
}
