package dev.offcut.agent.watch;

/**
 * A set of names as numbers of 64 bits, since it has the name of nearly each class of the program.
 * Of two names with the same number both seem to be in it, which is as likely as a cosmic ray. Any
 * thread.
 */
final class NameSet {
  private static final long PRIME = 0x100000001b3L; // FNV-1a

  private long[] table = new long[256];
  private int size;

  /** Whether a name is in it. */
  synchronized boolean contains(String name) {
    return table[place(number(name))] != 0;
  }

  /** Adds a name. */
  synchronized void add(String name) {
    if (2 * size > table.length) {
      grow();
    }
    long number = number(name);
    int at = place(number);
    if (table[at] == 0) {
      table[at] = number;
      size++;
    }
  }

  /** The place of a number, or where it would be. */
  private int place(long number) {
    int at = (int) (number >>> 20) & (table.length - 1);
    while (table[at] != 0 && table[at] != number) {
      at = (at + 1) & (table.length - 1);
    }
    return at;
  }

  private void grow() {
    long[] old = table;
    table = new long[2 * old.length];
    for (long number : old) {
      if (number != 0) {
        table[place(number)] = number;
      }
    }
  }

  private static long number(String name) {
    long number = 0xcbf29ce484222325L;
    for (int i = 0; i < name.length(); i++) {
      number = (number ^ name.charAt(i)) * PRIME;
    }
    return number == 0 ? 1 : number;
  }
}
