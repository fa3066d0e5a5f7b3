package dev.offcut.replay.report;

import dev.offcut.replay.Result;
import dev.offcut.replay.space.Words;
import dev.offcut.replay.trace.Trace;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One trace under several policies.
 *
 * @param classSpaceBytes the size it ran with
 * @param survivors every so-manieth closed arena stayed open; 0: none
 * @param results one a policy
 */
public record Report(Trace trace, long classSpaceBytes, int survivors, List<Result> results) {
  /** The groups that any result counts. */
  Set<String> groups() {
    Set<String> groups = new LinkedHashSet<>();
    results.forEach(result -> groups.addAll(result.classesByGroup().keySet()));
    return groups;
  }

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
