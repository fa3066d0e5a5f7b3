package dev.offcut.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.Deflater;

/**
 * Keeps deflaters, whose memory the JDK's library takes from malloc, and ends others. What it
 * prints comes before it ends, or waits for the end of its input.
 */
final class DeflatingProgram {
  private static final List<Deflater> KEPT = new ArrayList<>();

  /** Random, so that its pages are written. */
  private static final byte[] DATA = new byte[1 << 17];

  static {
    new Random(1).nextBytes(DATA);
  }

  private DeflatingProgram() {}

  /** How many it keeps, and {@code end}, {@code wait}, or {@code forget} them. */
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      keep();
      end();
    }
    System.out.println("kept " + KEPT.size());
    if (args[1].equals("wait")) {
      System.in.read();
    } else if (args[1].equals("forget")) {
      KEPT.clear();
    }
  }

  private static void keep() {
    Deflater deflater = new Deflater();
    deflater.setInput(DATA);
    deflater.deflate(new byte[DATA.length], 0, DATA.length, Deflater.FULL_FLUSH);
    KEPT.add(deflater);
  }

  private static void end() {
    new Deflater().end();
  }
}
