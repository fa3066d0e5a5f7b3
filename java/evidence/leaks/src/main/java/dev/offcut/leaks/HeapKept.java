package dev.offcut.leaks;

import java.util.Arrays;

/** A batch fills the Java heap once; with a large {@code -Xms} the JVM keeps its memory. */
public final class HeapKept {
  private static final int ARRAYS = 350;

  private HeapKept() {}

  public static void main(String[] args) throws Exception {
    Observer.begin();
    System.out.println("batch " + batch());
    System.gc();
    Thread.sleep(15_000);
    Observer.end();
  }

  private static int batch() {
    byte[][] arrays = new byte[ARRAYS][];
    for (int i = 0; i < ARRAYS; i++) {
      arrays[i] = new byte[1_000 << 10]; // the leak: nothing is, but the heap stays large
      Arrays.fill(arrays[i], (byte) 1);
    }
    return arrays.length;
  }
}
