package dev.offcut.command.read;

import java.util.List;
import java.util.function.LongFunction;

/**
 * Figures for people to read, the same in every language. To format numbers by {@code %,d} would
 * cost the first report of a process 9 ms of CPU: it asks for the country's way to write them.
 */
public final class Figures {
  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB"};

  /** Digits between two commas. */
  private static final int GROUP = 3;

  private Figures() {}

  public static String count(long number) {
    String digits = Long.toString(number);
    int first = number < 0 ? 1 : 0;
    if (digits.length() - first <= GROUP) {
      return digits;
    }
    StringBuilder text = new StringBuilder(digits);
    for (int at = digits.length() - GROUP; at > first; at -= GROUP) {
      text.insert(at, ',');
    }
    return text.toString();
  }

  /** To one digit behind the point, away from zero in the middle. */
  public static String tenths(double value) {
    long tenths = Math.round(Math.abs(value) * 10);
    return (value < 0 ? "-" : "") + count(tenths / 10) + '.' + tenths % 10;
  }

  /** With a zero before a single digit. */
  public static String twoDigits(long number) {
    return number < 10 ? "0" + number : Long.toString(number);
  }

  /** A number of things of a name, which gets an s if there is not one. */
  public static String count(long number, String name) {
    return count(number) + " " + name + (number == 1 ? "" : "s");
  }

  /**
   * An estimate with its margin. It is a range if the margin reaches below 0 or above {@code most},
   * which is known exactly; a margin of 0 is not shown. What is counted was seen at least once.
   */
  public static String count(long number, long margin, long most) {
    return estimate(number, margin, number > 0 ? 1 : 0, most, Figures::count);
  }

  /** The same for a size. */
  public static String bytes(long bytes, long margin, long most) {
    return estimate(bytes, margin, 0, most, Figures::bytes);
  }

  private static String estimate(
      long figure, long margin, long least, long most, LongFunction<String> text) {
    if (margin == 0) {
      return text.apply(figure);
    }
    long low = figure - margin;
    long high = figure + margin;
    return low < least || high > most
        ? text.apply(Math.max(low, least))
            + " to "
            + text.apply(Math.max(figure, Math.min(high, most)))
        : text.apply(figure) + " ± " + text.apply(margin);
  }

  /** A size, to one digit behind the point. */
  public static String bytes(long bytes) {
    if (Math.abs(bytes) < 1024) {
      return bytes + " B";
    }
    double size = bytes;
    int unit = -1;
    while (Math.abs(size) >= 1023.95 && unit < UNITS.length - 1) {
      size /= 1024;
      unit++;
    }
    return tenths(size) + ' ' + UNITS[unit];
  }

  /** The same with its sign: what became more, or less. */
  public static String change(long bytes) {
    return (bytes > 0 ? "+" : "") + bytes(bytes);
  }

  public static String seconds(double seconds) {
    if (seconds < 120) {
      return tenths(seconds) + " s";
    }
    long whole = Math.round(seconds);
    return twoDigits(whole / 3600) + ':' + twoDigits(whole / 60 % 60) + ':' + twoDigits(whole % 60);
  }

  public static String percent(long part, long all) {
    return Math.round(all == 0 ? 0 : 100.0 * part / all) + " %";
  }

  public static String joined(List<String> all) {
    return all.size() < 2
        ? String.join("", all)
        : String.join(", ", all.subList(0, all.size() - 1)) + ", and " + all.getLast();
  }
}
