package shop.ng;

import dev.offcut.junit.NoNativeLeaks;
import org.testng.annotations.Test;

/** A test that opens nothing. */
@NoNativeLeaks
public class CheckedNothingTests {
  @Test
  public void opensNothing() {}
}
