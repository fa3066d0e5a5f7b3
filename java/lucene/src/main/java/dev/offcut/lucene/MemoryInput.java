package dev.offcut.lucene;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MemorySegmentAccessInput;
import org.jspecify.annotations.Nullable;

/**
 * An input of a file in memory, or of a slice of it: {@link OnePartInput} if it lies in one part of
 * the file, {@link PartsInput} otherwise.
 *
 * <p>An input looks whether its opening is closed, and reads. A file's arena is closed half a
 * second after its last opening or later. So a read that began before is over by then, and later
 * ones fail by themselves: they never see memory of something else. A closed input has a segment
 * whose arena is closed.
 *
 * <p>As with all inputs of Lucene, only one thread at a time may use it, but any thread may close
 * the one from which it was cloned.
 */
abstract class MemoryInput extends IndexInput implements MemorySegmentAccessInput {
  static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Opening opening;

  /** Where the input begins in the file. */
  private final long offset;

  private final long length;

  /** Whether its close closes the opening. */
  private boolean isRoot;

  private boolean isClosed;

  /** The part that is being read, and where in it. */
  MemorySegment part = Ended.EMPTY;

  long position;

  MemoryInput(String description, Opening opening, long offset, long length, boolean isRoot) {
    super(description);
    this.opening = opening;
    this.offset = offset;
    this.length = length;
    this.isRoot = isRoot;
  }

  /**
   * An input of a whole file. Not typed more closely: whoever calls it loads without this class.
   */
  static IndexInput open(String description, Opening opening) {
    return of(description, opening, 0, opening.length(), true);
  }

  private static MemoryInput of(
      String description, Opening opening, long offset, long length, boolean isRoot) {
    int bits = opening.partBits();
    long last = Math.max(offset, offset + length - 1);
    return offset >>> bits == last >>> bits
        ? new OnePartInput(description, opening, offset, length, isRoot)
        : new PartsInput(description, opening, offset, length, isRoot);
  }

  /** Takes segments that have ended, so that each read fails. */
  abstract void takeEnded();

  /** Of one part, a segment; null if it lies in several. */
  abstract @Nullable MemorySegment piece(long from, long bytes);

  /** Goes to the next part, if the last read went to the end of one; throws if there is no more. */
  abstract void goOn(IndexOutOfBoundsException past) throws IOException;

  /** Reads what does not lie in the part that is being read; throws if there is not as much. */
  abstract void readPiecewise(byte[] to, int at, int count) throws IOException;

  final Opening opening() {
    return opening;
  }

  final long offset() {
    return offset;
  }

  @Override
  public final long length() {
    return length;
  }

  /** What to throw after a read that found no segment to read. */
  final RuntimeException ended(RuntimeException cause) {
    if (cause instanceof WrongThreadException wrong) {
      return opening.ofOtherThread(wrong);
    }
    return cause instanceof AlreadyClosedException
        ? cause
        : new AlreadyClosedException((isClosed ? this : opening.name()) + " is closed", cause);
  }

  // Where the input is. What lies in one part is read at once, and what crosses a border byte by
  // byte.

  @Override
  public final byte readByte() throws IOException {
    try {
      opening.checkOpen();
      byte read = part.get(JAVA_BYTE, position);
      position++;
      return read;
    } catch (IndexOutOfBoundsException e) {
      goOn(e);
      return readByte();
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }

  @Override
  public final short readShort() throws IOException {
    try {
      opening.checkOpen();
      short read = part.get(SHORT, position);
      position += Short.BYTES;
      return read;
    } catch (IndexOutOfBoundsException e) {
      return super.readShort();
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }

  @Override
  public final int readInt() throws IOException {
    try {
      opening.checkOpen();
      int read = part.get(INT, position);
      position += Integer.BYTES;
      return read;
    } catch (IndexOutOfBoundsException e) {
      return super.readInt();
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }

  @Override
  public final long readLong() throws IOException {
    try {
      opening.checkOpen();
      long read = part.get(LONG, position);
      position += Long.BYTES;
      return read;
    } catch (IndexOutOfBoundsException e) {
      return super.readLong();
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }

  @Override
  public final void readBytes(byte[] to, int at, int count) throws IOException {
    try {
      opening.checkOpen();
      MemorySegment.copy(part, JAVA_BYTE, position, to, at, count);
      position += count;
    } catch (IndexOutOfBoundsException e) {
      readPiecewise(to, at, count);
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }

  @Override
  public final void readInts(int[] to, int at, int count) throws IOException {
    try {
      opening.checkOpen();
      MemorySegment.copy(part, INT, position, to, at, count);
      position += (long) count * Integer.BYTES;
    } catch (IndexOutOfBoundsException e) {
      super.readInts(to, at, count);
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }

  @Override
  public final void readLongs(long[] to, int at, int count) throws IOException {
    try {
      opening.checkOpen();
      MemorySegment.copy(part, LONG, position, to, at, count);
      position += (long) count * Long.BYTES;
    } catch (IndexOutOfBoundsException e) {
      super.readLongs(to, at, count);
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }

  @Override
  public final void readFloats(float[] to, int at, int count) throws IOException {
    try {
      opening.checkOpen();
      MemorySegment.copy(part, FLOAT, position, to, at, count);
      position += (long) count * Float.BYTES;
    } catch (IndexOutOfBoundsException e) {
      super.readFloats(to, at, count);
    } catch (IllegalStateException | WrongThreadException e) {
      throw ended(e);
    }
  }

  private void checkOpen() {
    if (isClosed) {
      throw new AlreadyClosedException(this + " is closed");
    }
    opening.checkOpen();
  }

  /** What to throw after a read beyond the end, or before the start. */
  final IOException outside(long position, IndexOutOfBoundsException cause) {
    checkOpen();
    if (position < 0) {
      throw new IllegalArgumentException(position + " in " + this + ": give 0 or more", cause);
    }
    EOFException e =
        new EOFException(
            this + " was read past its end: at " + position + ", and it has " + length + " bytes");
    e.initCause(cause);
    return e;
  }

  final void checkSeek(long position) throws IOException {
    if (position < 0 || position > length) {
      checkOpen();
      throw outside(position, new IndexOutOfBoundsException());
    }
  }

  /** Does nothing: the file is in memory, and the system reads nothing ahead. */
  @Override
  public void prefetch(long from, long bytes) {
    checkRange("prefetch", from, bytes);
  }

  @Override
  public final @Nullable MemorySegment segmentSliceOrNull(long from, long bytes) {
    checkRange("segment", from, bytes);
    return piece(from, bytes);
  }

  @Override
  public final MemoryInput slice(String description, long from, long bytes) {
    checkRange(description, from, bytes);
    return of(getFullSliceDescription(description), opening, offset + from, bytes, false);
  }

  private void checkRange(String what, long from, long bytes) {
    checkOpen();
    if (from < 0 || bytes < 0 || from > length - bytes) {
      throw new IllegalArgumentException(
          what + " of " + bytes + " bytes from " + from + ": " + this + " has " + length);
    }
  }

  @Override
  public final MemoryInput clone() {
    checkOpen();
    MemoryInput clone = (MemoryInput) super.clone();
    clone.isRoot = false;
    return clone;
  }

  @Override
  public final void close() {
    if (!isClosed) {
      if (isRoot) {
        opening.close();
      }
      isClosed = true;
      takeEnded();
    }
  }
}
