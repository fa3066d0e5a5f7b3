package dev.offcut.memory;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The open heaps of one owner. Any thread may use it. */
final class OpenHeaps {
  final Account account;
  final ChunkAllocator allocator;
  final Set<Blocks> open = ConcurrentHashMap.newKeySet();

  OpenHeaps(Account account, ChunkAllocator allocator) {
    this.account = account;
    this.allocator = allocator;
  }

  boolean isEmpty() {
    return open.isEmpty();
  }

  /** Adds a heap, before it takes anything; refused if the account is closed. */
  void add(Blocks heap) {
    synchronized (account) {
      account.checkOpen();
      open.add(heap);
    }
  }

  /** Takes a heap out, if it is in. It needs no memory. */
  void remove(Blocks heap) {
    open.remove(heap);
  }

  /** Gives empty slabs of all back: those that were so a turn ago already, or all. */
  void age(boolean atOnce) {
    open.forEach(heap -> heap.age(atOnce));
  }

  void discardFreePages() {
    open.forEach(Blocks::discardFreePages);
  }

  void countInto(PoolCount count) {
    count.addUsed(account, open.stream().mapToLong(Blocks::usedBytes).sum());
  }
}
