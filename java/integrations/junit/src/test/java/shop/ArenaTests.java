package shop;

import dev.offcut.junit.NoNativeLeaks;
import org.junit.jupiter.api.Test;

/** Tests that open arenas of the JDK. */
@NoNativeLeaks
@SuppressWarnings("UnusedVariable") // it keeps what is in it
class ArenaTests {
  private static AutoCloseable kept;

  @Test
  void closes() throws Exception {
    Native.arena("ofShared").close();
    Native.arena("ofConfined").close();
  }

  @Test
  void leaksShared() {
    Native.arena("ofShared");
  }

  @Test
  void leaksConfined() {
    kept = Native.arena("ofConfined");
  }

  @Test
  void dropsAutomatic() {
    Native.arena("ofAuto");
  }
}

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
