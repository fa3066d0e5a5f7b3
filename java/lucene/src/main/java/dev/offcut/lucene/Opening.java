package dev.offcut.lucene;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.store.AlreadyClosedException;

/** A file that was opened once: what an input shares with its clones and slices. */
final class Opening {
  private final FileBytes file;
  private final AtomicBoolean closed = new AtomicBoolean();

  Opening(FileBytes file) {
    this.file = file;
  }

  FileBytes file() {
    return file;
  }

  /** The parts of the file as segments that are alive now. */
  MemorySegment[] parts() {
    checkOpen();
    return file.parts();
  }

  void checkOpen() {
    if (closed.get()) {
      throw new AlreadyClosedException(file.name() + " is closed");
    }
  }

  /** Further calls do nothing. */
  void close() {
    if (closed.compareAndSet(false, true)) {
      file.inputClosed();
    }
  }
}
