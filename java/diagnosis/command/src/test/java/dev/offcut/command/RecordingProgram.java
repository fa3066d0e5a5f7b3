package dev.offcut.command;

import java.nio.file.Files;
import java.nio.file.Path;
import jdk.jfr.Recording;

/** A program that records known figures again and again until it is killed. */
final class RecordingProgram {
  private RecordingProgram() {}

  /** {@code FILE}: where it writes the directory of its recorder. */
  public static void main(String[] args) throws Exception {
    Recording recording = new Recording();
    Scenario.enable(recording);
    recording.start();
    Files.writeString(Path.of(args[0]), System.getProperty("jdk.jfr.repository"));
    while (true) {
      Scenario.leaking().commit();
      Thread.sleep(200);
    }
  }
}
