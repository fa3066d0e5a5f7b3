package dev.offcut.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * What one account holds of one region: its home granules, from which its small chunks come, and
 * counts. Guarded by the region's lock.
 *
 * <p>Small chunks of an account come from granules that it has already, so that a survivor does not
 * keep a granule that the dead of others left.
 */
final class Holding {
  private static final int FIRST_GRANULES = 4;

  final Account account;
  final Region region;

  /** Its number in the region, from 1 on. */
  final int number;

  /** For each size of small chunk the granules that have one of exactly this size, free. */
  final List<PriorityQueue<Integer>> granulesWith = new ArrayList<>(Leaves.SIZES);

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
      granulesWith.add(new PriorityQueue<>(FIRST_GRANULES));
    }
  }
}
