package dev.offcut.command.run;

import dev.offcut.command.read.Failure;
import dev.offcut.command.read.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether a disk has room. A JVM whose Flight Recorder cannot write any more ends. */
final class FreeSpace {
  /** Some chunks of a recorder, which have 12 MiB each, and the recording that is made of them. */
  private static final long RECORDING = 128L << 20;

  private FreeSpace() {}

  /** Refuses a recording into a folder that has less room than a short one takes. */
  static void checkForRecording(Path folder) throws Failure {
    long free;
    try {
      free = Files.getFileStore(folder).getUsableSpace();
    } catch (IOException e) {
      throw Failure.other("cannot tell how much room " + folder + " has: " + e.getMessage());
    }
    if (free < RECORDING) {
      throw Failure.other(
          """
          a recording needs %s in %s, where %s are free; Flight Recorder ends a program that it \
          cannot write for. Free some space, or leave out --record: counts need no recording"""
              .formatted(Figures.bytes(RECORDING), folder, Figures.bytes(free)));
    }
  }
}
