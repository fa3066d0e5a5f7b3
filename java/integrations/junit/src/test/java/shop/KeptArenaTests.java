package shop;

import dev.offcut.junit.NoNativeLeaks;
import org.junit.jupiter.api.Test;

/** A test that keeps an arena that only the collector closes. */
@NoNativeLeaks
@SuppressWarnings("UnusedVariable") // it keeps what is in it
class KeptArenaTests {
  private static AutoCloseable kept;

  @Test
  void keepsAutomatic() {
    kept = Native.arena("ofAuto");
  }
}
