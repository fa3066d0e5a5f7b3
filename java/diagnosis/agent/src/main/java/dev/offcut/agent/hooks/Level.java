package dev.offcut.agent.hooks;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How much is tracked. */
public enum Level {
  /** Nothing: no class is changed. */
  OFF,
  /** The counts. */
  COUNT,
  /** The counts, and the stack of one opening in so many. */
  SAMPLE,
  /** The counts, and every stack: for tests. */
  FULL;

  /** The one of a name, or null. */
  public static @Nullable Level of(String label) {
    for (Level level : values()) {
      if (level.label().equals(label)) {
        return level;
      }
    }
    return null;
  }

  /** Its name among the agent's options. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
