package dev.offcut.lucene;

import dev.offcut.memory.Reservation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MemorySegmentAccessInput;
import org.apache.lucene.store.RandomAccessInput;
import org.jspecify.annotations.Nullable;

/**
 * An input of a mapped file, which is Lucene's own but for its close. Clones and slices are
 * Lucene's own, so most of what is read does not pass through this object.
 */
final class MappedInput extends IndexInput {
  /** Asks whether memory is for any thread. It never runs. */
  private static final Thread ANY_OTHER = Thread.ofPlatform().unstarted(() -> {});

  private final MappedDirectory directory;
  private final @Nullable Reservation charge;
  private final boolean isConfined;
  private final long length;

  /** Null when closed. */
  private @Nullable IndexInput open;

  private MappedInput(
      MappedDirectory directory, IndexInput open, @Nullable Reservation charge, boolean confined) {
    super(open.toString());
    this.directory = directory;
    this.open = open;
    this.charge = charge;
    this.isConfined = confined;
    this.length = open.length();
  }

  /** Takes over an input, and the charge for its bytes. */
  static IndexInput of(MappedDirectory directory, IndexInput input, @Nullable Reservation charge)
      throws IOException {
    return new MappedInput(directory, input, charge, isConfined(input));
  }

  /** Whether the thread that opened it must close it, or may do so at no cost. */
  private static boolean isConfined(IndexInput input) throws IOException {
    if (input.length() == 0) {
      return true;
    }
    MemorySegment first =
        input instanceof MemorySegmentAccessInput memory ? memory.segmentSliceOrNull(0, 1) : null;
    return first != null && !first.isAccessibleBy(ANY_OTHER);
  }

  private IndexInput open() {
    IndexInput input = open;
    if (input == null) {
      throw new AlreadyClosedException(this + " is closed");
    }
    return input;
  }

  /** Further calls do nothing. */
  @Override
  public void close() {
    if (isConfined) {
      endConfined();
    } else {
      IndexInput last = take();
      if (last != null) {
        directory.end(() -> end(last));
      }
    }
  }

  /** On another thread than its own, this throws, and the input stays open. */
  private synchronized void endConfined() {
    IndexInput last = open;
    if (last != null) {
      boolean ignored = end(last);
      open = null;
    }
  }

  private synchronized @Nullable IndexInput take() {
    IndexInput last = open;
    open = null;
    return last;
  }

  private boolean end(IndexInput last) {
    try {
      last.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (charge != null) {
      charge.close();
    }
    return true;
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
