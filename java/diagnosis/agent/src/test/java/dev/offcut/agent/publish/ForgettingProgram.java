package dev.offcut.agent.publish;

import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A program that closes most of its files, and forgets one in twenty. */
final class ForgettingProgram {
  static final int COUNT = 600;
  static final int FORGOTTEN = COUNT / 20;

  private ForgettingProgram() {}

  /** Nothing is needed. */
  public static void main(String[] args) throws IOException {
    List<FileInputStream> forgotten = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      FileInputStream file = new FileInputStream("/dev/null");
      if (i % 20 == 19) {
        forgotten.add(file);
      } else {
        file.close();
      }
    }
    System.out.println(forgotten.size());
  }
}
