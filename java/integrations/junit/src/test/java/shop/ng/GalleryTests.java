package shop.ng;

import dev.offcut.junit.NoNativeLeaks;
import org.testng.SkipException;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;
import shop.Image;

/** Tests without methods around them: each fails itself. */
@NoNativeLeaks
public class GalleryTests {
  @Test
  public void closes() {
    new Image().close();
  }

  @Test
  public void leaks() {
    new Image();
  }

  @Test
  public void leaksInThread() throws InterruptedException {
    Thread thread = new Thread(Image::new);
    thread.start();
    thread.join();
  }

  @Test(timeOut = 60_000)
  public void leaksInTime() {
    new Image();
  }

  @Test
  public void failsByItself() {
    new Image();
    throw new IllegalStateException("its own failure");
  }

  @Test(expectedExceptions = IllegalStateException.class)
  public void leaksAndThrowsAsExpected() {
    new Image();
    throw new IllegalStateException("expected");
  }

  @Test
  public void leaksAndSkips() {
    new Image();
    throw new SkipException("skipped");
  }

  @DataProvider
  public Object[][] numbers() {
    return new Object[][] {{1}, {2}, {3}};
  }

  @Test(dataProvider = "numbers")
  public void leaksTheSecond(int number) {
    Image picture = new Image();
    if (number != 2) {
      picture.close();
    }
  }
}
