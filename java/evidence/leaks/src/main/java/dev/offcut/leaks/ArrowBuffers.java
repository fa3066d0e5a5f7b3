package dev.offcut.leaks;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VarCharVector;

/** Vectors that are written by way of a buffer, which is released in the fixed form alone. */
public final class ArrowBuffers {
  private static final int VALUES = 3_000;
  private static final int VALUE_BYTES = 16 * 1024;

  private ArrowBuffers() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    RootAllocator allocator = new RootAllocator();
    Observer.begin();
    for (int i = 0; i < VALUES; i++) {
      try (VarCharVector vector = new VarCharVector("names", allocator)) {
        write(allocator, vector, fixed);
      }
    }
    Observer.end();
    if (fixed) {
      allocator.close();
    }
  }

  private static void write(RootAllocator allocator, VarCharVector vector, boolean fixed) {
    vector.allocateNew(VALUE_BYTES, 1);
    ArrowBuf value = allocator.buffer(VALUE_BYTES); // the leak
    value.setZero(0, VALUE_BYTES);
    vector.set(0, 0, VALUE_BYTES, value);
    vector.setValueCount(1);
    if (fixed) {
      value.close();
    }
  }
}
