package shop;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.IntVector;

/** Code of a program, outside of the packages of the libraries. */
public final class Orders {
  private Orders() {}

  /** Takes a buffer. */
  public static ArrowBuf open(BufferAllocator allocator) {
    return allocator.buffer(1000);
  }

  /** Takes the buffers of a vector. */
  public static IntVector numbers(BufferAllocator allocator) {
    IntVector numbers = new IntVector("numbers", allocator);
    numbers.allocateNew(100);
    return numbers;
  }
}
