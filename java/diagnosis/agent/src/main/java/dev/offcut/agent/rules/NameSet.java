package dev.offcut.agent.rules;

import dev.offcut.agent.hooks.code.Supertypes;

/**
 * A set of names as their {@linkplain Supertypes#number(String) numbers}, since it has the name of
 * nearly each class of the program. Any thread.
 */
final class NameSet {
  private long[] table = new long[1024];
  private int size;

  /** Whether the name of a number is in it. */
  synchronized boolean contains(long number) {
    return table[place(number)] != 0;
  }

  /** Adds the name of a number. */
  synchronized void add(long number) {
    if (2 * size > table.length) {
      grow();
    }
    int at = place(number);
    if (table[at] == 0) {
      table[at] = number == 0 ? 1 : number;
      size++;
    }
  }

  /** The place of a number, or where it would be. */
  private int place(long number) {
    long kept = number == 0 ? 1 : number;
    int at = (int) (kept >>> 20) & (table.length - 1);
    while (table[at] != 0 && table[at] != kept) {
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
}
