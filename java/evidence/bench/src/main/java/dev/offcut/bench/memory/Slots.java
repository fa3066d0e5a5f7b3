package dev.offcut.bench.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Blocks of native memory in numbered slots: what a program keeps them in, so that they escape.
 * Every block is written when it is taken, and read again when it is given back: had it been handed
 * out twice, that would show. The smallest block has 8 bytes.
 *
 * <p>One thread uses it at a time.
 */
abstract class Slots implements AutoCloseable {
  private static final AtomicInteger TABLES = new AtomicInteger();

  private final long stamp = (long) TABLES.incrementAndGet() << Integer.SIZE;

  /** Takes a block of so many bytes into a slot, and writes it. */
  abstract void take(int slot, int bytes);

  /** Checks the block in a slot, and frees it. */
  abstract void give(int slot);

  /** Where the block in a slot begins. */
  abstract long address(int slot);

  /** Everything there is; an address is an offset in it. */
  @SuppressWarnings("restricted") // only what an allocator handed out is accessed
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  /** Makes all pages of the block in a slot count. */
  final void fill(int slot, int bytes) {
    ALL.asSlice(address(slot) + Long.BYTES, bytes - Long.BYTES).fill((byte) 0x5a);
  }

  /** What a block is written with. */
  final long stamp(int slot) {
    return stamp + slot;
  }

  final void check(int slot, long found) {
    if (found != stamp(slot)) {
      throw new AssertionError(
          "block " + slot + " was overwritten with " + Long.toHexString(found));
    }
  }

  /** Ends it, on the thread that used it; all blocks have been given back. */
  @Override
  public void close() {}

  /** Blocks of which the address is all there is. */
  abstract static class AddressSlots extends Slots {
    private final long[] addresses;

    AddressSlots(int slots) {
      addresses = new long[slots];
    }

    abstract long allocate(int bytes);

    abstract void free(long address);

    @Override
    final void take(int slot, int bytes) {
      long address = allocate(bytes);
      ALL.set(JAVA_LONG_UNALIGNED, address, stamp(slot));
      addresses[slot] = address;
    }

    @Override
    final void give(int slot) {
      long address = addresses[slot];
      check(slot, ALL.get(JAVA_LONG_UNALIGNED, address));
      free(address);
    }

    @Override
    final long address(int slot) {
      return addresses[slot];
    }
  }
}
