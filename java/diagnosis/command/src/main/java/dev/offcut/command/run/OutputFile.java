package dev.offcut.command.run;

import dev.offcut.command.read.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;

/** A file that was asked for. What is there already stays, unless it may be written over. */
public final class OutputFile {
  private final Path file;
  private final boolean force;

  /** The file; {@code force}: it may be written over. */
  public OutputFile(Path file, boolean force) {
    this.file = file;
    this.force = force;
  }

  /** Refuses what cannot be written, before the work is done that it is for. */
  public OutputFile check() throws Failure {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file)) {
      throw cannotWrite("it is a directory");
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw cannotWrite("there is no directory " + folder);
    }
    if (Files.exists(file) && !force) {
      throw Failure.other(file + " exists already; -f overwrites it");
    }
    if (!Files.isWritable(Files.exists(file) ? file : folder)) {
      throw cannotWrite("permission denied");
    }
    return this;
  }

  void write(String content) throws Failure {
    write(content.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes it, for its owner alone to read. */
  public void write(byte[] content) throws Failure {
    check();
    try {
      if (!Files.exists(file)) {
        Files.createFile(file);
        keepPrivate(file);
      }
      Files.write(file, content);
    } catch (IOException e) {
      throw cannotWrite(String.valueOf(e.getMessage()));
    }
  }

  /** Lets nobody but its owner read a file: a program's arguments and paths may be in it. */
  static void keepPrivate(Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view != null) { // not on Windows
      view.setPermissions(
          EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
    }
  }

  private Failure cannotWrite(String reason) {
    return Failure.other("cannot write " + file + ": " + reason);
  }
}
