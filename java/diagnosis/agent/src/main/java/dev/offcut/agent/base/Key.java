package dev.offcut.agent.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.function.Consumer;

/**
 * The one class of a module of its own, which alone is let into java.base. When it is initialized
 * it gives its loader what it may do: reflection would cost the start of the program more.
 */
final class Key {
  static {
    @SuppressWarnings("unchecked") // JavaBase made this loader
    Consumer<Lookup> loader = (Consumer<Lookup>) Key.class.getClassLoader();
    loader.accept(MethodHandles.lookup());
  }

  private Key() {}
}
