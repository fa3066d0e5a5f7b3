package dev.offcut.replay.report;

import dev.offcut.replay.space.Words;
import java.util.Locale;

/** Sizes for people: in KiB below ten MiB, else in MiB. */
final class Sizes {
  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;

  private Sizes() {}

  static String ofWords(long words) {
    return ofBytes(Words.toBytes(words));
  }

  static String ofBytes(long bytes) {
    if (bytes >= 10 * MIB) {
      return String.format(Locale.ROOT, "%,.4g MiB", (double) bytes / MIB)
          .replaceAll("\\.?0+ ", " ");
    }
    return String.format(Locale.ROOT, "%,d KiB", bytes / KIB);
  }
}
