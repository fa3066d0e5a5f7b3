package dev.offcut.examples.sqlite;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Something the user gave that cannot be used. The message is the one line to show. */
final class BadInput extends Exception {
  private static final long serialVersionUID = 1;

  BadInput(String message) {
    super(message);
  }

  /** The line for a file that cannot be read or made. */
  static BadInput of(Path file, IOException cause) {
    return new BadInput(file + ": " + reason(cause));
  }

  private static String reason(IOException cause) {
    if (cause instanceof NoSuchFileException) {
      return "no such file or directory";
    }
    if (cause instanceof AccessDeniedException) {
      return "permission denied";
    }
    String reason = cause instanceof FileSystemException f ? f.getReason() : cause.getMessage();
    return reason == null ? cause.toString() : reason;
  }
}
