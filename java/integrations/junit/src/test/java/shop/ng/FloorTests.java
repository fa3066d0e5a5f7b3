package shop.ng;

import dev.offcut.junit.NoNativeLeaks;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;
import shop.Image;

/**
 * Small classes, among them those whose leaks no method could fail for: they have none after their
 * tests, or the tests do not run.
 */
public class FloorTests {
  /** Opens what nobody closes. */
  @NoNativeLeaks
  public static class WithoutEnd {
    @BeforeClass
    public void open() {
      new Image();
    }

    @Test
    public void passes() {}
  }

  /** Its test is skipped. */
  @NoNativeLeaks
  public static class Skipped {
    @BeforeMethod
    public void openAndFail() {
      new Image();
      throw new IllegalStateException("before");
    }

    @Test
    public void isSkipped() {}

    @AfterMethod
    public void close() {}
  }

  /** One of its tests is checked. */
  public static class Door {
    @Test
    @NoNativeLeaks
    public void leaks() {
      new Image();
    }

    @Test
    public void leaksUnchecked() {
      new Image();
    }
  }

  /** A test that opens nothing. */
  @NoNativeLeaks
  public static class CheckedNothing {
    @Test
    public void opensNothing() {}
  }
}
