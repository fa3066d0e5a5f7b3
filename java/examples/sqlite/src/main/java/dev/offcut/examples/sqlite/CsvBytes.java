package dev.offcut.examples.sqlite;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The bytes of a file, one after the other, and the line that each is on. */
final class CsvBytes implements AutoCloseable {
  /** In place of a byte, at the end. */
  static final int END = -1;

  private final Path file;
  private final InputStream in;
  private final byte[] buffer = new byte[1 << 16];
  private int at;
  private int limit;
  private long before;
  private long line = 1;

  private CsvBytes(Path file, InputStream in) {
    this.file = file;
    this.in = in;
  }

  static CsvBytes open(Path file) throws BadInput {
    try {
      return new CsvBytes(file, Files.newInputStream(file));
    } catch (IOException e) {
      throw BadInput.of(file, e);
    }
  }

  /** Passes over the mark that some programs put before UTF-8. To be called first. */
  void skipMark() throws BadInput {
    if (peek() == 0xEF && limit >= 3 && buffer[1] == (byte) 0xBB && buffer[2] == (byte) 0xBF) {
      at = 3;
    }
  }

  /** The next byte, which is then the past one. */
  int read() throws BadInput {
    int c = peek();
    if (c != END) {
      at++;
    }
    if (c == '\n') {
      line++;
    }
    return c;
  }

  /** The next byte. */
  int peek() throws BadInput {
    if (at == limit) {
      fill();
    }
    return limit == 0 ? END : buffer[at] & 0xff;
  }

  private void fill() throws BadInput {
    try {
      before += limit;
      at = 0;
      limit = Math.max(in.read(buffer), 0);
    } catch (IOException e) {
      throw BadInput.of(file, e);
    }
  }

  /** Of the next byte, from 1. */
  long line() {
    return line;
  }

  /** How many bytes were read. */
  long position() {
    return before + at;
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      // It was only read: there is nothing to lose.
    }
  }
}
