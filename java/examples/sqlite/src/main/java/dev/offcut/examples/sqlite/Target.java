package dev.offcut.examples.sqlite;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the database is: in memory, or in a file. A file that was made here is removed again unless
 * {@link #keep} was called; one that was there before is left to SQLite's rollback.
 */
final class Target implements AutoCloseable {
  private static final String IN_MEMORY = ":memory:";

  private final @Nullable Path file;
  private boolean made;

  private Target(@Nullable Path file, boolean made) {
    this.file = file;
    this.made = made;
  }

  /** Makes the file, if it is one and is not there. */
  static Target of(@Nullable Path file) throws BadInput {
    if (file == null || file.toString().equals(IN_MEMORY)) {
      return new Target(null, false);
    }
    if (Files.isDirectory(file)) {
      throw new BadInput(file + ": is a directory, not a database");
    }
    try {
      Files.createFile(file);
      return new Target(file, true);
    } catch (FileAlreadyExistsException e) {
      return new Target(file, false);
    } catch (IOException e) {
      throw BadInput.of(file, e);
    }
  }

  /** Opens the database. */
  Database open() {
    return file == null ? Database.inMemory() : Database.open(file);
  }

  /** What is in it now is whole. */
  void keep() {
    made = false;
  }

  /** Its name, for messages and the report. */
  String name() {
    return file == null ? IN_MEMORY : file.toString();
  }

  /** Removes what was made and not kept. */
  @Override
  public void close() throws BadInput {
    if (file == null || !made) {
      return;
    }
    try {
      Files.deleteIfExists(file.resolveSibling(file.getFileName() + "-journal"));
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw BadInput.of(file, e);
    }
  }
}
