package dev.offcut.agent.base.concurrent;

import java.lang.ref.ReferenceQueue;
import org.jspecify.annotations.Nullable;

/**
 * A part of the table, with chains as in any hash table. It is its own lock. A helper of {@link
 * Closeables}.
 */
final class OpenStripe extends ReferenceQueue<Object> {
  private static final int SMALLEST = 16;

  private @Nullable OpenEntry[] table = new OpenEntry[SMALLEST];
  private int size;

  /** The hash of what was closed last. */
  int closedLast;

  /** Finds the entry of an object. */
  @Nullable OpenEntry find(int hash, Object object) {
    OpenEntry open = table[place(hash, table.length)];
    while (open != null && !(open.hash == hash && open.refersTo(object))) {
      open = open.next;
    }
    return open;
  }

  private static int place(int hash, int length) {
    // The lowest bits have chosen the stripe.
    return ((hash * 0x9E3779B9) >>> 12) & (length - 1);
  }

  void add(OpenEntry open) {
    if (size > table.length) {
      grow();
    }
    int at = place(open.hash, table.length);
    open.next = table[at];
    table[at] = open;
    size++;
  }

  private void grow() {
    try {
      spread(new OpenEntry[2 * table.length]);
    } catch (OutOfMemoryError e) {
      // Then chains are longer.
    }
  }

  /** Without a call: no stack can run out while the table is neither the old nor the new one. */
  private void spread(@Nullable OpenEntry[] to) {
    @Nullable OpenEntry[] from = table;
    int mask = to.length - 1;
    for (int i = 0; i < from.length; i++) {
      OpenEntry open = from[i];
      while (open != null) {
        OpenEntry next = open.next;
        int at = ((open.hash * 0x9E3779B9) >>> 12) & mask;
        open.next = to[at];
        to[at] = open;
        open = next;
      }
    }
    table = to;
  }

  /** Takes an entry out; whether it was in. */
  boolean remove(OpenEntry open) {
    int at = place(open.hash, table.length);
    OpenEntry before = null;
    for (OpenEntry one = table[at]; one != null; one = one.next) {
      if (one == open) {
        if (before == null) {
          table[at] = one.next;
        } else {
          before.next = one.next;
        }
        size--;
        return true;
      }
      before = one;
    }
    return false;
  }
}
