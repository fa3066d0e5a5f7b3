package dev.offcut.lucene;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.apache.lucene.store.AlreadyClosedException;
import org.jspecify.annotations.Nullable;

/** A file that was opened once: what an input shares with its clones and slices. */
final class Opening {
  private final PoolFile file;
  private final MemorySegment[] parts;

  /** Of an opening for one thread; null if its segments are of the file's arena. */
  private final @Nullable Arena confined;

  /**
   * Plain: a thread that does not see the close yet reads the file a little longer, until the
   * file's arena is closed. PoolDirectoryTest.read_ofClonesWhileInputsAreClosed_… looks at that.
   */
  private boolean isClosed;

  Opening(PoolFile file, MemorySegment[] parts, @Nullable Arena confined) {
    this.file = file;
    this.parts = parts;
    this.confined = confined;
  }

  String name() {
    return file.name();
  }

  /** All parts but the last have this size, a power of two. */
  int partBits() {
    return file.partBits();
  }

  MemorySegment[] parts() {
    return parts;
  }

  long length() {
    return file.length();
  }

  void checkOpen() {
    if (isClosed) {
      throw new AlreadyClosedException(name() + " is closed");
    }
  }

  /** Further calls do nothing. */
  void close() {
    if (isFirstClose()) {
      file.inputClosed();
    }
  }

  private synchronized boolean isFirstClose() {
    boolean isFirst = !isClosed;
    if (isFirst && confined != null) {
      try {
        confined.close();
      } catch (WrongThreadException e) {
        throw ofOtherThread(e);
      }
    }
    isClosed = true;
    return isFirst;
  }

  IllegalStateException ofOtherThread(WrongThreadException cause) {
    return new IllegalStateException(
        name() + " was opened with IOContext.READONCE: only the thread that opened it may use it",
        cause);
  }
}
