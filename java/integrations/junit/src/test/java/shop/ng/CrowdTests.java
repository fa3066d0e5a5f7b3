package shop.ng;

import dev.offcut.junit.NoNativeLeaks;
import java.util.Random;
import java.util.stream.IntStream;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

/** Many tests at the same time, of which one in twenty leaks, chosen by a seed. */
@NoNativeLeaks
public class CrowdTests {
  private static final int TESTS = Integer.getInteger("shop.tests", 1_000);
  private static final int[] ORDER =
      new Random(Long.getLong("shop.seed", 1)).ints(TESTS, 0, Integer.MAX_VALUE).toArray();
  private static final int[] SORTED = IntStream.of(ORDER).sorted().toArray();

  @DataProvider(parallel = true)
  public static Object[][] numbers() {
    return IntStream.range(0, TESTS).mapToObj(i -> new Object[] {i}).toArray(Object[][]::new);
  }

  /** Exactly a twentieth: those with the smallest random numbers. */
  public static boolean leaks(int number) {
    return ORDER[number] < SORTED[TESTS / 20];
  }

  @Test(dataProvider = "numbers")
  public void test(int number) throws InterruptedException {
    for (int i = 0; i <= number % 8; i++) {
      new Picture().close();
    }
    if (leaks(number) && number % 2 == 0) {
      new Picture();
    } else if (leaks(number)) {
      Thread thread = new Thread(Picture::new);
      thread.start();
      thread.join();
    }
  }
}
