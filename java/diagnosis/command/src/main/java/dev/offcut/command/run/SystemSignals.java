package dev.offcut.command.run;

import java.util.function.IntConsumer;
import sun.misc.Signal;

/**
 * The only class of the JDK that takes a signal without ending the JVM. Compilers warn about its
 * name, and no option stops that: so the build compiles this class alone, before all others.
 * Reflection and a proxy instead would cost each run 12 ms of CPU.
 */
final class SystemSignals {
  private SystemSignals() {}

  /**
   * Takes a signal, by its name without SIG.
   *
   * @param taken is given its number, in a thread of its own
   * @throws IllegalArgumentException if it is not on this system, or the JVM leaves it alone
   */
  static void take(String name, IntConsumer taken) {
    Signal.handle(new Signal(name), signal -> taken.accept(signal.getNumber()));
  }
}
