package dev.offcut.replay.space;

import java.util.Locale;

/** Whose metadata an arena holds, which decides what chunks it is handed. */
public enum ArenaKind {
  /** The boot loader: many classes, there until the end. */
  BOOT,
  /** A class loader of the program. */
  STANDARD,
  /** One hidden class (before JDK 15: one anonymous class): small, many, short-lived. */
  HIDDEN,
  /** The loader of one generated reflection accessor (until JDK 21). */
  REFLECTION;

  /** As in traces. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
