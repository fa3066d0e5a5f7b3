package shop.ng.checked;

import org.testng.annotations.Test;
import shop.Image;

/** Tests of a package that is checked. */
public class FrameTests {
  @Test
  public void leaks() {
    new Image();
  }
}
