package dev.offcut.command.read;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A chunk of a recording: a header, then events one behind the other. Flight Recorder ends it with
 * its constant pools and its metadata, without which no event can be read; it also writes both each
 * time it flushes, once a second, so that a chunk that was never ended, or was cut off, can be read
 * up to there.
 *
 * <pre>
 *   header   0 magic   4 major  6 minor   8 size   16 last pool   24 last metadata   64 state
 *            65 cut: a byte that Flight Recorder leaves zero and no reader looks at, one in what
 *               Offcut kept of a program that was killed
 *   event    size  type  …     sizes and types have seven bits a byte, the lowest first
 * </pre>
 *
 * @param at where it begins in the file
 * @param end behind its last byte that can be used
 * @param pools where the last pools begin, from its beginning on
 * @param metadata likewise
 * @param complete whether it is as it was written, and was ended
 */
record Chunk(long at, long end, long pools, long metadata, boolean complete) {
  static final int HEADER_BYTES = 68;
  static final int SIZE_AT = 8;
  static final int POOLS_AT = 16;
  static final int METADATA_AT = 24;
  static final int STATE_AT = 64;
  static final int CUT_AT = 65;

  /** The only major version that this can read. */
  static final int MAJOR = 2;

  private static final int MAGIC = 'F' << 24 | 'L' << 16 | 'R' << 8;
  private static final int MAJOR_AT = 4;
  private static final long METADATA_TYPE = 0;
  private static final long POOLS_TYPE = 1;

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /** Whether one begins there. */
  static boolean isAt(MemorySegment file, long at) {
    return file.byteSize() - at >= HEADER_BYTES && file.get(INT, at) == MAGIC;
  }

  /** Its major version. */
  static int major(MemorySegment file, long at) {
    return file.get(SHORT, at + MAJOR_AT);
  }

  /** Reads one; null if nothing in it can be used. */
  static @Nullable Chunk read(MemorySegment file, long at) {
    long size = file.get(LONG, at + SIZE_AT);
    long pools = file.get(LONG, at + POOLS_AT);
    long metadata = file.get(LONG, at + METADATA_AT);
    boolean ended =
        file.get(ValueLayout.JAVA_BYTE, at + STATE_AT) == 0
            && file.get(ValueLayout.JAVA_BYTE, at + CUT_AT) == 0;
    if (size > HEADER_BYTES && size <= file.byteSize() - at && pools > 0 && metadata > 0) {
      return new Chunk(at, at + size, pools, metadata, ended);
    }
    return search(file, at);
  }

  /** Goes from event to event as far as they are whole. */
  private static @Nullable Chunk search(MemorySegment file, long at) {
    long pools = 0;
    long metadata = 0;
    long next = at + HEADER_BYTES;
    long end = next;
    while (next < file.byteSize()) {
      Varint size = Varint.read(file, next);
      Varint type = size == null ? null : Varint.read(file, next + size.bytes());
      if (size == null || type == null || size.value() <= 0) {
        break;
      }
      if (size.value() > file.byteSize() - next) {
        break;
      }
      if (type.value() == METADATA_TYPE) {
        metadata = next - at;
      } else if (type.value() == POOLS_TYPE) {
        pools = next - at;
      }
      next += size.value();
      end = next;
    }
    return pools == 0 || metadata == 0 ? null : new Chunk(at, end, pools, metadata, false);
  }

  /** A number as JFR writes them, and how many bytes that took. */
  private record Varint(long value, int bytes) {
    private static final int MOST_BYTES = 9;

    static @Nullable Varint read(MemorySegment file, long at) {
      long value = 0;
      for (int i = 0; i < MOST_BYTES && at + i < file.byteSize(); i++) {
        long digit = file.get(ValueLayout.JAVA_BYTE, at + i) & 0xff;
        if (i == MOST_BYTES - 1) {
          return new Varint(value | digit << 56, MOST_BYTES);
        }
        value |= (digit & 0x7f) << (7 * i);
        if (digit < 0x80) {
          return new Varint(value, i + 1);
        }
      }
      return null;
    }
  }
}
