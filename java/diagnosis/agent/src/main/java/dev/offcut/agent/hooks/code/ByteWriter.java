package dev.offcut.agent.hooks.code;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a class file is written into. {@link java.io.DataOutputStream} would initialize a dozen
 * classes of the JDK's before the program starts.
 *
 * <p>Not for several threads.
 */
final class ByteWriter {
  private byte[] bytes;
  private int size;

  /** With place for so many bytes, at first. */
  ByteWriter(int capacity) {
    bytes = new byte[capacity];
  }

  void u1(int value) {
    need(1);
    bytes[size++] = (byte) value;
  }

  void u2(int value) {
    if (size + 2 > bytes.length) {
      need(2);
    }
    bytes[size++] = (byte) (value >> 8);
    bytes[size++] = (byte) value;
  }

  void u4(int value) {
    u2(value >> 16);
    u2(value);
  }

  void write(byte[] all) {
    write(all, 0, all.length);
  }

  void write(byte[] from, int at, int length) {
    need(length);
    System.arraycopy(from, at, bytes, size, length);
    size += length;
  }

  void write(ByteWriter other) {
    write(other.bytes, 0, other.size);
  }

  /**
   * A text whose characters are the bytes of a class file's, as they are read; its length first.
   */
  void text(String text) {
    u2(text.length());
    write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private void need(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }
}
