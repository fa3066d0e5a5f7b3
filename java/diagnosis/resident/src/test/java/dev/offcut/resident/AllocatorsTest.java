package dev.offcut.resident;

import static dev.offcut.resident.ProcessMemory.PAGE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of allocators, made by hand in memory of this process. */
class AllocatorsTest {
  private static final int BYTES = 128 << 20;

  /** A library's data, with the roots; a leaf; what leaves lead to. */
  private static final int DATA = 0;

  private static final int ROOTS = 64;
  private static final int LEAF = 4 << 20;
  private static final int RECORDS = 8 << 20;
  private static final int LEAF_WORDS = 1 << 18;

  /** Where the records that are planted say that memory is: nothing is there. */
  private static final long EXTENTS = 0x7e0000000000L;

  @TempDir private Path folder = Path.of("");
  private final Claims claims = new Claims();
  private MappedByteBuffer buffer;
  private RandomAccessFile file;
  private long start;
  private ProcessMemory memory;

  @BeforeEach
  void map() throws IOException {
    Path path = folder.resolve("memory");
    file = new RandomAccessFile(path.toFile(), "rw");
    file.setLength(BYTES);
    buffer = file.getChannel().map(FileChannel.MapMode.PRIVATE, 0, BYTES);
    buffer.order(ByteOrder.nativeOrder());
    Path self = Path.of("/proc/self");
    start =
        Mapping.of(self).stream()
            .filter(mapping -> mapping.file().equals(path.toString()))
            .findFirst()
            .orElseThrow()
            .start();
    memory = new ProcessMemory(self);
  }

  @AfterEach
  void close() throws IOException {
    memory.close();
    file.close();
  }

  private boolean claim(String allocator) throws IOException {
    List<Mapping> mappings =
        Mapping.parse(
            String.format("%x-%x rw-p 00000000 00:00 0%nRss: 131072 kB%n", start, start + BYTES));
    return new Allocators(memory, mappings, claims, "a library")
        .claim(allocator, start + DATA, start + LEAF);
  }

  private void put(int at, long word) {
    buffer.putLong(at, word);
  }

  /** Twenty extents of a page each, every second page; {@code shift}: by so much they lie. */
  private void plantExtents(long shift) {
    long first = EXTENTS / PAGE;
    put(ROOTS + (int) (first / LEAF_WORDS) * Long.BYTES, start + LEAF);
    for (int i = 0; i < 20; i++) {
      int record = RECORDS + i * 128;
      put(record + 8, EXTENTS + 2L * i * PAGE + shift);
      int word = LEAF + (int) (first % LEAF_WORDS + 2L * i) * Long.BYTES;
      put(word, (start + record) | (5L << 48) | 1);
    }
  }

  @Test
  void claim_ofJemalloc_isWhatItsRecordsName() throws IOException {
    plantExtents(0);

    assertThat(claim("jemalloc")).isTrue();
    for (int i = 0; i < 20; i++) {
      long at = EXTENTS + 2L * i * PAGE;
      assertThat(claims.atOrAfter(at))
          .isEqualTo(new Claims.Claim(at, at + PAGE, Part.ALLOCATOR, "a library"));
    }
  }

  /** Else any pointers in a library's data would be taken for tables. */
  @Test
  void claim_ofRecordsThatNameOtherPages_isNothing() throws IOException {
    plantExtents(PAGE);

    assertThat(claim("jemalloc")).isFalse();
    assertThat(claims.atOrAfter(0)).isNull();
  }

  /** What is the JVM's is no allocator's, and is not read. */
  @Test
  void claim_ofTablesInThePartOfAnother_isNothing() throws IOException {
    plantExtents(0);
    claims.add(start + RECORDS, start + BYTES, Part.HEAP_USED);

    assertThat(claim("jemalloc")).isFalse();
  }

  @Test
  void claim_ofTcmalloc_isWhatItsSpansName() throws IOException {
    long first = EXTENTS / (8 << 10);
    put(ROOTS + (int) (first / LEAF_WORDS) * Long.BYTES, start + LEAF);
    for (int i = 0; i < 20; i++) {
      int span = RECORDS + i * 64;
      put(span, first + 4L * i);
      put(span + 8, 3);
      put(LEAF + (int) (first % LEAF_WORDS + 4L * i) * Long.BYTES, start + span);
      put(LEAF + (int) (first % LEAF_WORDS + 4L * i + 2) * Long.BYTES, start + span);
    }

    assertThat(claim("tcmalloc")).isTrue();
    long second = EXTENTS + (32 << 10);
    assertThat(claims.atOrAfter(second))
        .isEqualTo(new Claims.Claim(second, second + (24 << 10), Part.ALLOCATOR, "a library"));
  }

  @Test
  void claim_ofMimalloc_isWhatKnowsItsOwnAddress() throws IOException {
    long random = 0x5eed_5eed_5eed_5eedL;
    long segment = (start + BYTES / 2) & -(32L << 20);
    put(ROOTS, random);
    put((int) (segment - start) + 40, segment ^ random);
    put((int) (segment - start) + 48, 512);
    // A word that nobody planted, in the place of the address.
    put((int) (segment - start) + (32 << 20) + 40, segment ^ random);
    put((int) (segment - start) + (32 << 20) + 48, 512);

    assertThat(claim("mimalloc")).isTrue();
    assertThat(claims.atOrAfter(0))
        .isEqualTo(new Claims.Claim(segment, segment + (32 << 20), Part.ALLOCATOR, "a library"));
    assertThat(claims.atOrAfter(segment + (32 << 20))).isNull();
  }

  @Test
  void claim_ofMusl_isWhatNamesItsRecord() throws IOException {
    long random = 0x5eed_5eed_5eed_5eedL;
    int area = (int) (((start + RECORDS + PAGE) & -4096) - start);
    int next = area + (1 << 20);
    put(ROOTS, random);
    put(ROOTS + 64, start + area);
    put(area, random);
    put(area + 8, start + next);
    put(area + 16, 101);
    put(next, random);
    put(next + 16, 101);
    for (int i = 0; i < 3; i++) {
      int record = area + 24 + 40 * i;
      int group = area + (i + 4) * (4 << 20);
      put(record + 16, start + group);
      put(record + 32, (long) i << 12 | 0xfff);
      put(group, start + (i == 1 ? record : 7)); // the others name nothing, or have no length
    }

    assertThat(claim(Allocators.MUSL)).isTrue();
    long group = start + area + 5 * (4 << 20);
    assertThat(claims.atOrAfter(start + next + 4096))
        .isEqualTo(new Claims.Claim(group, group + 4096, Part.ALLOCATOR, "a library"));
    assertThat(claims.atOrAfter(group + 4096)).isNull();
    assertThat(claims.isFree(start + next, start + next + 4096)).as("the second area").isFalse();
  }

  @Test
  void claim_ofMuslWithoutItsRandomWord_isNothing() throws IOException {
    put(ROOTS + 64, start + RECORDS);
    put(RECORDS, 0x5eed_5eed_5eed_5eedL);
    put(RECORDS + 16, 101);

    assertThat(claim(Allocators.MUSL)).isFalse();
    assertThat(claims.atOrAfter(0)).isNull();
  }
}
