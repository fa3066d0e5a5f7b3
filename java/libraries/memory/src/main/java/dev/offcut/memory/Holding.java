package dev.offcut.memory;

/**
 * What one account holds of one region: its home granules, from which its small chunks come, and
 * counts. Guarded by the region's lock.
 *
 * <p>Small chunks of an account come from granules that it has already, so that a survivor does not
 * keep a granule that the dead of others left.
 */
final class Holding {
  final Account account;
  final Region region;

  /** Its number in the region, from 1 on. */
  final int number;

  /** For each size of small chunk the granules that have one of exactly this size, free. */
  final GranuleHeap[] granulesWith = new GranuleHeap[Leaves.SIZES];

  /** Whether it was without granules at the last look for such. */
  boolean isIdle;

  /** Granules that are the account's, those of large chunks too. */
  long granules;

  /** Bytes of chunks that were handed out. */
  long handedOutBytes;

  /** Bytes of blocks in these chunks, as far as their arenas have said. */
  long usedBytes;

  Holding(Account account, Region region, int number) {
    this.account = account;
    this.region = region;
    this.number = number;
    for (int j = 0; j < Leaves.SIZES; j++) {
      granulesWith[j] = new GranuleHeap();
    }
  }
}
