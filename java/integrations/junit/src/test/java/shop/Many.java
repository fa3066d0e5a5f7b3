package shop;

import dev.offcut.junit.NoNativeLeaks;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many tests at the same time, of which one in twenty leaks, chosen by a seed. */
abstract class Many {
  private static final int TESTS = Integer.getInteger("shop.tests", 1_000);
  private static final int[] ORDER =
      new Random(Long.getLong("shop.seed", 1)).ints(TESTS, 0, Integer.MAX_VALUE).toArray();
  private static final int[] SORTED = IntStream.of(ORDER).sorted().toArray();

  static IntStream numbers() {
    return IntStream.range(0, TESTS);
  }

  /** Exactly a twentieth: those with the smallest random numbers. */
  static boolean leaks(int number) {
    return ORDER[number] < SORTED[TESTS / 20];
  }

  @ParameterizedTest(name = "test {0}.")
  @MethodSource("numbers")
  void test(int number) throws InterruptedException {
    int opens = 1 + number % 8;
    for (int i = 0; i < opens; i++) {
      try (Image image = new Image()) {
        image.isClosed();
      }
    }
    if (leaks(number)) {
      switch (number % 3) {
        case 0 -> new Image();
        case 1 -> Kept.keep(new Image());
        default -> {
          Thread thread = new Thread(Image::new);
          thread.start();
          thread.join();
        }
      }
    }
    Kept.work(number);
  }
}

/** Many tests, checked. */
@NoNativeLeaks
class ManyTests extends Many {}
