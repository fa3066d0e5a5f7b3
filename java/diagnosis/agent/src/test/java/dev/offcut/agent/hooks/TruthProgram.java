package dev.offcut.agent.hooks;

import java.nio.ByteBuffer;

/**
 * A program of all kinds, whose counts are known. Arguments: those of {@link TrackedProgram}.
 *
 * <p>Direct memory is to be limited: then threads that wait for it free what the collector found.
 */
public final class TruthProgram {
  /** Blocks of direct memory, which fill its limit several times. */
  static final int BLOCKS = 100;

  private static final int BLOCK = 1 << 20;

  private TruthProgram() {}

  public static void main(String[] args) throws Exception {
    forgetUnderPressure();
    TrackedProgram.main(args);
    System.out.println("end");
  }

  private static void forgetUnderPressure() {
    for (int i = 0; i < BLOCKS; i++) {
      ByteBuffer.allocateDirect(BLOCK).putInt(0, i);
    }
  }
}
