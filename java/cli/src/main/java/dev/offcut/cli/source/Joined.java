package dev.offcut.cli.source;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The recording of a program that was killed, out of the directory that its Flight Recorder wrote
 * to: a recording is nothing but chunks in a row.
 */
public final class Joined {
  private Joined() {}

  /** Writes it; returns whether there was anything to be had. */
  public static boolean write(Path repository, Path recording) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(repository)) {
      files = all.filter(file -> file.toString().endsWith(".jfr")).sorted().toList();
    }
    boolean any = false;
    try (OutputStream out = Files.newOutputStream(recording)) {
      for (Path file : files) {
        any |= append(file, out);
      }
    }
    if (!any) {
      Files.delete(recording);
    }
    return any;
  }

  private static boolean append(Path file, OutputStream out) throws IOException {
    try (Salvage salvage = Salvage.of(file)) {
      Files.copy(salvage.file(), out);
      return true;
    } catch (Failure e) {
      return false; // the one that was being begun
    }
  }
}
