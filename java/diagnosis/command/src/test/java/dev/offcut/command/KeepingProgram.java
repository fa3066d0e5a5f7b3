package dev.offcut.command;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A program that keeps as many direct buffers of a KiB as each line of its input says. */
final class KeepingProgram {
  private static final List<ByteBuffer> KEPT = new ArrayList<>();

  private KeepingProgram() {}

  /** Says a line when it waits for one. It ends with its input. */
  public static void main(String[] args) throws Exception {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      System.out.println("waiting");
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        keep(Integer.parseInt(line));
        System.out.println("waiting");
      }
    }
  }

  private static void keep(int count) {
    for (int i = 0; i < count; i++) {
      KEPT.add(ByteBuffer.allocateDirect(1024));
    }
  }
}
