package shop.ng;

import dev.offcut.junit.NoNativeLeaks;
import org.testng.SkipException;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

/** Tests without methods around them: each fails itself. */
@NoNativeLeaks
public class GalleryTests {
  @Test
  public void closes() {
    new Picture().close();
  }

  @Test
  public void leaks() {
    new Picture();
  }

  @Test
  public void leaksInThread() throws InterruptedException {
    Thread thread = new Thread(Picture::new);
    thread.start();
    thread.join();
  }

  @Test(timeOut = 60_000)
  public void leaksInTime() {
    new Picture();
  }

  @Test
  public void failsByItself() {
    new Picture();
    throw new IllegalStateException("its own failure");
  }

  @Test(expectedExceptions = IllegalStateException.class)
  public void leaksAndThrowsAsExpected() {
    new Picture();
    throw new IllegalStateException("expected");
  }

  @Test
  public void leaksAndSkips() {
    new Picture();
    throw new SkipException("skipped");
  }

  @DataProvider
  public Object[][] numbers() {
    return new Object[][] {{1}, {2}, {3}};
  }

  @Test(dataProvider = "numbers")
  public void leaksTheSecond(int number) {
    Picture picture = new Picture();
    if (number != 2) {
      picture.close();
    }
  }
}
