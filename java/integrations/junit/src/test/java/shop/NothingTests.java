package shop;

import dev.offcut.junit.NoNativeLeaks;
import org.junit.jupiter.api.Test;

/** A test that opens nothing. */
@NoNativeLeaks
class NothingTests {
  @Test
  void opensNothing() {}
}
