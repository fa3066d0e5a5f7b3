package dev.offcut.agent.publish;

import dev.offcut.agent.hooks.Looks;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A program that opens buffers all the time. It copies the agent's tables each time that they have
 * a new time, and prints how many buffers were open before that time.
 *
 * <p>Argument: the folder of the copies, which are named 1, 2 and so on.
 */
public final class StampedProgram {
  static final int LOOKS = 3;

  private static final long PAUSE_NANOS = 50_000;

  private final long[] opened = new long[1 << 20];
  private int count;

  private StampedProgram() {}

  public static void main(String[] args) throws Exception {
    new StampedProgram().run(Path.of(args[0]));
  }

  private void run(Path copies) throws IOException {
    String tables = null;
    while (tables == null) {
      open();
      tables = System.getProperty("offcut.agent.tables");
    }
    try (RandomAccessFile file = new RandomAccessFile(tables, "r")) {
      long last = 0;
      for (int looks = 0; looks < LOOKS; ) {
        open();
        long time = Looks.last(file);
        if (time != last) {
          last = time;
          looks++;
          copy(file, copies.resolve(String.valueOf(looks)));
          int before = Arrays.binarySearch(opened, 0, count, time);
          while (before > 0 && opened[before - 1] == time) {
            before--;
          }
          System.out.println("before " + (before < 0 ? -before - 1 : before));
        }
      }
    }
  }

  /** Opens one, and notes a time at which it was open. */
  private void open() {
    ByteBuffer.allocateDirect(1);
    opened[count++] = System.currentTimeMillis();
    long end = System.nanoTime() + PAUSE_NANOS;
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }

  private static void copy(RandomAccessFile file, Path to) throws IOException {
    byte[] all = new byte[(int) file.length()];
    file.seek(0);
    file.readFully(all);
    Files.write(to, all);
  }
}
