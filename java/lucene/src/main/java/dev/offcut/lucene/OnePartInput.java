package dev.offcut.lucene;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** An input that lies in one part of its file: one segment, of exactly its bytes. */
final class OnePartInput extends MemoryInput {
  OnePartInput(String description, Opening opening, long offset, long length, boolean isRoot) {
    super(description, opening, offset, length, isRoot);
    part = cut(opening.parts());
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
    part = Ended.SEGMENT;
  }

  @Override
  MemorySegment piece(long from, long bytes) {
    return part.asSlice(from, bytes);
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
  void goOn(IndexOutOfBoundsException past) throws IOException {
    throw outside(position, past);
  }

  @Override
  void readPiecewise(byte[] to, int at, int count) throws IOException {
    throw outside(position + count, new IndexOutOfBoundsException());
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
  public byte readByte(long from) throws IOException {
    try {
      opening().checkOpen();
      return part.get(JAVA_BYTE, from);
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
      MemorySegment.copy(part, JAVA_BYTE, from, to, at, count);
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
      return part.get(SHORT, from);
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
      return part.get(INT, from);
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
      return part.get(LONG, from);
    } catch (IndexOutOfBoundsException e) {
      throw outside(from, e);
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }
}
