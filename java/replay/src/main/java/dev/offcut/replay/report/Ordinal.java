package dev.offcut.replay.report;

/** Numbers in rows: 1st, 2nd, 11th. */
final class Ordinal {
  private Ordinal() {}

  static String of(int number) {
    boolean teen = number % 100 / 10 == 1;
    return number
        + switch (teen ? 0 : number % 10) {
          case 1 -> "st";
          case 2 -> "nd";
          case 3 -> "rd";
          default -> "th";
        };
  }
}
