package dev.offcut.bench.longmap;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * {@code add_remove}: the shape of the benchmark in JNA's pull request 1703. An operation allocates
 * a value of 24 bytes, puts it by its address and removes it.
 */
@State(Scope.Thread)
public class AddRemove {
  private static final int HOT = 64;

  /** What a binding keeps about a block: header 12, address 8, size 4. */
  private record Block(long address, int size) {}

  @Param("offcut")
  public String impl = "";

  private AddressMap map = new AddressMap.OffcutMap();
  private long[] hot = {};
  private int at;

  @Setup
  public void setUp() {
    map = AddressMap.of(impl);
    hot = Addresses.malloc(HOT).part(0, HOT);
  }

  @Benchmark
  public int pair() {
    long address = hot[at++ & (HOT - 1)];
    if (map.put(address, new Block(address, HOT)) == null
        && map.remove(address) instanceof Block block
        && block.address == address) {
      return block.size;
    }
    throw new AssertionError("a wrong answer");
  }
}
