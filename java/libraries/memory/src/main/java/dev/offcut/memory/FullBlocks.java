package dev.offcut.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.security.SecureRandom;

/**
 * Blocks that are checked for misuse as far as can be.
 *
 * <pre>
 *   handed out    what was asked for | canary, to the end of the block, 8 bytes at least
 *   put aside     poison; a chunk of its own: no access
 *   free          poison, in a slab
 * </pre>
 *
 * <p>The canary is looked at when the block is freed. The poison is, when the block is handed out
 * again. Between the two it is put aside, in {@link Quarantine}, so that a late write more likely
 * meets poison than another's block, and a late free is found.
 */
final class FullBlocks extends Blocks {
  /** What is free is full of it: as an address it faults, as a size it is refused. */
  private static final byte POISON = (byte) 0xDE;

  private static final int CANARY_BYTES = 8;
  private static final long QUARANTINE_BYTES = 1 << 20;

  private final NativeMemory memory;
  private final Quarantine quarantine = new Quarantine(QUARANTINE_BYTES);

  FullBlocks(OpenHeaps siblings) {
    super(siblings);
    memory = allocator.memory;
  }

  @Override
  Slab cut(Bin bin, long chunk, long base, long blockBytes, int count) {
    if (count > 1) {
      RawMemory.fill(chunk, classes.slabBytes(), POISON);
    }
    return new CheckedSlab(bin, chunk, base, blockBytes, count);
  }

  @Override
  long allocate(long bytes) {
    if (bytes <= 0 || bytes > Long.MAX_VALUE - CANARY_BYTES) {
      return super.allocate(bytes); // refuses
    }
    long address = super.allocate(bytes + CANARY_BYTES);
    CheckedSlab slab = checked(address);
    int block = slab.blockAt(address);
    checkPoison(address, slab);
    slab.bin.lock();
    try {
      slab.handOut(block, bytes);
    } finally {
      slab.bin.unlock();
    }
    Canary.write(address + bytes, slab.blockBytes - bytes);
    return address;
  }

  private CheckedSlab checked(long address) {
    return (CheckedSlab) slabOf(address);
  }

  private void checkPoison(long address, CheckedSlab slab) {
    if (slab.blocks == 1) {
      return; // new from the pool
    }
    long whole = RawMemory.run(address, slab.blockBytes, POISON);
    if (whole < slab.blockBytes) {
      RawMemory.fill(address, slab.blockBytes, POISON);
      super.free(address);
      throw CorruptedBlockException.writeAfterFree(address, slab.blockBytes, account.path(), whole);
    }
  }

  @Override
  void free(long address) {
    StackProbe.check();
    CheckedSlab slab = checked(address);
    int block = slab.blockAt(address);
    long asked = ifOut(slab, block, true);
    long whole = wholeBytes(address, slab, asked);
    putAside(slab, block);
    releaseOld(false);
    if (whole < slab.blockBytes) {
      throw CorruptedBlockException.overflow(address, asked, account.path(), whole, true);
    }
  }

  /** How many bytes of a block nobody has written who should not have: all, or up to the first. */
  private static long wholeBytes(long address, CheckedSlab slab, long asked) {
    return asked + Canary.whole(address + asked, slab.blockBytes - asked);
  }

  /** What was asked for a block that is out, else an error; the block may be put aside, too. */
  private long ifOut(CheckedSlab slab, int block, boolean putAside) {
    slab.bin.lock();
    long asked;
    try {
      asked = putAside ? slab.putAside(block) : slab.asked(block);
    } finally {
      slab.bin.unlock();
    }
    if (asked <= 0) {
      throw notOut(slab, block);
    }
    return asked;
  }

  private void putAside(CheckedSlab slab, int block) {
    if (slab.blocks > 1 || !memory.protect(slab.chunk, slab.blockBytes, false)) {
      RawMemory.fill(slab.address(block), slab.blockBytes, POISON);
    }
    quarantine.add(slab, block, slab.blockBytes);
  }

