package dev.offcut.command;

import jdk.jfr.FlightRecorder;

/** A program that says whether there is a recorder in it. */
final class RecorderProgram {
  private RecorderProgram() {}

  /** No arguments. */
  public static void main(String[] args) {
    System.out.println("recorder " + FlightRecorder.isInitialized());
  }
}
