package shop;

import com.sun.jna.Memory;
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

/** A test that opens nothing. */
@NoNativeLeaks
class NothingTests {
  @Test
  void opensNothing() {}
}

/** Uses a library that the agent does not understand. */
@NoNativeLeaks
class BlindTests {
  @Test
  void opensWhatNobodyCounts() {
    new Memory();
  }
}
