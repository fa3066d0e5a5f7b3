package shop.ng;

import dev.offcut.junit.NoNativeLeaks;
import org.testng.annotations.Test;

/** One of its tests is checked. */
public class DoorTests {
  @Test
  @NoNativeLeaks
  public void leaks() {
    new Picture();
  }

  @Test
  public void leaksUnchecked() {
    new Picture();
  }
}
