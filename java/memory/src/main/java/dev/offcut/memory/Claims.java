package dev.offcut.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Who says of which memory of a pool that it is theirs, to be compared with what the regions say:
 * each byte that is handed out has one holder. Of a pool at rest; the work of one thread.
 */
final class Claims implements ChunkMarks.Visitor {
  private record Claim(long address, long bytes, Owner owner, Object holder)
      implements Comparable<Claim> {
    @Override
    public int compareTo(Claim other) {
      return Long.compare(address, other.address);
    }
  }

  private final MemoryPool pool;
  private final List<Claim> claims = new ArrayList<>();

  Claims(MemoryPool pool) {
    this.pool = pool;
  }

  /** A heap holds the chunk that begins at an address. */
  void addChunk(long address, Owner owner, Object holder) {
    Region region = pool.regions().have(address);
    long bytes = region.chunkBytes(address);
    require(bytes > 0, holder, address, "begins no chunk");
    claims.add(new Claim(address, bytes, owner, holder));
  }

  /** An arena holds a line, or its owner keeps it; lines of other pools are left out. */
  void addLine(Line line) {
    if (line.owner.pool() == pool) {
      claims.add(new Claim(line.from, line.bytes(), line.owner, "a line of arenas"));
    }
  }

  @Override
  public void at(long address, boolean isKept) {
    addChunk(address, pool.regions().have(address).ownerOf(address), "a chunk of the program");
  }

  /** Throws unless every byte that is handed out is claimed once, by the owner it is charged to. */
  void verify() {
    for (Region region : pool.regions().all()) {
      region.marks.visit(this);
    }
    Collections.sort(claims);
    long end = 0;
    for (Claim claim : claims) {
      require(claim.address >= end, claim.holder, claim.address, "has another holder, too");
      end = claim.address + claim.bytes;
      Region region = pool.regions().have(claim.address);
      require(
          end <= region.base + region.bytes
              && region.isHeld(claim.address, claim.bytes, claim.owner),
          claim.holder,
          claim.address,
          "is not handed out to " + claim.owner);
    }
    for (Region region : pool.regions().all()) {
      verifySum(region);
    }
  }

  private void verifySum(Region region) {
    long claimed = 0;
    for (Claim claim : claims) {
      boolean isHere = claim.address >= region.base && claim.address < region.base + region.bytes;
      claimed += isHere ? claim.bytes : 0;
    }
    if (claimed != region.handedOutBytes()) {
      throw new IllegalStateException(
          "pool "
              + pool
              + ", region 0x"
              + Long.toHexString(region.base)
              + ": "
              + region.handedOutBytes()
              + " bytes are handed out and "
              + claimed
              + " are held by somebody");
    }
  }

  private void require(boolean holds, Object holder, long address, String what) {
    if (!holds) {
      throw new IllegalStateException(
          "pool "
              + pool
              + ": "
              + holder
              + " at 0x"
              + Long.toHexString(address)
              + ": this memory "
              + what);
    }
  }
}
