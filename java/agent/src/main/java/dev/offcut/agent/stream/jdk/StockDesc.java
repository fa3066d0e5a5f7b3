package dev.offcut.agent.stream.jdk;

import java.io.IOException;

/** Stands for {@code java.io.ObjectStreamClass}: what is private to its package. */
public abstract class StockDesc {
  /** The class it describes. */
  public abstract Class<?> forClass();

  /** Calls the class's own readObject. */
  public abstract void invokeReadObject(Object object, StockStream stream)
      throws IOException, ClassNotFoundException;
}
