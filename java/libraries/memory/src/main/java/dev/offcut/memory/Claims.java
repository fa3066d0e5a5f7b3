package dev.offcut.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Who says of which memory of a pool that it is theirs, to be compared with what the regions say:
 * each byte that is handed out has one holder. Of a pool at rest; the work of one thread.
 */
final class Claims {
  private record Claim(long address, long bytes, Account account, Object holder)
      implements Comparable<Claim> {
    @Override
    public int compareTo(Claim other) {
      return Long.compare(address, other.address);
    }
  }

  private final ChunkAllocator allocator;
  private final List<Claim> claims = new ArrayList<>();

  Claims(ChunkAllocator allocator) {
    this.allocator = allocator;
  }

  /** A heap holds the chunk that begins at an address. */
  void addChunk(long address, Account account, Object holder) {
    Region region = allocator.regions.regionOf(address);
    long bytes = region.maps.chunkBytes(address);
    require(bytes > 0, holder, address, "begins no chunk");
    claims.add(new Claim(address, bytes, account, holder));
  }

  /** An arena holds an extent, or its owner keeps it. */
  void addExtent(long address, long bytes, Account account) {
    claims.add(new Claim(address, bytes, account, "an extent of arenas"));
  }

  /** Throws unless every byte that is handed out is claimed once, by the owner it is charged to. */
  void verify() {
    for (Region region : allocator.regions.all()) {
      for (int granule = 0; granule < region.maps.count; granule++) {
        for (long bits = region.maps.ofProgram[granule]; bits != 0; bits &= bits - 1) {
          long address = region.maps.address(granule, Long.numberOfTrailingZeros(bits));
          addChunk(address, region.holdings.holdingOf(granule).account, "a chunk of the program");
        }
      }
    }
    Collections.sort(claims);
    long end = 0;
    for (Claim claim : claims) {
      require(claim.address >= end, claim.holder, claim.address, "has another holder, too");
      end = claim.address + claim.bytes;
      Region region = allocator.regions.regionOf(claim.address);
      require(
          end <= region.base + region.bytes
              && region.holdings.isHeld(claim.address, claim.bytes, claim.account),
          claim.holder,
          claim.address,
          "is not handed out to " + claim.account);
    }
    for (Region region : allocator.regions.all()) {
      verifySum(region);
    }
  }

  private void verifySum(Region region) {
    long claimed = 0;
    for (Claim claim : claims) {
      boolean isHere = claim.address >= region.base && claim.address < region.base + region.bytes;
      claimed += isHere ? claim.bytes : 0;
    }
    if (claimed != region.holdings.handedOutBytes()) {
      throw new IllegalStateException(
          allocator
              + ", region 0x"
              + Long.toHexString(region.base)
              + ": "
              + region.holdings.handedOutBytes()
              + " bytes are handed out and "
              + claimed
              + " are held by somebody");
    }
  }

  private void require(boolean holds, Object holder, long address, String what) {
    if (!holds) {
      throw new IllegalStateException(
          allocator
              + ": "
              + holder
              + " at 0x"
              + Long.toHexString(address)
              + ": this memory "
              + what);
    }
  }
}
