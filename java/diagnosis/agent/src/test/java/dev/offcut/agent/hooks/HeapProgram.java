package dev.offcut.agent.hooks;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that holds much in its heap and drops more.
 *
 * <p>Arguments: how many MiB it holds, how many times it collects, and how many MiB it drops after
 * that.
 */
public final class HeapProgram {
  private static volatile Object dropped = "";

  private HeapProgram() {}

  public static void main(String[] args) {
    List<byte[]> held = new ArrayList<>();
    try {
      for (int kib = 0; kib < Integer.parseInt(args[0]) << 10; kib += 16) {
        held.add(new byte[16 << 10]);
      }
      for (int i = 0; i < Integer.parseInt(args[1]); i++) {
        System.gc();
      }
      for (int kib = 0; kib < Integer.parseInt(args[2]) << 10; kib += 16) {
        dropped = new byte[16 << 10];
      }
    } finally {
      Reference.reachabilityFence(held);
    }
    System.out.println(dropped.getClass());
  }
}
