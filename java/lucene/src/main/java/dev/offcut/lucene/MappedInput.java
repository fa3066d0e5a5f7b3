package dev.offcut.lucene;

import dev.offcut.memory.Reservation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.jspecify.annotations.Nullable;

/**
 * An input of a mapped file, which is Lucene's own but for its close. Clones and slices are
 * Lucene's own, so most of what is read does not pass through this object.
 */
final class MappedInput extends IndexInput {
  private final Runnable end;
  private final boolean isConfined;
  private final long length;

  /** Null when closed. */
  private @Nullable IndexInput open;

  private MappedInput(IndexInput open, boolean isConfined, Runnable end) {
    super(open.toString());
    this.open = open;
    this.isConfined = isConfined;
    this.end = end;
    this.length = open.length();
  }

  /** An input that takes over one of Lucene's, which one thread opens, reads and closes. */
  static IndexInput confined(IndexInput input, @Nullable Reservation charge) {
    return new MappedInput(input, true, () -> close(input, charge));
  }

  /** An input that was counted by its mapping. */
  static IndexInput of(Mapping mapping) {
    boolean isMade = false;
    try {
      IndexInput input = new MappedInput(mapping.read(), false, mapping::close);
      isMade = true;
      return input;
    } finally {
      if (!isMade) {
        mapping.close();
      }
    }
  }

  /** Ends a mapping, and the charge for it. */
  static void close(IndexInput input, @Nullable Reservation charge) {
    try {
      input.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (charge != null) {
      charge.close();
    }
  }

  private IndexInput open() {
    IndexInput input = open;
    if (input == null) {
      throw new AlreadyClosedException(this + " is closed");
    }
    return input;
  }

  /**
   * Further calls do nothing. If another thread than its own closes an input for one thread, this
   * throws, and the input stays open.
   */
  @Override
  public void close() {
    if (isConfined) {
      endConfined();
    } else if (take()) {
      end.run();
    }
  }

  private synchronized void endConfined() {
    if (open != null) {
      end.run();
      open = null;
    }
  }

  private synchronized boolean take() {
    boolean isFirst = open != null;
    open = null;
    return isFirst;
  }

  @Override
  public IndexInput clone() {
    return open().clone();
  }

  @Override
  public IndexInput slice(String description, long from, long bytes) throws IOException {
    return open().slice(description, from, bytes);
  }

  @Override
  public IndexInput slice(String description, long from, long bytes, IOContext context)
      throws IOException {
    return open().slice(description, from, bytes, context);
  }

  @Override
  public RandomAccessInput randomAccessSlice(long from, long bytes) throws IOException {
    return open().randomAccessSlice(from, bytes);
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public long getFilePointer() {
    return open().getFilePointer();
  }

  @Override
  public void seek(long to) throws IOException {
    open().seek(to);
  }

  @Override
  public void skipBytes(long bytes) throws IOException {
    open().skipBytes(bytes);
  }

  @Override
  public void prefetch(long from, long bytes) throws IOException {
    open().prefetch(from, bytes);
  }

  @Override
  public void updateIOContext(IOContext context) throws IOException {
    open().updateIOContext(context);
  }

  @Override
  public boolean isEfficientFor(IOContext context) {
    return open().isEfficientFor(context);
  }

  @Override
  public Optional<Boolean> isLoaded() {
    return open().isLoaded();
  }

  @Override
  public byte readByte() throws IOException {
    return open().readByte();
  }

  @Override
  public short readShort() throws IOException {
    return open().readShort();
  }

  @Override
  public int readInt() throws IOException {
    return open().readInt();
  }

  @Override
  public long readLong() throws IOException {
    return open().readLong();
  }

  @Override
  public int readVInt() throws IOException {
    return open().readVInt();
  }

  @Override
  public long readVLong() throws IOException {
    return open().readVLong();
  }

  @Override
  public void readBytes(byte[] to, int at, int count) throws IOException {
    open().readBytes(to, at, count);
  }

  @Override
  public void readInts(int[] to, int at, int count) throws IOException {
    open().readInts(to, at, count);
  }

  @Override
  public void readLongs(long[] to, int at, int count) throws IOException {
    open().readLongs(to, at, count);
  }

  @Override
  public void readFloats(float[] to, int at, int count) throws IOException {
    open().readFloats(to, at, count);
  }
}
