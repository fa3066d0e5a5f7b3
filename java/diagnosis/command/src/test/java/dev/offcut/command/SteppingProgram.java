package dev.offcut.command;

import java.lang.reflect.Field;
import java.lang.reflect.Method;

/**
 * Takes two blocks of malloc in each step and frees the larger one. Their sizes add up to a power
 * of two, so a profiler that samples one block in as many bytes sees always the same one.
 */
final class SteppingProgram {
  static final int FREED = 49_152;
  static final int KEPT = 16_384;

  private SteppingProgram() {}

  /** How many steps. */
  public static void main(String[] args) throws Exception {
    Class<?> type = Class.forName("sun.misc.Unsafe"); // in no module that this one reads
    Field field = type.getDeclaredField("theUnsafe");
    field.setAccessible(true);
    Object unsafe = field.get(null);
    Method allocate = type.getMethod("allocateMemory", long.class);
    Method free = type.getMethod("freeMemory", long.class);
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      Object freed = allocate.invoke(unsafe, (long) FREED);
      allocate.invoke(unsafe, (long) KEPT);
      free.invoke(unsafe, freed);
    }
    System.out.println("kept " + args[0]);
  }
}
