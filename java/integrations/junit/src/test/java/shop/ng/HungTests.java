package shop.ng;

import org.testng.annotations.AfterMethod;
import shop.Image;

/** What the methods around the tests of a class are in a class above. */
public class HungTests {
  Image fromAbove;

  /** After those of the class below. */
  @AfterMethod
  public void closeAbove() {
    if (fromAbove != null) {
      fromAbove.close();
      fromAbove = null;
    }
  }

  /** Of no test of these. */
  @AfterMethod(onlyForGroups = "others")
  public void ofOthers() {}
}
