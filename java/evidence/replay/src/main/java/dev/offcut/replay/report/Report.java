package dev.offcut.replay.report;

import dev.offcut.replay.Result;
import dev.offcut.replay.space.Words;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The program under several policies.
 *
 * @param classSpaceBytes the size it ran with
 * @param survivors one in so many of the small loaders stayed open; 0: none
 * @param results one a policy
 */
public record Report(long classSpaceBytes, int survivors, List<Result> results) {
  /** Sizes for people: in KiB below ten MiB, else in MiB. */
  static final class Sizes {
    private static final Pattern IDLE_DIGITS = Pattern.compile("\\.00$|(?<=\\.[1-9])0$");
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;

    private Sizes() {}

    static String ofWords(long words) {
      return ofBytes(Words.toBytes(words));
    }

    static String ofBytes(long bytes) {
      if (bytes >= 10 * MIB) {
        String mib = String.format(Locale.ROOT, "%,.2f", (double) bytes / MIB);
        return IDLE_DIGITS.matcher(mib).replaceFirst("") + " MiB";
      }
      return String.format(Locale.ROOT, "%,d KiB", bytes / KIB);
    }
  }
}
