package shop;

import com.sun.jna.Memory;
import dev.offcut.junit.NoNativeLeaks;
import org.junit.jupiter.api.Test;

/** Uses a library that the agent does not understand. */
@NoNativeLeaks
class BlindTests {
  @Test
  void opensWhatNobodyCounts() {
    new Memory();
  }
}
