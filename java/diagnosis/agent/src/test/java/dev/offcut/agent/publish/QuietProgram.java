package dev.offcut.agent.publish;

import dev.offcut.agent.hooks.TrackedProgram;
import java.nio.ByteBuffer;

/**
 * A program that opens one buffer at the beginning, and keeps it.
 *
 * <p>Argument: how many milliseconds.
 */
public final class QuietProgram {
  private QuietProgram() {}

  public static void main(String[] args) throws InterruptedException {
    ByteBuffer kept = open();
    Thread.sleep(Long.parseLong(args[0]));
    System.out.println("done " + kept.capacity());
  }

  private static ByteBuffer open() {
    return ByteBuffer.allocateDirect(TrackedProgram.BYTES);
  }
}
