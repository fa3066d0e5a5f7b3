package dev.offcut.bench.memory;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import java.util.Set;
import java.util.TreeSet;

/**
 * {@code pinned} of allocators that have blocks only: of many blocks, one here and there survives.
 * Of the pages that the blocks lay in, those count that are in memory after the allocator was told
 * to give back what it can.
 *
 * <p>Arguments: allocator, blocks, bytes of each, of how many one survives.
 */
final class Pinned {
  private Pinned() {}

  public static void main(String[] args) throws InterruptedException {
    int blocks = Integer.parseInt(args[1]);
    int bytes = Integer.parseInt(args[2]);
    int of = Integer.parseInt(args[3]);
    try (Allocator allocator = Allocator.of(args[0])) {
      Thread thread = allocator.threads().newThread(() -> run(allocator, blocks, bytes, of));
      thread.setUncaughtExceptionHandler((any, e) -> Workers.fail(e));
      thread.start();
      thread.join();
    }
  }

  private static void run(Allocator allocator, int blocks, int bytes, int of) {
    try (Slots table = allocator.table(blocks)) {
      Set<Long> pages = new TreeSet<>();
      for (int slot = 0; slot < blocks; slot++) {
        table.take(slot, bytes);
        table.fill(slot, bytes);
        addPages(table.address(slot), bytes, pages);
      }
      give(table, blocks, of, false);
      allocator.trim();
      report(survivors(blocks, of) * bytes, Resident.of(pages));
      give(table, blocks, of, true);
    }
  }

  private static void give(Slots table, int blocks, int of, boolean survivors) {
    for (int slot = 0; slot < blocks; slot++) {
      if (isSurvivor(slot, of) == survivors) {
        table.give(slot);
      }
    }
  }

  static void addPages(long address, int bytes, Set<Long> to) {
    long first = address & -Resident.PAGE_BYTES;
    for (long page = first; page < address + bytes; page += Resident.PAGE_BYTES) {
      to.add(page);
    }
  }

  static boolean isSurvivor(int number, int of) {
    return number % of == 0;
  }

  static long survivors(long number, int of) {
    return (number + of - 1) / of;
  }

  static void report(long live, long resident) {
    Child.figure("live_bytes", live, "B");
    Child.figure("resident_bytes", resident, "B");
    Child.figure("resident_by_live", (double) resident / live, "ratio");
  }
}
