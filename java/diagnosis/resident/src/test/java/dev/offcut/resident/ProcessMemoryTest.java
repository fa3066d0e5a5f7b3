package dev.offcut.resident;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessMemoryTest {
  private static final int BYTES = 1 << 30;

  @TempDir private Path folder = Path.of("");

  /** It is looked at in pieces: pages are found in each, and at their borders. */
  @Test
  void pages_ofALargeRange_areThoseThatWereTouched() throws Exception {
    int page = (int) ProcessMemory.PAGE;
    int[] touched = {0, 3 * page, (256 << 20) - page, 256 << 20, 700 << 20, BYTES - page};
    Path file = folder.resolve("large");
    Path self = Path.of("/proc/self");
    try (RandomAccessFile data = new RandomAccessFile(file.toFile(), "rw");
        ProcessMemory memory = new ProcessMemory(self)) {
      data.setLength(BYTES);
      MappedByteBuffer buffer = data.getChannel().map(FileChannel.MapMode.PRIVATE, 0, BYTES);
      for (int at : touched) {
        buffer.putLong(at, at + 1L); // a private copy of one page
      }
      Mapping mapping =
          Mapping.of(self).stream().filter(m -> m.file().equals(file.toString())).findFirst().get();
      ProcessMemory.Pages pages = memory.pages(mapping.start(), mapping.end());

      assertThat(pages.residentBytes(mapping.start(), mapping.end()))
          .isEqualTo(touched.length * (long) page)
          .isEqualTo(mapping.resident());
      for (int at : touched) {
        assertThat(pages.isResident(mapping.start() + at)).isTrue();
        assertThat(Long.reverseBytes(pages.word(mapping.start() + at))).isEqualTo(at + 1L);
      }
      assertThat(pages.isResident(mapping.start() + page)).isFalse();
      assertThat(pages.word(mapping.start() + page)).isEqualTo(-1);
      assertThat(pages.isResident(mapping.end())).isFalse();
      assertThat(buffer.getLong(0)).isEqualTo(1); // it is mapped until here
    }
  }
}
