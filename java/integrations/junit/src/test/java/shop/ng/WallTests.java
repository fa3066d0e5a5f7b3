package shop.ng;

import dev.offcut.junit.NoNativeLeaks;
import dev.offcut.junit.Shared;
import org.testng.annotations.AfterClass;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;
import shop.Image;

/** Tests with methods around them: these close what tests leave, but not all of it. */
@NoNativeLeaks
public class WallTests extends HungTests {
  private Image ofClass;
  private Image before;
  private Image handedOn;

  @BeforeClass
  public void openOfClass() {
    ofClass = new Image();
    new Image();
  }

  @BeforeMethod
  public void open() {
    before = new Image();
  }

  @AfterMethod
  public void close() {
    if (before != null) {
      before.close();
    }
  }

  @AfterClass
  public void closeOfClass() {
    ofClass.close();
  }

  @Test
  public void a_closesAfterwards() {
    fromAbove = new Image();
  }

  @Test
  public void b_leaksWhatCameBefore() {
    before = null;
  }

  @Test
  public void c_leaks() {
    new Image();
  }

  @Test
  @Shared
  public void d_opensForNext() {
    handedOn = new Image();
  }

  @Test(dependsOnMethods = "d_opensForNext")
  public void e_closesOfPrevious() {
    handedOn.close();
  }

  @Test
  @Shared
  public void f_leaksShared() {
    new Image();
  }
}
