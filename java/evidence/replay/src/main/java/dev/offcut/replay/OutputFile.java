package dev.offcut.replay;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A file that was asked for. What is there is overwritten; the command's class of this name asks
 * for a {@code -f} first, and is no part of the simulator, as its tables are not.
 */
final class OutputFile {
  /** What writes the content. */
  interface Content {
    void writeTo(Writer writer) throws IOException;
  }

  private OutputFile() {}

  /** Refuses what cannot be written, before the work is done that it is for. */
  static void check(Path file) throws CannotWriteException {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file)) {
      throw new CannotWriteException(file, new IOException("is a directory"));
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw new CannotWriteException(file, new NoSuchFileException(String.valueOf(folder)));
    }
  }

  static void write(Path file, Content content) throws CannotWriteException {
    check(file);
    try (Writer writer = Files.newBufferedWriter(file)) {
      content.writeTo(writer);
    } catch (IOException e) {
      throw new CannotWriteException(file, e);
    }
  }

  /** A file that was asked for cannot be written. The message is the one line to show. */
  static final class CannotWriteException extends Exception {
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
}
