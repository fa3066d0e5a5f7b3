package shop.ng;

import com.sun.jna.Memory;
import dev.offcut.junit.NoNativeLeaks;
import org.testng.annotations.AfterClass;
import org.testng.annotations.Test;

/** Uses a library that the agent does not understand. */
@NoNativeLeaks
public class BlindTests {
  @Test
  public void opensWhatNobodyCounts() {
    new Memory();
  }

  @AfterClass
  public void end() {}
}
