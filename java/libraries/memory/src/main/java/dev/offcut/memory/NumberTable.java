package dev.offcut.memory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What may be forgotten, by number: a handle keeps a number and nothing that it would keep
 * reachable. Number 0 is none.
 *
 * <p>Any thread may use it. Changed under the monitor; read without it by the one who has the
 * number, whose entry was written before the number was handed on. Only {@link #add} needs memory,
 * and has changed nothing if there is none.
 */
final class NumberTable<T> {
  private static final int FIRST_SIZE = 64;

  private volatile @Nullable Object[] entries = new Object[FIRST_SIZE];
  private int[] freeNumbers = new int[FIRST_SIZE];
  private int freeCount;
  private int next = 1;

  NumberTable() {}

  synchronized int add(T entry) {
    if (freeCount == 0 && next == entries.length) {
      int[] moreNumbers = Arrays.copyOf(freeNumbers, 2 * next);
      entries = Arrays.copyOf(entries, 2 * next);
      freeNumbers = moreNumbers;
    }
    int number = freeCount > 0 ? freeNumbers[--freeCount] : next++;
    entries[number] = entry;
    return number;
  }

  synchronized void remove(int number) {
    entries[number] = null;
    freeNumbers[freeCount++] = number;
  }

  /** What has a number, or null. */
  @SuppressWarnings("unchecked") // only T are added
  @Nullable T get(int number) {
    return (T) entries[number];
  }
}
