package dev.offcut.agent.publish;

import java.nio.file.Path;
import jdk.jfr.Recording;

/**
 * A program that collects, and then starts a recording of its own, which the JVM writes at exit.
 *
 * <p>Argument: its file.
 */
public final class SecondRecordingProgram {
  private SecondRecordingProgram() {}

  public static void main(String[] args) throws Exception {
    System.gc();
    @SuppressWarnings("resource") // it lasts until the JVM ends
    Recording recording = new Recording();
    recording.enable("jdk.GCHeapSummary");
    recording.setDestination(Path.of(args[0]));
    recording.setDumpOnExit(true);
    recording.start();
  }
}
