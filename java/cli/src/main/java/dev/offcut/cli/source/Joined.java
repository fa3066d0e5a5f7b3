package dev.offcut.cli.source;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * The recording of a program that was killed, out of the directory that its Flight Recorder wrote
 * to: a recording is nothing but chunks in a row. The first says that the end is missing.
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
    if (any) {
      try (FileChannel channel = FileChannel.open(recording, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(new byte[] {1}), Chunk.CUT_AT);
      }
    } else {
      Files.delete(recording);
    }
    return any;
  }

  /** Whether a recording is whole, so that there is nothing to be had beside it. */
  public static boolean isWhole(Path recording) throws IOException {
    try (Salvage salvage = Salvage.of(recording)) {
      return salvage.isComplete();
    } catch (Failure e) {
      return false;
    }
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
