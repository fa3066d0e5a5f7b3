package shop;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What tests keep, and the rest of what they do. */
final class Kept {
  private static final Queue<Image> ALL = new ConcurrentLinkedQueue<>();
  private static final int ROUNDS = 1_000;

  @SuppressWarnings("UnusedVariable") // so that the work is done
  private static volatile double sink;

  private Kept() {}

  static void keep(Image image) {
    ALL.add(image);
  }

  static void work(int number) {
    double sum = number;
    for (int i = 0; i < ROUNDS; i++) {
      sum += Math.sin(sum);
    }
    sink = sum;
  }
}
