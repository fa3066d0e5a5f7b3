package dev.offcut.lucene;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** An input that lies in several parts of its file. */
final class PartsInput extends MemoryInput {
  private static final MemorySegment[] NONE = {};

  private final int bits;
  private final long mask;

  /** Where the input begins in the first of its parts. */
  private final long start;

  /** The last ends where the input ends. */
  private MemorySegment[] parts;

  /** Of the part that is being read. */
  private int index;

  PartsInput(String description, Opening opening, long offset, long length, boolean isRoot) {
    super(description, opening, offset, length, isRoot);
    bits = opening.partBits();
    mask = (1L << bits) - 1;
    start = offset & mask;
    position = start;
    parts = cut(opening.parts());
    part = parts[0];
  }

  private MemorySegment[] cut(MemorySegment[] all) {
    int first = (int) (offset() >>> bits);
    long end = offset() + length();
    int last = (int) ((end - 1) >>> bits);
    MemorySegment[] mine = new MemorySegment[last - first + 1];
    System.arraycopy(all, first, mine, 0, mine.length);
    mine[last - first] = all[last].asSlice(0, ((end - 1) & mask) + 1);
    return mine;
  }

  @Override
  void takeEnded() {
    parts = NONE;
    part = Ended.SEGMENT;
  }

  @Override
  @Nullable MemorySegment piece(long from, long bytes) {
    long at = start + from;
    long within = at & mask;
    return bytes == 0 || within + bytes > mask + 1
        ? null
        : parts[(int) (at >>> bits)].asSlice(within, bytes);
  }

  @Override
  public long getFilePointer() {
    return ((long) index << bits) + position - start;
  }

  @Override
  public void seek(long to) throws IOException {
    checkSeek(to);
    long at = start + to;
    int in = (int) (at >>> bits);
    long within = at & mask;
    if (in == parts.length && in > 0) { // the end, which is that of a full part
      in--;
      within = mask + 1;
    }
    if (in < parts.length) {
      index = in;
      part = parts[in];
    }
    position = within;
  }

  @Override
  void goOn(IndexOutOfBoundsException past) throws IOException {
    if (position != mask + 1 || index + 1 >= parts.length) {
      throw outside(getFilePointer(), past);
    }
    index++;
    part = parts[index];
    position = 0;
  }

  @Override
  void readPiecewise(byte[] to, int at, int count) throws IOException {
    if (count > length() - getFilePointer()) {
      throw outside(getFilePointer() + count, new IndexOutOfBoundsException());
    }
    int done = 0;
    while (done < count) {
      int piece = (int) Math.min(count - done, mask + 1 - position);
      if (piece == 0) {
        goOn(new IndexOutOfBoundsException());
      } else {
        readBytes(to, at + done, piece);
        done += piece;
      }
    }
  }

  // By position. The place of the input stays as it is.

  private long at(long from) {
    if (from < 0) { // in the first part there may be something before the input
      throw new IndexOutOfBoundsException();
    }
    return start + from;
  }

  @Override
  public byte readByte(long from) throws IOException {
    try {
      opening().checkOpen();
      long at = at(from);
      return parts[(int) (at >>> bits)].get(JAVA_BYTE, at & mask);
    } catch (IndexOutOfBoundsException e) {
      throw outside(from, e);
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }

  @Override
  public void readBytes(long from, byte[] to, int at, int count) throws IOException {
    long before = getFilePointer();
    seek(from);
    try {
      readBytes(to, at, count);
    } finally {
      seek(before);
    }
  }

  @Override
  public short readShort(long from) throws IOException {
    try {
      opening().checkOpen();
      long at = at(from);
      return parts[(int) (at >>> bits)].get(SHORT, at & mask);
    } catch (IndexOutOfBoundsException e) {
      return (short) bytesAt(from, Short.BYTES);
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }

  @Override
  public int readInt(long from) throws IOException {
    try {
      opening().checkOpen();
      long at = at(from);
      return parts[(int) (at >>> bits)].get(INT, at & mask);
    } catch (IndexOutOfBoundsException e) {
      return (int) bytesAt(from, Integer.BYTES);
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }

  @Override
  public long readLong(long from) throws IOException {
    try {
      opening().checkOpen();
      long at = at(from);
      return parts[(int) (at >>> bits)].get(LONG, at & mask);
    } catch (IndexOutOfBoundsException e) {
      return bytesAt(from, Long.BYTES);
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }

  private long bytesAt(long from, int count) throws IOException {
    long value = 0;
    for (int i = 0; i < count; i++) {
      value |= (readByte(from + i) & 0xFFL) << (Byte.SIZE * i);
    }
    return value;
  }
}
