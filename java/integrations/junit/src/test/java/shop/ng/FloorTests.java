package shop.ng;

import dev.offcut.junit.NoNativeLeaks;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

/**
 * A class whose leaks no method could fail for: it has none after its tests, or they do not run.
 */
public class FloorTests {
  /** Opens what nobody closes. */
  @NoNativeLeaks
  public static class WithoutEnd {
    @BeforeClass
    public void open() {
      new Picture();
    }

    @Test
    public void passes() {}
  }

  /** Its test is skipped. */
  @NoNativeLeaks
  public static class Skipped {
    @BeforeMethod
    public void openAndFail() {
      new Picture();
      throw new IllegalStateException("before");
    }

    @Test
    public void isSkipped() {}

    @AfterMethod
    public void close() {}
  }
}
