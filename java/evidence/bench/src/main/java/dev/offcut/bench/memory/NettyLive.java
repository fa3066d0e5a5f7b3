package dev.offcut.bench.memory;

import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/** {@code netty_live_…}: of many buffers a random one is released, and another one taken. */
public class NettyLive extends TableBenchmark {
  private static final int LIVE = 4096;
  private static final int SIZES = 1 << 16;
  private static final long SEED = 20_251_118;

  /**
   * What a proxy of web sockets asks Netty for, by the pattern in Netty's allocation simulator,
   * summed up: so many in a thousand, from, to. The mean is about 2,530 bytes, as there.
   */
  private static final int[][] PROXY = {
    {132, 9, 21},
    {8, 36, 128},
    {242, 256, 256},
    {14, 287, 600},
    {104, 601, 637},
    {336, 1024, 1024},
    {30, 2048, 2048},
    {3, 2060, 2507},
    {8, 4321, 4574},
    {11, 8415, 8671},
    {112, 16383, 16863},
  };

  private int[] sizes = {};
  private int next;
  private long random = SEED;

  @Setup
  public void setUp() {
    SplittableRandom drawn = new SplittableRandom(SEED);
    sizes = drawn.ints(SIZES, 0, 1000).map(thousandth -> proxy(thousandth, drawn)).toArray();
    begin(LIVE);
    for (int slot = 0; slot < LIVE; slot++) {
      table.take(slot, sizes[next++]);
    }
  }

  private static int proxy(int thousandth, SplittableRandom random) {
    int left = thousandth;
    for (int[] part : PROXY) {
      left -= part[0];
      if (left < 0) {
        return random.nextInt(part[1], part[2] + 1);
      }
    }
    throw new AssertionError(thousandth + " of a thousand");
  }

  @Benchmark
  public void buffer() {
    long number = random;
    number ^= number << 13;
    number ^= number >>> 7;
    number ^= number << 17;
    random = number;
    int slot = (int) number & (LIVE - 1);
    table.give(slot);
    table.take(slot, sizes[next++ & (SIZES - 1)]);
  }

  @Override
  void giveAll() {
    for (int slot = 0; slot < LIVE; slot++) {
      table.give(slot);
    }
  }
}
