package dev.offcut.fleet;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names made of contents: the first digits of SHA-256. */
final class Hash {
  /** Of sources and files: 128 bits. */
  static final int LONG_DIGITS = 32;

  /** Of processes and stacks: 64 bits. */
  static final int SHORT_DIGITS = 16;

  private static final int BUFFER = 1 << 16;

  private final MessageDigest digest;

  Hash() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // each JDK has it
    }
  }

  /** Adds a text, and its end: other texts in a row are another content. */
  Hash add(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    digest.update(bytes);
    digest.update((byte) 0);
    return this;
  }

  /** Adds the content of a file. */
  Hash add(Path file) throws IOException {
    byte[] buffer = new byte[BUFFER];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
    }
    return this;
  }

  String digits(int count) {
    return HexFormat.of().formatHex(digest.digest()).substring(0, count);
  }
}
