package dev.offcut.command.read;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * What stacks of some tell of all. The agent knows each kind exactly and each place by samples, so
 * the estimates of a kind's places are scaled until they add up to what is known of the kind. A
 * place is known, and stays as it is, if all openings of its kind left their stack, or if its own
 * are so large that each had to. A place of which only the first openings of the kind are samples
 * has a margin like any other: what it opened later may have left no stack.
 *
 * <p>The margin is that of a share: of so many samples as the whole has, one in so many openings or
 * bytes. It is too wide rather than too narrow, since the first openings all leave their stack.
 */
final class Estimates {
  /** More places than this are not told apart: what they have is in the sums alone. */
  static final int MOST_PLACES = 10_000;

  /** Standard deviations of an interval that is right 95 times in 100. */
  private static final double WIDTH = 1.96;

  private final Digest.Kind kind;
  private final int every;
  private final long everyBytes;

  /** Whether all openings of the kind left their stack. */
  private final boolean isWhole;

  /** {@code everyBytes}: 0 if openings alone are sampled. */
  private Estimates(Digest.Kind kind, List<Digest.Site> sites, int every, long everyBytes) {
    this.kind = kind;
    this.every = every;
    this.everyBytes = everyBytes;
    isWhole =
        sites.stream().allMatch(site -> site.samples() == site.opened())
            && sites.stream().mapToLong(Digest.Site::opened).sum() >= kind.opened();
  }

  /** All places of a kind, in the same order. */
  static List<Digest.Site> of(
      Digest.Kind kind, List<Digest.Site> sites, int every, long everyBytes) {
    return sites.size() >= MOST_PLACES
        ? sites
        : new Estimates(kind, sites, every, everyBytes).scaled(sites);
  }

  private List<Digest.Site> scaled(List<Digest.Site> sites) {
    Figure closed = new Figure(sites, kind.closed(), Digest.Site::closed);
    Figure collected = new Figure(sites, kind.collected(), Digest.Site::collected);
    Figure lost = new Figure(sites, kind.lost(), Digest.Site::lost);
    Figure open = new Figure(sites, kind.open(), Digest.Site::open);
    Figure bytes = new Figure(sites, kind.bytes(), Digest.Site::bytes);
    Figure lostBytes = new Figure(sites, kind.lostBytes(), Digest.Site::lostBytes);
    // Arenas get their bytes after they were opened: a few large ones may be in no sample.
    boolean isByOpenings = everyBytes > 0 && kind.kind().startsWith("arena.");
    List<Digest.Site> all = new ArrayList<>();
    for (int i = 0; i < sites.size(); i++) {
      Digest.Site site = sites.get(i);
      all.add(
          site.with(
              closed.at(i) + collected.at(i) + lost.at(i) + open.at(i),
              closed.at(i),
              collected.at(i),
              lost.at(i),
              open.at(i),
              bytes.at(i),
              lostBytes.at(i),
              new Digest.Margins(
                  open.margin(i, every),
                  isByOpenings ? bytes.widest(i) : bytes.margin(i, everyBytes),
                  lost.margin(i, every),
                  isByOpenings ? lostBytes.widest(i) : lostBytes.margin(i, everyBytes)),
              site.paths()));
    }
    return all;
  }

  private boolean isKnown(Digest.Site site) {
    return site.samples() == site.opened() && (isWhole || isLarge(site));
  }

  /** By the mean of what is left: each opening of so many bytes leaves its stack. */
  private boolean isLarge(Digest.Site site) {
    long left = site.open() + site.lost();
    return everyBytes > 0 && left > 0 && (site.bytes() + site.lostBytes()) / left >= everyBytes;
  }

  private final class Figure {
    private final long[] scaled;
    private final boolean[] known;

    /** What the places have together that are not known. */
    private final long rest;

    Figure(List<Digest.Site> sites, long total, ToLongFunction<Digest.Site> figure) {
      scaled = sites.stream().mapToLong(figure).toArray();
      known = new boolean[scaled.length];
      long left = total;
      double sum = 0;
      for (int i = 0; i < scaled.length; i++) {
        known[i] = isKnown(sites.get(i));
        if (known[i]) {
          left -= scaled[i];
        } else {
          sum += scaled[i];
        }
      }
      rest = Math.max(0, left);
      if (sum > 0) {
        scale(rest / sum);
      }
    }

    /** Rounds so that nothing of the rest is left. */
    private void scale(double factor) {
      long[] rounded = rounded(scaled.length, i -> known[i] ? 0 : scaled[i] * factor);
      for (int i = 0; i < scaled.length; i++) {
        scaled[i] = known[i] ? scaled[i] : rounded[i];
      }
    }

    long at(int site) {
      return scaled[site];
    }

    /** {@code one}: of so many one is a sample. */
    long margin(int site, long one) {
      return known[site] ? 0 : Estimates.margin(scaled[site], rest, one);
    }

    /** Nothing is known of it but the total. */
    long widest(int site) {
      return known[site] ? 0 : Math.max(scaled[site], rest - scaled[site]);
    }
  }

  /** Whole numbers that add up to what the exact ones do, rounded. */
  static long[] rounded(int count, IntToDoubleFunction exact) {
    long[] rounded = new long[count];
    double sum = 0;
    long given = 0;
    for (int i = 0; i < count; i++) {
      sum += exact.applyAsDouble(i);
      rounded[i] = Math.round(sum) - given;
      given += rounded[i];
    }
    return rounded;
  }

  /** Of a share of a whole. {@code one}: of so many one is a sample. */
  static long margin(long its, long whole, long one) {
    if (whole == 0 || one == 0) {
      return 0;
    }
    double samples = (double) whole / one;
    // Agresti and Coull, 1998: two samples more of each kind, so that all of few is not certain.
    double share = ((double) its / one + 2) / (samples + 4);
    return (long) Math.ceil(WIDTH * Math.sqrt(share * (1 - share) / (samples + 4)) * whole);
  }
}