  private void releaseOld(boolean all) {
    for (Quarantine.FreedBlock old = quarantine.next(all);
        old != null;
        old = quarantine.next(all)) {
      CheckedSlab slab = (CheckedSlab) old.slab();
      if (slab.blocks == 1 && !memory.protect(slab.chunk, slab.blockBytes, true)) {
        quarantine.add(slab, old.block(), old.bytes()); // for want of mappings; another time
        return;
      }
      freeForGood(slab, old.block());
    }
  }

  /** In one step with its count: who adds up what is out sees the block put aside, or free. */
  private void freeForGood(CheckedSlab slab, int block) {
    Bin.Freed freed;
    slab.bin.lock();
    try {
      freed = slab.bin.free(slab, block);
      if (freed != Bin.Freed.NOT_OUT) {
        slab.asked[block] = 0;
        slab.aside--;
      }
    } finally {
      slab.bin.unlock();
    }
    if (freed != Bin.Freed.NOT_OUT) { // else the heap was cleared meanwhile, with all its slabs
      finishFree(slab, block, freed);
    }
  }

  @Override
  long bytesOf(long address) {
    CheckedSlab slab = checked(address);
    return ifOut(slab, slab.blockAt(address), false);
  }

  /**
   * Always moves, so that whoever kept the old address is found. A block with a stray write behind
   * it stays as it is: if it were freed, nobody would have its content.
   */
  @Override
  long reallocate(long address, long bytes) {
    long asked = bytesOf(address);
    CheckedSlab slab = checked(address);
    long whole = wholeBytes(address, slab, asked);
    if (whole < slab.blockBytes) {
      throw CorruptedBlockException.overflow(address, asked, account.path(), whole, false);
    }
    return move(address, asked, bytes);
  }

  @Override
  void age(boolean atOnce) {
    StackProbe.check();
    if (atOnce) {
      releaseOld(true);
    }
    super.age(atOnce);
  }

  /** What is free is full of poison: it stays. */
  @Override
  void discardFreePages() {}

  @Override
  void clear(boolean close) {
    StackProbe.check();
    releaseOld(true);
    super.clear(close);
  }

  /** A slab that knows of each block how many bytes were asked for, and whether it is put aside. */
  static final class CheckedSlab extends Slab {
    /** Positive: out; negative: freed and put aside; 0: free. */
    private final long[] asked;

    CheckedSlab(Bin bin, long chunk, long base, long blockBytes, int blocks) {
      super(bin, chunk, base, blockBytes, blocks);
      asked = new long[blocks];
    }

    /** Bytes that were asked for; 0 or less if the block is not out. */
    long asked(int block) {
      return asked[block];
    }

    void handOut(int block, long bytes) {
      asked[block] = bytes;
    }

    /** Frees a block that may not be used again yet: as {@link #asked} was. */
    long putAside(int block) {
      long bytes = asked[block];
      if (bytes > 0) {
        asked[block] = -bytes;
        aside++;
      }
      return bytes;
    }
  }

  /**
   * Bytes behind a block that nobody should change: they depend on the address and on a secret, so
   * that neither a copied block nor a guess has them right.
   */
  private static final class Canary {
    private static final long SECRET = new SecureRandom().nextLong();

    private Canary() {}

    /** Writes it from an address on. */
    static void write(long address, long bytes) {
      for (long at = address; at < address + bytes; at++) {
        RawMemory.ALL.set(JAVA_BYTE, at, expected(at));
      }
    }

    /** How many bytes from an address on are as they were written, at most {@code bytes}. */
    static long whole(long address, long bytes) {
      long at = 0;
      while (at < bytes && RawMemory.ALL.get(JAVA_BYTE, address + at) == expected(address + at)) {
        at++;
      }
      return at;
    }

    /** Not zero, which is what is written most often past an end. */
    private static byte expected(long address) {
      long mixed = ((address & -Long.BYTES) ^ SECRET) * 0x9E37_79B9_7F4A_7C15L;
      return (byte) ((mixed >>> (Byte.SIZE * (address & (Long.BYTES - 1)))) | 1);
    }
  }
}
