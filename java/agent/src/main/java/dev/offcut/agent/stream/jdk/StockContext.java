package dev.offcut.agent.stream.jdk;

import org.jspecify.annotations.Nullable;

/** Stands for {@code java.io.SerialCallbackContext} as it is after the rewriting. */
public abstract class StockContext {
  /** Was private. The object whose data are being read. */
  public @Nullable Object obj;
}
