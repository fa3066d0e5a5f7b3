package dev.offcut.retrofit.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the agent did for object streams until a moment, for people to read: in sum, by the site
 * that reads, and the filter that would allow what was read.
 *
 * <p>Walks and saved walks are counted. What a walk costs is estimated from the number of frames of
 * the JDK that it passes, which is looked at in one of 64 saved walks.
 */
public final class StreamReport {
  /** The most expensive sites: more than these nobody reads. */
  private static final int MOST_SITES = 50;

  private final long walks;
  private final long saved;
  private final long verified;
  private final int verifyEvery;
  private final @Nullable String mismatch;
  private final List<ReadSite> sites;
  private final Set<String> classes;

  StreamReport(
      long[] counts,
      int verifyEvery,
      @Nullable String mismatch,
      Map<String, long[]> sites,
      Set<String> classes) {
    this.walks = counts[0];
    this.saved = counts[1];
    this.verified = counts[2];
    this.verifyEvery = verifyEvery;
    this.mismatch = mismatch;
    this.sites = ReadSite.all(sites, saved);
    this.classes = classes;
  }

  /** Before the first stream is read. */
  static StreamReport nothingRead(int verifyEvery) {
    return new StreamReport(new long[3], verifyEvery, null, Map.of(), Set.of());
  }

  /** Asks the counter, which is in java.base. */
  @SuppressWarnings("unchecked") // its own types
  static StreamReport of(Class<?> counter, int verifyEvery) throws ReflectiveOperationException {
    return new StreamReport(
        (long[]) counter.getMethod("counts").invoke(null),
        verifyEvery,
        (String) counter.getMethod("mismatch").invoke(null),
        (Map<String, long[]>) counter.getMethod("sites").invoke(null),
        (Set<String>) counter.getMethod("classes").invoke(null));
  }

  /** The sums, a line each. */
  private List<String> summary() {
    List<String> lines = new ArrayList<>();
    lines.add("walks    " + Figures.count(walks) + " done");
    String share = Figures.percent(saved, walks + saved);
    lines.add("saved    " + Figures.count(saved) + ", " + share + cpuSaved());
    lines.add(
        "verified "
            + (verifyEvery == 0
                ? "none: verify is off"
                : Figures.count(verified) + ", 1 in " + Figures.count(verifyEvery)));
    String bad = mismatch;
    lines.addAll(("mismatch " + (bad == null ? "none" : bad)).lines().toList());
    return lines;
  }

  private String cpuSaved() {
    double sampled = sites.stream().mapToDouble(ReadSite::saved).sum();
    double nanos = sites.stream().mapToDouble(ReadSite::nanosSaved).sum();
    return sampled == 0 ? "" : ", about " + Figures.time(nanos / sampled * saved) + " of CPU";
  }

  /** All of it, in lines. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>(summary());
    long unfiltered = sites.stream().mapToLong(ReadSite::unfiltered).sum();
    lines.add("filter   missing in " + Figures.count(unfiltered) + " reads");
    if (!sites.isEmpty()) {
      addSites(lines);
    }
    if (!classes.isEmpty()) {
      lines.add("");
      lines.add(
          "The "
              + Figures.count(classes.size())
              + " classes in these streams, as a filter that allows only them:");
      lines.add(String.join(";", classes) + ";!*");
    }
    return lines;
  }

  private void addSites(List<String> lines) {
    lines.add("");
    lines.add("Call sites of reads, the most expensive first. A column right of the bar is the");
    lines.add(
        "share of the walks, done and saved, that pass as many JDK frames as its heading says.");
    Columns table = new Columns();
    table.add(ReadSite.head());
    sites.stream().limit(MOST_SITES).forEach(site -> table.add(site.cells()));
    lines.addAll(table.lines());
    if (sites.size() > MOST_SITES) {
      lines.add("and " + Figures.count(sites.size() - MOST_SITES) + " more call sites");
    }
  }
}
