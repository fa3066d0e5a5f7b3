package dev.offcut.agent;

import java.util.Locale;

/** Figures for people to read, the same in every language. */
public final class Figures {
  private Figures() {}

  /** A number of things. */
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A share. */
  public static String percent(long part, long all) {
    return String.format(Locale.ROOT, "%.0f %%", all == 0 ? 0 : 100.0 * part / all);
  }

  /** An amount of memory. */
  public static String bytes(long bytes) {
    double amount = bytes;
    String unit = "B";
    for (String larger : new String[] {"KiB", "MiB", "GiB", "TiB"}) {
      if (amount < 1024) {
        break;
      }
      amount /= 1024;
      unit = larger;
    }
    return String.format(Locale.ROOT, amount == bytes ? "%,.0f %s" : "%,.1f %s", amount, unit);
  }

  /** A time, which may be long. */
  public static String time(double nanos) {
    return nanos < 1e9
        ? String.format(Locale.ROOT, "%.1f ms", nanos / 1e6)
        : String.format(Locale.ROOT, "%,.1f s", nanos / 1e9);
  }
}
