package dev.offcut.agent.hooks;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that opens, closes and drops until it is killed. Ten minutes are long enough for that:
 * if the test was killed itself, nobody else ends it.
 */
public final class ChurningProgram {
  private static final long LONGEST_NANOS = 600_000_000_000L;

  private static final Cleaner CLEANER = Cleaner.create();

  private ChurningProgram() {}

  public static void main(String[] args) throws InterruptedException {
    System.out.println("running");
    List<ByteBuffer> kept = new ArrayList<>();
    long began = System.nanoTime();
    for (int i = 0; System.nanoTime() - began < LONGEST_NANOS; i++) {
      Cleaner.Cleanable cleanable = CLEANER.register(new Object(), ChurningProgram::nothing);
      if (i % 3 == 0) {
        cleanable.clean();
      }
      ByteBuffer buffer = ByteBuffer.allocateDirect(100);
      if (i % 100 == 0 && kept.size() < 1_000) {
        kept.add(buffer);
      }
      if (i % 1_000 == 0) {
        Thread.sleep(1);
      }
    }
  }

  private static void nothing() {}
}
