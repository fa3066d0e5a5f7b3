package dev.offcut.memory;

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

  private final NativeMemory memory;
  private final Quarantine quarantine;

  FullBlocks(Owner owner, long quarantineBytes) {
    super(owner);
    memory = pool.memory();
    quarantine = new Quarantine(quarantineBytes);
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
      slab.bin.locked = 0;
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
      throw new WriteAfterFreeException(address, slab.blockBytes, owner, whole);
    }
  }

  @Override
  void free(long address) {
    CheckedSlab slab = checked(address);
    int block = slab.blockAt(address);
    long asked = ifOut(slab, block, true);
    long behind = slab.blockBytes - asked;
    long whole = Canary.whole(address + asked, behind);
    putAside(slab, block);
    letGo(false);
    if (whole < behind) {
      throw new BlockOverflowException(address, asked, owner, asked + whole);
    }
  }

  /** What was asked for a block that is out, else an error; the block may be put aside, too. */
  private long ifOut(CheckedSlab slab, int block, boolean putAside) {
    slab.bin.lock();
    long asked;
    try {
      asked = putAside ? slab.putAside(block) : slab.asked(block);
    } finally {
      slab.bin.locked = 0;
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

  private void letGo(boolean all) {
    for (Quarantine.Entry old = quarantine.next(all); old != null; old = quarantine.next(all)) {
      CheckedSlab slab = (CheckedSlab) old.slab();
      if (slab.blocks == 1 && !memory.protect(slab.chunk, slab.blockBytes, true)) {
        quarantine.add(slab, old.block(), old.bytes()); // for want of mappings; another time
        return;
      }
      // Under the lock: who frees it again looks at it and writes it, too.
      slab.bin.lock();
      try {
        slab.letGo(old.block());
      } finally {
        slab.bin.locked = 0;
      }
      super.free(slab.address(old.block()));
    }
  }

  @Override
  long bytesOf(long address) {
    CheckedSlab slab = checked(address);
    return ifOut(slab, slab.blockAt(address), false);
  }

  /** Always moves, so that whoever kept the old address is found. */
  @Override
  long reallocate(long address, long bytes) {
    return move(address, bytesOf(address), bytes);
  }

  @Override
  void age(boolean atOnce) {
    if (atOnce) {
      letGo(true);
    }
    super.age(atOnce);
  }

  @Override
  void clear(boolean close) {
    letGo(true);
    super.clear(close);
  }

  @Override
  long usedBytes() {
    return super.usedBytes() - quarantine.bytes();
  }
}
