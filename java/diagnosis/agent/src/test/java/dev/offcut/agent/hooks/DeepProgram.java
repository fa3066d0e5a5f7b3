package dev.offcut.agent.hooks;

import java.nio.ByteBuffer;
import java.util.function.Function;

/** Opens direct buffers below more frames of the JDK than the JVM keeps in one piece. */
public final class DeepProgram {
  private static final int DEPTH = 40;
  private static int bytes;

  private DeepProgram() {}

  public static void main(String[] args) {
    Function<Integer, ByteBuffer> open = ByteBuffer::allocateDirect;
    for (int i = 0; i < DEPTH; i++) {
      open = open.compose(Function.identity());
    }
    first(open);
    second(open);
    System.out.println(bytes);
  }

  private static void first(Function<Integer, ByteBuffer> open) {
    for (int i = 0; i < 30; i++) {
      bytes += open.apply(16).capacity();
    }
  }

  private static void second(Function<Integer, ByteBuffer> open) {
    for (int i = 0; i < 70; i++) {
      bytes += open.apply(16).capacity();
    }
  }
}
