package dev.offcut.replay;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file that was asked for cannot be written. The message is the one line to show. */
final class CannotWriteException extends Exception {
  private static final long serialVersionUID = 1;

  CannotWriteException(Path file, IOException cause) {
    super("cannot write " + file + ": " + reason(cause), cause);
  }

  private static String reason(IOException cause) {
    return switch (cause) {
      case NoSuchFileException e -> "no such directory";
      case AccessDeniedException e -> "permission denied";
      default -> String.valueOf(cause.getMessage());
    };
  }
}
