package dev.offcut.agent.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/** The one class of a module of its own, which alone is let into java.base. */
public final class Key {
  private Key() {}

  /** What this class may do. */
  public static Lookup lookup() {
    return MethodHandles.lookup();
  }
}
