package dev.offcut.lucene;

import java.io.IOException;
import java.util.zip.CRC32;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexOutput;

/** Writes a file of a pool, through an array. For one thread at a time. */
final class PoolOutput extends IndexOutput {
  /** Larger would save little: a piece of this size is copied and summed up in a microsecond. */
  private static final int BUFFER_BYTES = 8 << 10;

  private final PoolFile file;
  private final CRC32 sum = new CRC32();
  private byte[] buffer = new byte[BUFFER_BYTES];
  private int buffered;
  private long flushed;
  private boolean isClosed;

  PoolOutput(String description, PoolFile file) {
    super(description, file.name());
    this.file = file;
  }

  @Override
  public void writeByte(byte value) throws IOException {
    if (buffered == buffer.length) {
      flush();
    }
    buffer[buffered++] = value;
  }

  @Override
  public void writeBytes(byte[] from, int at, int bytes) throws IOException {
    if (bytes > buffer.length - buffered) {
      flush();
    }
    if (bytes > buffer.length) {
      append(from, at, bytes);
    } else {
      System.arraycopy(from, at, buffer, buffered, bytes);
      buffered += bytes;
    }
  }

  private void flush() throws IOException {
    if (isClosed) {
      throw new AlreadyClosedException(this + " is closed");
    }
    append(buffer, 0, buffered);
    buffered = 0;
  }

  private void append(byte[] from, int at, int bytes) throws IOException {
    file.append(from, at, bytes);
    sum.update(from, at, bytes);
    flushed += bytes;
  }

  @Override
  public long getFilePointer() {
    return flushed + buffered;
  }

  @Override
  public long getChecksum() throws IOException {
    if (buffered > 0) {
      flush();
    }
    return sum.getValue();
  }

  /** Further calls do nothing. If there is no room for the last bytes, the file lacks them. */
  @Override
  public void close() throws IOException {
    if (isClosed) {
      return;
    }
    try {
      flush();
    } finally {
      isClosed = true;
      buffer = new byte[0]; // each further write flushes, which fails
      buffered = 0;
      file.finish();
    }
  }
}
