package dev.offcut.examples.budget;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reads lines of numbers into native memory that it allocates itself, so no pool knows of that
 * memory. One thread at a time may use a parser; any thread may call {@link #nativeBytes}.
 */
final class Parser implements AutoCloseable {
  private static final long FIRST_BYTES = 1 << 20;

  private Arena arena = Arena.ofShared();
  private MemorySegment numbers = arena.allocate(FIRST_BYTES, Long.BYTES);
  private long count;

  /** Volatile, since the budget asks on its own thread. */
  private volatile long bytes = FIRST_BYTES;

  /** {@return how many bytes of native memory the parser has} */
  long nativeBytes() {
    return bytes;
  }

  /** Reads as many numbers as {@code wanted}, each a line of digits, and returns their sum. */
  long read(InputStream from, int wanted) throws IOException {
    byte[] part = new byte[1 << 16];
    long sum = 0;
    long number = 0;
    for (int found = 0; found < wanted; ) {
      int length = from.read(part);
      if (length < 0) {
        throw new IOException("the stream ended after " + found + " of " + wanted + " numbers");
      }
      for (int i = 0; i < length; i++) {
        if (part[i] == '\n') {
          add(number);
          sum += number;
          number = 0;
          found++;
        } else {
          number = 10 * number + part[i] - '0';
        }
      }
    }
    return sum;
  }

  private void add(long number) {
    if (count * Long.BYTES == numbers.byteSize()) {
      grow();
    }
    numbers.setAtIndex(ValueLayout.JAVA_LONG, count++, number);
  }

  /** Doubles the memory. */
  private void grow() {
    Arena larger = Arena.ofShared();
    MemorySegment copy = larger.allocate(2 * numbers.byteSize(), Long.BYTES).copyFrom(numbers);
    arena.close();
    arena = larger;
    numbers = copy;
    bytes = copy.byteSize();
  }

  /** Frees the memory. */
  @Override
  public void close() {
    arena.close();
    bytes = 0;
  }
}
