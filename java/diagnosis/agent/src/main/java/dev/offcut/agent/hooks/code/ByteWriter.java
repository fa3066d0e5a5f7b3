package dev.offcut.agent.hooks.code;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * What a class file is written into. {@link java.io.DataOutputStream} would initialize a dozen
 * classes of the JDK's before the program starts.
 */
final class ByteWriter extends ByteArrayOutputStream {
  /** With place for so many bytes, at first. */
  ByteWriter(int capacity) {
    super(capacity);
  }

  void u2(int value) {
    write(value >> 8);
    write(value);
  }

  void u4(int value) {
    u2(value >> 16);
    u2(value);
  }

  /**
   * A text whose characters are the bytes of a class file's, as they are read; its length first.
   */
  void text(String text) {
    u2(text.length());
    writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
  }
}
