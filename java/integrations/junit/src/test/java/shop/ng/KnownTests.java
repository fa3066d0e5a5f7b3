package shop.ng;

import dev.offcut.junit.NoNativeLeaks;
import org.testng.annotations.AfterClass;
import org.testng.annotations.Test;
import shop.Image;

/** Tests with leaks that are known, and one with another leak. */
@NoNativeLeaks(ignore = {"shop.ng.KnownTests.leaksKnown", "shop.Nothing"})
public class KnownTests {
  @Test
  public void leaksKnown() {
    new Image();
  }

  @Test
  public void leaksOther() {
    new Image();
  }

  @Test
  @NoNativeLeaks(ignore = "image")
  public void leaksByKind() {
    new Image();
  }

  @AfterClass
  public void end() {}
}
