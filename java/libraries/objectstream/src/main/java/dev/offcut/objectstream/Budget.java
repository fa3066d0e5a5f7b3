package dev.offcut.objectstream;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectStreamConstants;

/**
 * The input of a stream, counted, and shown to {@link Nesting}. Ends with a {@link
 * StreamLimitException} where the limit is.
 */
final class Budget extends FilterInputStream {
  private final Limits limits;
  private final Nesting nesting;
  private long bytes;
  private long nulls;

  Budget(InputStream in, Limits limits) {
    super(in);
    nesting = new Nesting(limits);
    this.limits = limits;
  }

  /** What follows the bytes. */
  Nesting nesting() {
    return nesting;
  }

  /** Bytes taken so far. */
  long bytes() {
    return bytes;
  }

  /** Bytes that may still be taken. */
  long remaining() {
    return Math.max(0, limits.of(Limit.BYTES) - bytes);
  }

  @Override
  public int read() throws IOException {
    int b = in.read();
    if (b >= 0) {
      count(1);
      if (b == ObjectStreamConstants.TC_NULL) {
        countNull();
      }
      nesting.code(b);
    }
    return b;
  }

  /**
   * No filter sees a null, and a list of them takes more room than the stream. ObjectInputStream
   * reads the code of each object by itself, so that this byte, read alone, is a null, seldom
   * something else. LimitsTest would fail if a JDK read them otherwise.
   */
  private void countNull() throws StreamLimitException {
    nulls++;
    limits.check(Limit.REFERENCES, nulls, "nulls");
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (remaining() == 0) { // the end is no offence, one byte more is
      int b = read();
      return b < 0 ? b : 0;
    }
    int read = in.read(to, offset, (int) Math.min(length, remaining()));
    if (read > 0) {
      count(read);
      nesting.data(to, offset, read);
    }
    return read;
  }

  @Override
  public long skip(long n) throws IOException {
    long skipped = in.skip(Math.min(n, remaining()));
    count(skipped);
    return skipped;
  }

  @Override
  public int available() throws IOException {
    return (int) Math.min(in.available(), remaining());
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  private void count(long n) throws StreamLimitException {
    bytes += n;
    nesting.bytes(bytes);
    limits.check(Limit.BYTES, bytes, "bytes read");
  }
}
