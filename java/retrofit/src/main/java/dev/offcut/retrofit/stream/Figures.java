package dev.offcut.retrofit.stream;

import java.util.Locale;

/**
 * Figures for people to read, the same in every language.
 *
 * <p>The command has a class like it. Neither can use the other's: the agent's jar is loaded into
 * programs on Java 17 and brings nothing but itself, and the command is a module that cannot read a
 * jar with classes of java.base.
 */
final class Figures {
  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB"};

  private Figures() {}

  /** A number of things. */
  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A share. */
  static String percent(long part, long all) {
    return String.format(Locale.ROOT, "%.0f %%", all == 0 ? 0 : 100.0 * part / all);
  }

  /** An amount of memory, to one digit behind the point. */
  static String bytes(long bytes) {
    if (Math.abs(bytes) < 1024) {
      return bytes + " B";
    }
    double amount = bytes;
    int unit = -1;
    while (Math.abs(amount) >= 1023.95 && unit < UNITS.length - 1) { // 1,024.0 is one of the next
      amount /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%,.1f %s", amount, UNITS[unit]);
  }

  /** A time, which may be long. */
  static String time(double nanos) {
    return nanos < 1e9
        ? String.format(Locale.ROOT, "%.1f ms", nanos / 1e6)
        : String.format(Locale.ROOT, "%,.1f s", nanos / 1e9);
  }
}
