package dev.offcut.bench.memory;

import dev.offcut.bench.child.Child;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * {@code trace_…_memory}: a recorded program takes and frees blocks, up to its most bytes in use; a
 * small one several times, one after the other, while the blocks of the earlier ones live. Then
 * random ones are freed until only every tenth is left, and the allocator is told to give back what
 * it can. Both times that counts by which the process has grown, with what allocators note beside
 * the blocks, of the bytes that live.
 *
 * <p>Arguments: allocator, {@link MallocTrace#named}, the least bytes that are to live at most,
 * what random numbers begin with.
 */
final class TraceMemory {
  private static final int OF = 10;

  private TraceMemory() {}

  public static void main(String[] args) {
    MallocTrace trace = MallocTrace.named(args[1]);
    long least = Long.parseLong(args[2]);
    long seed = Long.parseLong(args[3]);
    try (Allocator allocator = Allocator.of(args[0])) {
      run(allocator, trace, least, new SplittableRandom(seed));
    }
  }

  private static void run(
      Allocator allocator, MallocTrace trace, long least, SplittableRandom random) {
    int copies = Math.toIntExact(Math.ceilDiv(least, peakBytes(trace)));
    int[] held = new int[copies * trace.slotCount()];
    try (Slots table = allocator.table(held.length)) {
      long before = Child.residentBytes();
      for (int copy = 0; copy < copies; copy++) {
        play(trace, copy * trace.slotCount(), table, held);
      }
      List<Integer> live = new ArrayList<>();
      for (int slot = 0; slot < held.length; slot++) {
        if (held[slot] > 0) {
          live.add(slot);
        }
      }
      Child.figure("peak_by_live", grown(before, live, held), "ratio");
      int survivors = live.size() / OF;
      while (live.size() > survivors + 1) {
        table.give(removeAny(live, random));
      }
      allocator.trim();
      table.give(removeAny(live, random)); // at which a heap of one thread does what it was told
      Child.figure("trimmed_by_live", grown(before, live, held), "ratio");
      live.forEach(table::give);
    }
  }

  /** Up to the most bytes in use; each page of a block is written. */
  private static void play(MallocTrace trace, int firstSlot, Slots table, int[] held) {
    for (int i = 0; i < trace.peakStep(); i++) {
      int slot = firstSlot + trace.slots()[i];
      int bytes = trace.sizes()[i];
      if (bytes > 0) {
        table.take(slot, bytes);
        table.fill(slot, bytes);
      } else {
        table.give(slot);
      }
      held[slot] = bytes;
    }
  }

  private static long peakBytes(MallocTrace trace) {
    int[] held = new int[trace.slotCount()];
    long bytes = 0;
    for (int i = 0; i < trace.peakStep(); i++) {
      bytes += trace.sizes()[i] - held[trace.slots()[i]];
      held[trace.slots()[i]] = trace.sizes()[i];
    }
    return bytes;
  }

  private static double grown(long before, List<Integer> live, int[] held) {
    long bytes = live.stream().mapToLong(slot -> held[slot]).sum();
    return (double) (Child.residentBytes() - before) / bytes;
  }

  private static int removeAny(List<Integer> live, SplittableRandom random) {
    int at = random.nextInt(live.size());
    int slot = live.get(at);
    live.set(at, live.getLast());
    live.removeLast();
    return slot;
  }
}
