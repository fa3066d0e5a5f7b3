package dev.offcut.agent.publish;

import dev.offcut.agent.Tracking;
import dev.offcut.agent.base.Kind;
import dev.offcut.agent.hooks.Proof;
import dev.offcut.agent.hooks.Source;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** What was tracked until a moment, for people to read: each kind, and the places that lose. */
public final class TrackReport {
  /** The worst places: more than these nobody reads. */
  private static final int PLACES = 10;

  /** Frames of each: the recording has more. */
  private static final int FRAMES = 5;

  private final Tracking tracking;
  private final List<Ledger.KindCounts> kinds;
  private final List<Ledger.SiteCounts> sites;
  private final long forced;

  private TrackReport(Tracking tracking) throws ReflectiveOperationException {
    this.tracking = tracking;
    kinds = Ledger.kinds(tracking);
    List<Ledger.SiteCounts> all = Ledger.sites();
    sites = tracking.every() > 1 ? scaled(kinds, all) : all;
    forced = Ledger.forced();
  }

  /** As it is now, or at the end of the program as it is then; null: nothing is tracked. */
  public static @Nullable TrackReport now() throws ReflectiveOperationException {
    Tracking tracking = Tracking.installed();
    if (tracking == null) {
      return null;
    }
    Ledger.settleAtExit(tracking);
    return new TrackReport(tracking);
  }

  /** All of it. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add("Native memory and handles (level " + tracking.settings().level().label() + ")");
    Columns table = new Columns();
    table.add(
        List.of(
            "opened", "closed", "collected", "lost", "open", "open bytes", "peak bytes", "kind"));
    for (Ledger.KindCounts kind : kinds) {
      if (kind.proof().equals(Proof.State.REFUTED.label())) {
        continue; // why is said below
      }
      table.add(
          List.of(
              Figures.count(kind.opened()),
              Figures.count(kind.closed()),
              Figures.count(kind.collected()),
              Figures.count(kind.lost()),
              Figures.count(kind.open()),
              Figures.bytes(kind.bytes()),
              Figures.bytes(kind.peakBytes()),
              kind.kind()));
    }
    lines.addAll(table.lines());
    lines.addAll(Proof.open(kinds));
    lines.addAll(tracking.refuted());
    if (forced > 0) {
      lines.add(Figures.count(forced) + " collections were forced by direct memory");
    }
    if (tracking.patched().contains(Source.FORCED.label) && hasBuffers()) {
      lines.add(
          "collections forced by direct memory: the count is not proven on this JDK, because a"
              + " proof would force a collection");
    }
    addSites(lines);
    return lines;
  }

  /**
   * Only direct buffers force a collection. Whether the program had any, or whether that is not
   * counted.
   */
  private boolean hasBuffers() {
    for (Ledger.KindCounts kind : kinds) {
      if (kind.kind().equals(Kind.name(Kind.BUFFER))) {
        return kind.opened() > 0;
      }
    }
    return true;
  }

  private void addSites(List<String> lines) {
    List<Ledger.SiteCounts> worst = new ArrayList<>(sites);
    worst.removeIf(site -> site.lost() + site.collected() == 0);
    // What is never freed before what is freed late.
    worst.sort(
        Comparator.comparingLong(Ledger.SiteCounts::lost)
            .thenComparingLong(Ledger.SiteCounts::collected)
            .reversed());
    for (Ledger.SiteCounts site : worst.subList(0, Math.min(PLACES, worst.size()))) {
      boolean lost = site.lost() > 0;
      lines.add("");
      lines.add(
          (site.isKnown() ? "" : "about ")
              + Figures.count(lost ? site.lost() : site.collected())
              + " of "
              + Figures.count(site.opened())
              + " "
              + site.kind()
              + (lost ? " lost, opened at" : " not closed, freed by the collector, opened at"));
      int frames = 0;
      for (String frame : site.frames().split("\n", -1)) {
        if (frames++ < FRAMES) {
          lines.add("    " + frame);
        }
      }
    }
  }

  /**
   * The estimates of places, scaled until those of a kind add up to what is known of the kind. A
   * place that left a stack for each opening is known, and stays as it is.
   */
  static List<Ledger.SiteCounts> scaled(
      List<Ledger.KindCounts> kinds, List<Ledger.SiteCounts> all) {
    List<Ledger.SiteCounts> scaled = new ArrayList<>();
    for (Ledger.KindCounts kind : kinds) {
      List<Ledger.SiteCounts> sites = new ArrayList<>(all);
      sites.removeIf(site -> !site.kind().equals(kind.kind()));
      long[] closed = scaled(sites, kind.closed(), Ledger.SiteCounts::closed);
      long[] collected = scaled(sites, kind.collected(), Ledger.SiteCounts::collected);
      long[] lost = scaled(sites, kind.lost(), Ledger.SiteCounts::lost);
      long[] open = scaled(sites, kind.open(), Ledger.SiteCounts::open);
      for (int i = 0; i < sites.size(); i++) {
        scaled.add(sites.get(i).with(closed[i], collected[i], lost[i], open[i]));
      }
    }
    return scaled;
  }

  /** One figure of all places, rounded so that nothing of the total is left. */
  private static long[] scaled(
      List<Ledger.SiteCounts> sites, long total, ToLongFunction<Ledger.SiteCounts> figure) {
    long left = total;
    double sum = 0;
    for (Ledger.SiteCounts site : sites) {
      long value = figure.applyAsLong(site);
      if (site.isKnown()) {
        left -= value;
      } else {
        sum += value;
      }
    }
    double factor = sum > 0 ? Math.max(0, left) / sum : 1;
    double exact = 0;
    long given = 0;
    long[] scaled = new long[sites.size()];
    for (int i = 0; i < scaled.length; i++) {
      long value = figure.applyAsLong(sites.get(i));
      if (sites.get(i).isKnown()) {
        scaled[i] = value;
      } else {
        exact += value * factor;
        scaled[i] = Math.round(exact) - given;
        given += scaled[i];
      }
    }
    return scaled;
  }
}
