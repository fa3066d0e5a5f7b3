package dev.offcut.command.read;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** What is known of a Go program, and what is not, in sentences. */
final class GoTexts {
  /** The name of the module, as its programs tell which modules they have. */
  private static final String MODULE = "offcut.dev/go";

  private static final String HANDLES = "handle";
  private static final String POOLS = "memory";

  private GoTexts() {}

  /** What it means that a program ended without a word, and published last at this time. */
  static String untold(Instant published) {
    return "The program did not say that it ended (report.End of the Go package"
        + " offcut.dev/go/report). So the counts are those of "
        + published.truncatedTo(ChronoUnit.SECONDS)
        + ", when it published last, and no collection searched for the handles that it forgot"
        + " last: they may count as open.";
  }

  /**
   * Why nothing was counted.
   *
   * @param packages those that published, or modules that the program has
   */
  static String uncounted(List<String> packages) {
    return packages.contains(MODULE)
        ? "The program has Offcut's Go module, but published nothing: it uses neither handles nor"
            + " pools, or it ended at once. So nothing was counted, and nothing is known about what"
            + " it leaks. This report only says where its memory is."
        : "The program is a Go program without Offcut's packages, so nothing was counted, and"
            + " nothing is known about what it leaks. This report only says where its memory is.";
  }

  /** A package may be there because another one needs it: so it says if nothing came of it. */
  static List<String> watched(
      List<String> packages, List<Digest.Handles> handles, List<Digest.Pool> pools) {
    List<String> all = new ArrayList<>();
    if (packages.contains(HANDLES)) {
      boolean any = handles.stream().anyMatch(type -> type.opened() > 0);
      all.add("handles of Offcut" + (any ? "" : " (it opened none)"));
    }
    if (packages.contains(POOLS)) {
      all.add("pools of Offcut" + (pools.isEmpty() ? " (none is open)" : ""));
    }
    return all;
  }

  static List<String> unwatched(List<String> packages) {
    List<String> all = new ArrayList<>();
    if (!packages.contains(HANDLES)) {
      all.add("handles");
    }
    all.add("C memory without a handle");
    all.add("goroutines, files and sockets that nobody ends or closes");
    return all;
  }
}
