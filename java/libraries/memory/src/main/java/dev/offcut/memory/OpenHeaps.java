package dev.offcut.memory;

import org.jspecify.annotations.Nullable;

/**
 * The open heaps of one owner: a list, so that neither way out needs memory. Changed under the
 * account's monitor, read by any thread without it: a heap that is closed meanwhile still leads on
 * to those that were behind it.
 */
final class OpenHeaps {
  final Account account;
  final ChunkAllocator allocator;
  private volatile @Nullable Blocks first;

  OpenHeaps(Account account, ChunkAllocator allocator) {
    this.account = account;
    this.allocator = allocator;
  }

  /** The first, which leads to the others by {@link Blocks#next}. */
  @Nullable Blocks first() {
    return first;
  }

  /** Adds a heap, before it takes anything; refused if the account is closed. */
  void add(Blocks heap) {
    synchronized (account) {
      account.checkOpen();
      Blocks second = first;
      heap.next = second;
      if (second != null) {
        second.previous = heap;
      }
      first = heap;
    }
  }

  /** Takes a heap out, if it is in. */
  void remove(Blocks heap) {
    synchronized (account) {
      Blocks before = heap.previous;
      Blocks behind = heap.next;
      if (before != null) {
        before.next = behind;
      } else if (first == heap) {
        first = behind;
      }
      if (behind != null && behind.previous == heap) {
        behind.previous = before;
      }
      heap.previous = null;
    }
  }

  /** Gives empty slabs of all back: those that were so a turn ago already, or all. */
  void age(boolean atOnce) {
    for (Blocks heap = first; heap != null; heap = heap.next) {
      heap.age(atOnce);
    }
  }

  /** Gives pages of all that no block in use touches to the system. */
  void discardFreePages() {
    for (Blocks heap = first; heap != null; heap = heap.next) {
      heap.discardFreePages();
    }
  }

  /** Adds up the bytes of their blocks. */
  void countInto(PoolCount count) {
    long used = 0;
    for (Blocks heap = first; heap != null; heap = heap.next) {
      used += heap.usedBytes();
    }
    count.addUsed(account, used);
  }

  /** Throws if something of a heap does not agree; says which chunks they hold. */
  void verify(Claims claims) {
    for (Blocks heap = first; heap != null; heap = heap.next) {
      heap.verify();
      heap.claimChunks(claims);
    }
  }
}
