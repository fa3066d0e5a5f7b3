package shop;

import java.util.Random;
import java.util.stream.IntStream;

/** Which of many tests leak: exactly a twentieth, those with the smallest random numbers. */
public final class Chosen {
  /** How many there are. */
  public static final int TESTS = Integer.getInteger("shop.tests", 1_000);

  private static final boolean[] LEAKS = of(TESTS, Long.getLong("shop.seed", 1));

  private Chosen() {}

  /** Of so many tests, by a seed. */
  public static boolean[] of(int tests, long seed) {
    int[] order = new Random(seed).ints(tests, 0, Integer.MAX_VALUE).toArray();
    int bound = IntStream.of(order).sorted().toArray()[tests / 20];
    boolean[] leaks = new boolean[tests];
    for (int i = 0; i < tests; i++) {
      leaks[i] = order[i] < bound;
    }
    return leaks;
  }

  /** Whether a test of this run leaks. */
  public static boolean leaks(int number) {
    return LEAKS[number];
  }
}
