package dev.offcut.memory;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One look at the memory of a budget: how much of it is left. The looks of a budget are one after
 * the other, under its lock.
 *
 * <p>In a container, the memory that pools have taken and not written yet is nobody's until they
 * write it. The look first assumes that they have written none of it. Only if too little is left
 * then, it asks the system which pages they have: that takes about a millisecond per GiB of address
 * space.
 */
final class BudgetLook {
  /** With less room than such a part of the limit, the pages of pools are counted. */
  private static final int PLENTY = 16;

  private static final long LEAST_MARGIN_BYTES = 16 << 20;
  private static final long MOST_MARGIN_BYTES = 512 << 20;

  private final Budget budget;
  private final @Nullable ContainerMemory container;
  private final long bytes;

  /** What the program said, or negative. */
  private final long givenMarginBytes;

  private final boolean isHeapTouched;

  /** The most that objects of the Java heap took at any look: so much of it has pages. */
  private long mostHeapUsed;

  long limitBytes;
  String limit = "";
  long usedBytes;
  long heapGrowthBytes;
  long untouchedBytes;
  long marginBytes;
  long roomBytes;

  /** Whether what is not written was counted, not assumed. */
  boolean isExact = true;

  /** What pools had charged when there was so much room. */
  long chargedBytes;

  BudgetLook(
      Budget budget, @Nullable ContainerMemory container, long bytes, long givenMarginBytes) {
    this.budget = budget;
    this.container = container;
    this.bytes = bytes;
    this.givenMarginBytes = givenMarginBytes;
    isHeapTouched = container != null && DirectMemory.isHeapTouched();
  }

  /**
   * Measures.
   *
   * @param wanted with less room than this, too, the pages of pools are counted
   */
  void look(long wanted) throws IOException {
    if (container == null) {
      lookAtBytes();
    } else {
      lookAtContainer(container, wanted);
    }
  }

  private void lookAtBytes() {
    long registered = 0;
    for (Budget.Registration each : budget.registrations()) {
      registered += each.bytes();
    }
    chargedBytes = budget.charged();
    limitBytes = bytes;
    limit = "given in bytes";
    marginBytes = margin(bytes);
    usedBytes = registered + chargedBytes;
    roomBytes = limitBytes - marginBytes - usedBytes;
  }

  /**
   * What pools take during the look may count twice, as charged and as used: then too little is
   * allowed until the next one. What they give back during it would be allowed twice, so the
   * smaller of the charges before and after the look counts.
   */
  private void lookAtContainer(ContainerMemory memory, long wanted) throws IOException {
    long chargedBefore = budget.charged();
    if (!memory.read()) {
      throw new IOException("the container has no limit any more");
    }
    limitBytes = memory.limitBytes;
    limit = memory.limitFile;
    usedBytes = memory.usedBytes;
    marginBytes = margin(limitBytes);
    heapGrowthBytes = heapGrowth();
    long left = limitBytes - marginBytes - usedBytes - heapGrowthBytes;
    countUntouched(left - Math.max(wanted, limitBytes / PLENTY));
    roomBytes = left - untouchedBytes;
    chargedBytes = Math.min(chargedBefore, budget.charged());
  }

  /** What is left free of a limit. */
  private long margin(long ofLimit) {
    if (givenMarginBytes >= 0) {
      return givenMarginBytes;
    }
    return container == null
        ? 0
        : Math.clamp(ofLimit / 16, Math.min(LEAST_MARGIN_BYTES, ofLimit / 2), MOST_MARGIN_BYTES);
  }

  private long heapGrowth() {
    Runtime runtime = Runtime.getRuntime();
    long total = runtime.totalMemory();
    mostHeapUsed = Math.max(mostHeapUsed, total - runtime.freeMemory());
    return Math.max(
        0, runtime.maxMemory() - (isHeapTouched ? total : Math.min(mostHeapUsed, total)));
  }

  /** Counts what is not written: at most, if that leaves enough, or else exactly. */
  private void countUntouched(long bearable) {
    long committed = 0;
    long reserved = 0;
    for (Budget.Member each : budget.pools()) {
      long external = each.commitment.externalBytes();
      reserved += external;
      committed += Math.max(0, each.commitment.bytes() - external);
    }
    untouchedBytes = committed + reserved;
    isExact = untouchedBytes == 0 || untouchedBytes > bearable;
    if (!isExact || untouchedBytes == 0) {
      return;
    }
    long resident = 0;
    for (Budget.Member each : budget.pools()) {
      MemoryPool pool = each.get();
      resident += pool == null ? 0 : pool.residentBytes();
    }
    resident = Math.min(resident, committed);
    // Reservations are for memory of others. What the container uses beyond pools and the Java
    // heap is the most of it that can be there already.
    long others = Math.max(0, usedBytes - resident - Runtime.getRuntime().totalMemory());
    untouchedBytes = committed - resident + Math.max(0, reserved - others);
  }
}
