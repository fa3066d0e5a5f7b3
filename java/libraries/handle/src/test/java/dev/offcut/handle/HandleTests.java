package dev.offcut.handle;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** What tests of handles share: each leaves the level and the listeners as it found them. */
abstract class HandleTests {
  static final Duration LIMIT = Duration.ofMinutes(5);

  @AfterEach
  void resetNet() {
    Listeners.removeAll();
    Handles.detection(Detection.COUNT);
  }

  /** A type of {@link Native}, with the test's name before its own. */
  HandleType.Builder named(String name) {
    return HandleType.named(getClass().getSimpleName() + "." + name).releaser(Native::close);
  }

  /** The same, with no policy set. */
  HandleType type(String name) {
    return named(name).create();
  }
}
