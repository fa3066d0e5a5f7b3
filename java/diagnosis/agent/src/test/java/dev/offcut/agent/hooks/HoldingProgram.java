package dev.offcut.agent.hooks;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that holds direct buffers until its stdin ends.
 *
 * <p>Arguments: how many, and how many bytes each has.
 */
public final class HoldingProgram {
  private HoldingProgram() {}

  public static void main(String[] args) throws IOException {
    List<ByteBuffer> held = new ArrayList<>();
    try {
      for (int i = 0; i < Integer.parseInt(args[0]); i++) {
        held.add(ByteBuffer.allocateDirect(Integer.parseInt(args[1])));
      }
      System.out.println("ready");
      while (System.in.read() >= 0) {}
    } finally {
      Reference.reachabilityFence(held);
    }
  }
}
