package shop.ng;

import dev.offcut.junit.NoNativeLeaks;
import dev.offcut.junit.Shared;
import org.testng.annotations.AfterClass;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

/** Tests with methods around them: these close what tests leave, but not all of it. */
@NoNativeLeaks
public class WallTests extends HungTests {
  private Picture ofClass;
  private Picture before;
  private Picture handedOn;

  @BeforeClass
  public void openOfClass() {
    ofClass = new Picture();
    new Picture();
  }

  @BeforeMethod
  public void open() {
    before = new Picture();
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
    fromAbove = new Picture();
  }

  @Test
  public void b_leaksWhatCameBefore() {
    before = null;
  }

  @Test
  public void c_leaks() {
    new Picture();
  }

  @Test
  @Shared
  public void d_opensForNext() {
    handedOn = new Picture();
  }

  @Test(dependsOnMethods = "d_opensForNext")
  public void e_closesOfPrevious() {
    handedOn.close();
  }

  @Test
  @Shared
  public void f_leaksShared() {
    new Picture();
  }
}
