package dev.offcut.bench.memory;

import java.util.SplittableRandom;

/** The sizes that blocks are asked for in, drawn beforehand: a power of two of them, in bytes. */
final class Sizes {
  /** In the name of a case: those of {@link #webSocket}. */
  static final String WEB_SOCKET = "web-socket";

  private static final int COUNT = 1 << 16;
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

  private Sizes() {}

  /** {@link #WEB_SOCKET}, or a number: all of that size. */
  static int[] named(String name) {
    return name.equals(WEB_SOCKET) ? webSocket() : fixed(Integer.parseInt(name));
  }

  static int[] fixed(int bytes) {
    return new int[] {bytes};
  }

  /** From {@code least} to {@code most}, each as often. */
  static int[] uniform(int least, int most) {
    return new SplittableRandom(SEED).ints(COUNT, least, most + 1).toArray();
  }

  static int[] webSocket() {
    SplittableRandom random = new SplittableRandom(SEED);
    return random.ints(COUNT, 0, 1000).map(thousandth -> proxy(thousandth, random)).toArray();
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
}
