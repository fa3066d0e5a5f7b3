package dev.offcut.examples.sqlite;

/** A record in one number: the same for what was imported and for what a query reads back. */
final class Fingerprint {
  private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;

  private Fingerprint() {}

  /** Of a record without cells. */
  static long of(long record) {
    return mix(record);
  }

  /** Of a record with one more cell. */
  static long with(long print, String cell) {
    return mix(print ^ cell.hashCode()) + cell.length();
  }

  /** Of a record. */
  static long of(long record, String[] cells) {
    long print = of(record);
    for (String cell : cells) {
      print = with(print, cell);
    }
    return print;
  }

  /** Spreads every bit over all; a bijection. */
  static long mix(long value) {
    long z = value + FACTOR;
    z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return z ^ (z >>> 31);
  }
}
