package dev.offcut.bench.longmap;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import java.util.List;

/**
 * {@code add_remove}: the shape of the benchmark in JNA's pull request 1703, and its five figures.
 * An operation allocates a value of 24 bytes, puts it by its address and removes it.
 *
 * <p>Arguments: implementation, CPU seconds of warm-up, seconds of measurement.
 */
final class AddRemove implements Workers.Work {
  /** What a binding keeps about a block: header 12, address 8, size 4. */
  private static final class Block {
    final long address;
    final int size;

    Block(long address, int size) {
      this.address = address;
      this.size = size;
    }
  }

  private static final int SIZE = 64;

  private final AddressMap map;
  private final long[] hot;
  private long at;
  private long bytes;
  private long wrong;

  private AddRemove(AddressMap map, long[] hot) {
    this.map = map;
    this.hot = hot;
  }

  public static void main(String[] args) throws InterruptedException {
    try (Addresses addresses = Addresses.malloc(Lifo.HOT)) {
      AddRemove work = new AddRemove(AddressMap.of(args[0]), addresses.part(0, Lifo.HOT));
      FiveFigures.report(Workers.run(List.of(work), Child.nanos(args[1]), Child.nanos(args[2])));
    }
  }

  @Override
  public void times(int operations) {
    for (int i = 0; i < operations; i++) {
      long address = hot[(int) at++ & (Lifo.HOT - 1)];
      if (map.put(address, new Block(address, SIZE)) != null) {
        wrong++;
      }
      if (map.remove(address) instanceof Block block && block.address == address) {
        bytes += block.size;
      } else {
        wrong++;
      }
    }
  }

  @Override
  public void check() {
    if (wrong != 0 || bytes != at * SIZE) {
      throw new AssertionError(wrong + " wrong answers, " + bytes + " bytes");
    }
  }
}
