package dev.offcut.handle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The pretend native library of the tests: hands out values that never repeat, and remembers the
 * order in which they were freed. Releases of other tests' leftovers do not disturb: each test asks
 * for its own values.
 */
final class Native {
  private static final AtomicLong NEXT = new AtomicLong(0x1000);
  private static final List<Long> FREED = Collections.synchronizedList(new ArrayList<>());

  private Native() {}

  /** A native open. */
  static long open() {
    return NEXT.incrementAndGet();
  }

  /** A native open that fails. */
  static final Handle.Opener NOTHING =
      () -> {
        throw new IllegalArgumentException("no such resource");
      };

  /** The native close: the releaser of most types here. */
  static void close(long value) {
    FREED.add(value);
  }

  /** How often the value was freed. */
  static int closes(long value) {
    return Collections.frequency(FREED, value);
  }

  /** Those of {@code values} that were freed, in the order in which they were. */
  static List<Long> order(Long... values) {
    List<Long> mine = List.of(values);
    synchronized (FREED) {
      return FREED.stream().filter(mine::contains).toList();
    }
  }
}
