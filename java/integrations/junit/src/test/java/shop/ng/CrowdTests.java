package shop.ng;

import dev.offcut.junit.NoNativeLeaks;
import java.util.stream.IntStream;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;
import shop.Chosen;
import shop.Image;

/** Many tests at the same time, of which one in twenty leaks, chosen by a seed. */
@NoNativeLeaks
public class CrowdTests {
  @DataProvider(parallel = true)
  public static Object[][] numbers() {
    return IntStream.range(0, Chosen.TESTS)
        .mapToObj(i -> new Object[] {i})
        .toArray(Object[][]::new);
  }

  @Test(dataProvider = "numbers")
  public void test(int number) throws InterruptedException {
    for (int i = 0; i <= number % 8; i++) {
      new Image().close();
    }
    if (Chosen.leaks(number) && number % 2 == 0) {
      new Image();
    } else if (Chosen.leaks(number)) {
      Thread thread = new Thread(Image::new);
      thread.start();
      thread.join();
    }
  }
}
