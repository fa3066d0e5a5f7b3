package dev.offcut.resident;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A heap of an arena, made by hand in memory of this process. */
class GlibcMallocTest {
  private static final int HEAP = 64 << 20;

  /** Where a heap has its arena's state, and how large that is. */
  private static final int STATE = 48;

  private static final int STATE_SIZE = 2208;

  @TempDir private Path folder = Path.of("");

  /** malloc leaves the pages accessible, and uses them again when the heap grows. */
  @Test
  void claim_ofAHeapThatShrank_isAllThatIsAccessible() throws Exception {
    Path file = folder.resolve("heap");
    Path self = Path.of("/proc/self");
    try (RandomAccessFile data = new RandomAccessFile(file.toFile(), "rw");
        ProcessMemory memory = new ProcessMemory(self)) {
      data.setLength(2 * HEAP);
      MappedByteBuffer buffer = data.getChannel().map(FileChannel.MapMode.PRIVATE, 0, 2 * HEAP);
      buffer.order(ByteOrder.nativeOrder());
      Mapping all =
          Mapping.of(self).stream().filter(m -> m.file().equals(file.toString())).findFirst().get();
      long heap = (all.start() + HEAP - 1) & -HEAP;
      int at = (int) (heap - all.start());
      long size = 1 << 20;
      int first = STATE + STATE_SIZE;
      buffer.putLong(at, heap + STATE);
      buffer.putLong(at + 16, size);
      buffer.putLong(at + first + 8, size - first + 1); // the top, behind a chunk in use
      List<Mapping> mappings =
          Mapping.parse(String.format("%x-%x rw-p 0 00:00 0%nRss: 8 kB%n", heap, heap + 3 * size));

      Claims claims = new Claims();
      GlibcMalloc.Sizes sizes = GlibcMalloc.claim(memory, mappings, () -> 0, claims);

      assertThat(sizes.unread()).isZero();
      assertThat(sizes.arenas()).isEqualTo(1);
      assertThat(claims.atOrAfter(0))
          .isEqualTo(new Claims.Claim(heap, heap + 3 * size, Part.MALLOC_USED, ""));
      assertThat(buffer.getLong(at)).isEqualTo(heap + STATE); // it is mapped until here
    }
  }
}
