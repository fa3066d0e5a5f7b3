package dev.offcut.agent.base.concurrent;

import java.util.function.Consumer;

/**
 * Defines classes in java.base, each from its file. A {@code Lookup} can do that, too, but parses
 * each file first, by the JDK's own code, in the interpreter.
 *
 * <p>A helper: its initializer hands the only object to the context class loader of the thread,
 * which is the agent's. Nobody else can get at it.
 */
final class Definer implements Consumer<byte[]> {
  static {
    @SuppressWarnings("unchecked") // the agent made this loader
    Consumer<Definer> agent = (Consumer<Definer>) Thread.currentThread().getContextClassLoader();
    agent.accept(new Definer());
  }

  private Definer() {}

  @Override
  public void accept(byte[] file) {
    Stock.Unsafe.getUnsafe().defineClass(null, file, 0, file.length, null, null);
  }
}
