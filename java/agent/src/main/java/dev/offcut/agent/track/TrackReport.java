package dev.offcut.agent.track;

import dev.offcut.agent.Columns;
import dev.offcut.agent.Figures;
import dev.offcut.agent.base.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
    sites = Ledger.sites();
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
        List.of("opened", "closed", "collected", "lost", "open", "open bytes", "most", "kind"));
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
          "collections forced by direct memory: not proven on this JDK, because a proof would"
              + " force one");
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
    String about = tracking.every() > 1 ? "about " : "";
    for (Ledger.SiteCounts site : worst.subList(0, Math.min(PLACES, worst.size()))) {
      boolean lost = site.lost() > 0;
      lines.add("");
      lines.add(
          about
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
}
