package dev.offcut.bench.longmap;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * {@code mixed_80_10_10}: 80 % get of a live key, 10 % put of another one, 10 % remove of the
 * oldest. Each thread has its part of the live keys, and as many to take turns with; they lie mixed
 * in the map, so that threads meet in it.
 */
@State(Scope.Thread)
public class Mixed {
  private static final int LIVE = 10_000;

  /** Of 65,536. */
  private static final long GETS = 52_429;

  /** The map that all threads share. */
  @State(Scope.Benchmark)
  public static class Shared {
    @Param("offcut")
    public String impl = "";

    private AddressMap map = new AddressMap.OffcutMap();
    private Addresses addresses = Addresses.malloc(0);

    @Setup
    public void setUp() {
      map = AddressMap.of(impl);
      addresses = Addresses.malloc(2 * LIVE);
    }
  }

  private AddressMap map = new AddressMap.OffcutMap();

  /** The live ones stand from {@code oldest} on, round the end. */
  private long[] keys = {};

  private Object[] values = {};
  private int live;
  private int oldest;
  private boolean putNext = true;
  private long random;

  @Setup
  public void setUp(Shared shared, BenchmarkParams all, ThreadParams thread) {
    int each = 2 * LIVE / all.getThreads();
    map = shared.map;
    keys = shared.addresses.part(thread.getThreadIndex() * each, each);
    values = new Object[each];
    Arrays.setAll(values, i -> new Object());
    live = each / 2;
    random = 0x9E3779B97F4A7C15L * (thread.getThreadIndex() + 1);
    for (int i = 0; i < live; i++) {
      map.put(keys[i], values[i]);
    }
    System.gc(); // the map of a program that runs for long is old
  }

  @Benchmark
  public void operation(Shared shared) {
    long next = random;
    next ^= next << 13;
    next ^= next >>> 7;
    next ^= next << 17;
    random = next;
    if (next >>> 48 < GETS) {
      int at = wrap(oldest + (int) (((next & 0xffff_ffffL) * live) >>> 32));
      check(map.get(keys[at]), values[at]);
    } else if (putNext) {
      int at = wrap(oldest + live);
      check(map.put(keys[at], values[at]), null);
      putNext = false;
    } else {
      check(map.remove(keys[oldest]), values[oldest]);
      oldest = wrap(oldest + 1);
      putNext = true;
    }
  }

  private int wrap(int at) {
    return at < keys.length ? at : at - keys.length;
  }

  private static void check(@Nullable Object found, @Nullable Object expected) {
    if (found != expected) {
      throw new AssertionError("a wrong answer");
    }
  }
}
