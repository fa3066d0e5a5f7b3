package shop;

import dev.offcut.junit.NoNativeLeaks;
import org.junit.jupiter.api.Test;

/** A class of which two tests are checked. */
class OneTests {
  @Test
  @NoNativeLeaks
  void leaksChecked() {
    new Image();
  }

  @Test
  void leaksUnchecked() {
    new Image();
  }

  @Test
  @NoNativeLeaks
  void closes() {
    new Image().close();
  }
}
