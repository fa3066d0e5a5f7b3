package dev.offcut.agent.shape;

import org.jspecify.annotations.Nullable;

/**
 * A class that has been met.
 *
 * @param number stands for its name
 * @param above those of the class above it and of its interfaces; 0: the JDK's
 * @param place where it comes from: for whoever reads class files
 */
@SuppressWarnings("ArrayRecordComponent") // one is kept for each class, and none is compared
record Seen(String name, long number, long[] above, QuickLook look, @Nullable Object place) {
  boolean has(int mark) {
    return (look.marks() & mark) != 0;
  }

  /** Those that have been met, by number. For one thread. */
  static final class Table {
    private @Nullable Seen[] all = new Seen[1024];
    private int size;

    @Nullable Seen get(long number) {
      return all[place(all, number)];
    }

    /** Adds one, unless there is one of its name. */
    boolean add(Seen one) {
      if (2 * size > all.length) {
        grow();
      }
      int at = place(all, one.number);
      if (all[at] != null) {
        return false;
      }
      all[at] = one;
      size++;
      return true;
    }

    /** The place of a number, or where it would be. */
    private static int place(@Nullable Seen[] all, long number) {
      int at = (int) (number >>> 20) & (all.length - 1);
      for (Seen one = all[at]; one != null && one.number != number; one = all[at]) {
        at = (at + 1) & (all.length - 1);
      }
      return at;
    }

    private void grow() {
      @Nullable Seen[] more = new Seen[4 * all.length];
      for (Seen one : all) {
        if (one != null) {
          more[place(more, one.number)] = one;
        }
      }
      all = more;
    }
  }
}
