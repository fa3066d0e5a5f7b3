package dev.offcut.lucene;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** An input that lies in one part of its file: one segment, of exactly its bytes. */
final class OnePartInput extends MemoryInput {
  private MemorySegment segment;
  private long position;

  OnePartInput(String description, Opening opening, long offset, long length, boolean isRoot) {
    super(description, opening, offset, length, isRoot);
    segment = cut(opening.parts());
  }

  private MemorySegment cut(MemorySegment[] parts) {
    int bits = opening().partBits();
    int part = (int) (offset() >>> bits);
    return part == parts.length // at the end of a file, or of nothing
        ? Ended.EMPTY
        : parts[part].asSlice(offset() & ((1L << bits) - 1), length());
  }

  @Override
  void takeEnded() {
    segment = Ended.SEGMENT;
  }

  @Override
  MemorySegment piece(long from, long bytes) {
    return segment.asSlice(from, bytes);
  }

  @Override
  public long getFilePointer() {
    return position;
  }

  @Override
  public void seek(long to) throws IOException {
    checkSeek(to);
    position = to;
  }

  @Override
  public byte readByte() throws IOException {
    try {
      opening().checkOpen();
      byte read = segment.get(JAVA_BYTE, position);
      position++;
      return read;
    } catch (IndexOutOfBoundsException e) {
      throw outside(position, e);
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }

  @Override
  public short readShort() throws IOException {
    short read = readShort(position);
    position += Short.BYTES;
    return read;
  }

  @Override
  public int readInt() throws IOException {
    int read = readInt(position);
    position += Integer.BYTES;
    return read;
  }

  @Override
  public long readLong() throws IOException {
    long read = readLong(position);
    position += Long.BYTES;
    return read;
  }

  /** Most have one byte. */
  @Override
  public int readVInt() throws IOException {
    byte first = readByte(position);
    if (first < 0) {
      return super.readVInt();
    }
    position++;
    return first;
  }

  @Override
  public long readVLong() throws IOException {
    byte first = readByte(position);
    if (first < 0) {
      return super.readVLong();
    }
    position++;
    return first;
  }

  @Override
  public void readBytes(byte[] to, int at, int count) throws IOException {
    readBytes(position, to, at, count);
    position += count;
  }

  @Override
  public void readInts(int[] to, int at, int count) throws IOException {
    try {
      opening().checkOpen();
      MemorySegment.copy(segment, INT, position, to, at, count);
      position += (long) count * Integer.BYTES;
    } catch (IndexOutOfBoundsException e) {
      throw outside(position, e);
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }

  @Override
  public void readLongs(long[] to, int at, int count) throws IOException {
    try {
      opening().checkOpen();
      MemorySegment.copy(segment, LONG, position, to, at, count);
      position += (long) count * Long.BYTES;
    } catch (IndexOutOfBoundsException e) {
      throw outside(position, e);
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }

  @Override
  public void readFloats(float[] to, int at, int count) throws IOException {
    try {
      opening().checkOpen();
      MemorySegment.copy(segment, FLOAT, position, to, at, count);
      position += (long) count * Float.BYTES;
    } catch (IndexOutOfBoundsException e) {
      throw outside(position, e);
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }

  @Override
  public byte readByte(long from) throws IOException {
    try {
      opening().checkOpen();
      return segment.get(JAVA_BYTE, from);
    } catch (IndexOutOfBoundsException e) {
      throw outside(from, e);
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }

  @Override
  public void readBytes(long from, byte[] to, int at, int count) throws IOException {
    try {
      opening().checkOpen();
      MemorySegment.copy(segment, JAVA_BYTE, from, to, at, count);
    } catch (IndexOutOfBoundsException e) {
      throw outside(from, e);
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }

  @Override
  public short readShort(long from) throws IOException {
    try {
      opening().checkOpen();
      return segment.get(SHORT, from);
    } catch (IndexOutOfBoundsException e) {
      throw outside(from, e);
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }

  @Override
  public int readInt(long from) throws IOException {
    try {
      opening().checkOpen();
      return segment.get(INT, from);
    } catch (IndexOutOfBoundsException e) {
      throw outside(from, e);
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }

  @Override
  public long readLong(long from) throws IOException {
    try {
      opening().checkOpen();
      return segment.get(LONG, from);
    } catch (IndexOutOfBoundsException e) {
      throw outside(from, e);
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }
}
