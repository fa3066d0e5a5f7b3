package dev.offcut.lucene;

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
 * <p>An input reads from segments of the directory's scope. If a segment has ended, the read throws
 * an {@link IllegalStateException}; the input then gets new segments and reads again, or finds that
 * it or its file is closed. A closed input has segments that ended long ago. So a read needs no
 * check of its own, and never sees memory of something else.
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

  MemoryInput(String description, Opening opening, long offset, long length, boolean isRoot) {
    super(description);
    this.opening = opening;
    this.offset = offset;
    this.length = length;
    this.isRoot = isRoot;
  }

  /** Opens a file. */
  static MemoryInput open(String description, FileBytes file) {
    return of(description, new Opening(file), 0, file.length(), true);
  }

  private static MemoryInput of(
      String description, Opening opening, long offset, long length, boolean isRoot) {
    FileBytes file = opening.file();
    long last = Math.max(offset, offset + length - 1);
    return offset >>> file.partBits() == last >>> file.partBits()
        ? new OnePartInput(description, opening, offset, length, isRoot)
        : new PartsInput(description, opening, offset, length, isRoot);
  }

  /** Takes the segments of this input out of those of the file, and keeps its place. */
  abstract void take(MemorySegment[] parts);

  /** Whether its segments can be read. */
  abstract boolean isAlive();

  /** Takes segments that have ended, so that each read fails. */
  abstract void takeEnded();

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

  /** Takes new segments after one has ended; throws if that is because something is closed. */
  final void takeAgain(IllegalStateException ended) {
    try {
      checkOpen();
      take(opening.parts());
    } catch (AlreadyClosedException e) {
      e.addSuppressed(ended);
      throw e;
    }
  }

  private void checkOpen() {
    if (isClosed) {
      throw new AlreadyClosedException(this + " is closed");
    }
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

  @Override
  public void prefetch(long from, long bytes) throws IOException {
    checkRange("prefetch", from, bytes);
    opening.file().prefetch(offset + from, bytes);
  }

  @Override
  public final @Nullable MemorySegment segmentSliceOrNull(long from, long bytes) {
    checkRange("segment", from, bytes);
    int bits = opening.file().partBits();
    long first = offset + from;
    if (bytes == 0 || first >>> bits != (first + bytes - 1) >>> bits) {
      return null;
    }
    opening.checkOpen();
    return opening.file().lasting(first, bytes);
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
    if (!isAlive()) { // else each clone of an input that is only cloned would find out for itself
      clone.take(opening.parts());
    }
    return clone;
  }

  @Override
  public final void close() {
    if (!isClosed) {
      isClosed = true;
      takeEnded();
      if (isRoot) {
        opening.close();
      }
    }
  }
}
