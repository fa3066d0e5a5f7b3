package dev.offcut.bench.longmap;

import dev.offcut.bench.longmap.Addresses.Walk;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * {@code put_remove_…}: what entering and deleting an address costs in a map that others live in. A
 * thread that frees its blocks at once gets the same few addresses again and again ({@code lifo});
 * one whose blocks are freed long after their allocation, always another one ({@code fifo}). An
 * operation is one put of a key and one remove, of the same or of the one put 1,024 before.
 */
@State(Scope.Thread)
public class PutRemove {
  /** A power of two. */
  private static final int HOT = 64;

  /** Allocations between that of a block and its free; a power of two, with twice the values. */
  private static final int FREED_LATER = 1024;

  @Param("offcut")
  public String impl = "";

  /** {@code lifo} or {@code fifo}. */
  @Param("lifo")
  public String order = "";

  /** Addresses that live in the map all along. */
  @Param("0")
  public int live;

  private AddressMap map = new AddressMap.OffcutMap();
  private boolean isLifo;
  private long[] hot = {};
  private Walk fresh = new Walk(hot, 0);
  private Walk stale = fresh.again();

  /** They exist before the measurement, so that what is allocated is the map's alone. */
  private final Object[] values = new Object[2 * FREED_LATER];

  private int at;

  @Setup
  public void setUp() {
    map = AddressMap.of(impl);
    isLifo = order.equals("lifo");
    int recorded = isLifo ? HOT : Math.max(live, HOT);
    Addresses addresses = Addresses.malloc(live + recorded);
    BurstDrain.fill(map, addresses.part(0, live));
    hot = addresses.part(live, HOT);
    fresh = new Walk(addresses.part(live, recorded), addresses.span());
    stale = fresh.again();
    Arrays.setAll(values, i -> new Object());
    for (int i = 0; i < FREED_LATER && !isLifo; i++) {
      put(fresh.next(), values[at++ % values.length]);
    }
    System.gc(); // the map of a program that runs for long is old
  }

  @Benchmark
  public void pair() {
    int now = at++;
    Object value = values[now & (values.length - 1)];
    if (isLifo) {
      long address = hot[now & (HOT - 1)];
      put(address, value);
      check(map.remove(address), value);
    } else {
      put(fresh.next(), value);
      check(map.remove(stale.next()), values[(now - FREED_LATER) & (values.length - 1)]);
    }
  }

  private void put(long address, Object value) {
    check(map.put(address, value), null);
  }

  private static void check(@Nullable Object found, @Nullable Object expected) {
    if (found != expected) {
      throw new AssertionError("a wrong answer");
    }
  }
}
