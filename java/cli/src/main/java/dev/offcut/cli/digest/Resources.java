package dev.offcut.cli.digest;

import dev.offcut.cli.digest.Recorded.Latest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;

/** What the agent counts: resources by kind, and by the place that opened them. */
final class Resources {
  /** What the agent says of a kind that it counted wrongly. */
  private static final String REFUTED = "refuted";

  private record Place(String kind, String site) {}

  private final Latest<String, Digest.Kind> kinds = new Latest<>();
  private final Latest<Place, RecordedSite> sites = new Latest<>();

  /** Of each kind how far the agent has seen that it counts rightly on that JDK. */
  private final Latest<String, Proven> proofs = new Latest<>();

  private record Proven(String kind, long opened, String proof) {}

  /** A site, before it is known whether its figures are exact. */
  private record RecordedSite(
      String kind,
      List<String> frames,
      long opened,
      long closed,
      long collected,
      long lost,
      long open,
      long bytes,
      long lostBytes,
      long samples) {
    Digest.Site site(boolean exact) {
      return new Digest.Site(
          kind, frames, opened, closed, collected, lost, open, bytes, lostBytes, samples, exact);
    }
  }

  void kind(RecordedEvent event) {
    String kind = Recorded.text(event, "kind");
    proofs.put(
        kind,
        event.getStartTime(),
        new Proven(kind, Recorded.number(event, "opened"), Recorded.text(event, "proof")));
    kinds.put(
        kind,
        event.getStartTime(),
        new Digest.Kind(
            kind,
            Recorded.number(event, "opened"),
            Recorded.number(event, "closed"),
            Recorded.number(event, "collected"),
            Recorded.number(event, "lost"),
            Recorded.number(event, "open"),
            Recorded.number(event, "bytes"),
            Recorded.number(event, "peakBytes"),
            Recorded.number(event, "openedBytes"),
            Recorded.number(event, "lostBytes")));
  }

  void site(RecordedEvent event) {
    String kind = Recorded.text(event, "kind");
    sites.put(
        new Place(kind, Recorded.text(event, "site")),
        event.getStartTime(),
        new RecordedSite(
            kind,
            Recorded.lines(event, "site"),
            Recorded.number(event, "opened"),
            Recorded.number(event, "closed"),
            Recorded.number(event, "collected"),
            Recorded.number(event, "lost"),
            Recorded.number(event, "open"),
            Recorded.number(event, "bytes"),
            Recorded.number(event, "lostBytes"),
            Recorded.number(event, "samples")));
  }

  /** In words: which kinds are left out, and which figures are not proven. */
  List<String> unproven() {
    List<String> lines = new ArrayList<>();
    for (Proven one : proofs.all()) {
      String words = Kinds.words(one.kind(), 2);
      if (one.proof().equals(REFUTED)) {
        lines.add("The agent counted " + words + " wrongly on this JDK: they are left out.");
      } else if (one.opened() > 0 && one.proof().equals("closed")) {
        lines.add(
            "How many "
                + words
                + " were collected or lost is not proven on this JDK: no collection has found the"
                + " agent's probe yet.");
      } else if (one.opened() > 0 && one.proof().equals("missed")) {
        lines.add(
            "How many "
                + words
                + " were collected or lost is not proven on this JDK: a collection has found the"
                + " agent's probe, which was not counted.");
      } else if (one.opened() > 0 && one.proof().equals("none")) {
        lines.add("The figures of " + words + " are not proven on this JDK.");
      }
    }
    return lines;
  }

  private boolean isRefuted(String kind) {
    for (Proven one : proofs.all()) {
      if (one.kind().equals(kind)) {
        return one.proof().equals(REFUTED);
      }
    }
    return false;
  }

  /** In the order of {@link Kinds}; those of which there never was one are left out. */
  List<Digest.Kind> kinds() {
    return kinds.all().stream()
        .filter(kind -> kind.opened() > 0 && !isRefuted(kind.kind()))
        .sorted(Comparator.comparingInt(kind -> Kinds.order(kind.kind())))
        .toList();
  }

  /** Those that lose most come first, then those that hold most. */
  List<Digest.Site> sites(boolean exact) {
    return sites.all().stream()
        .filter(site -> !isRefuted(site.kind()))
        .map(site -> site.site(exact))
        .sorted(
            Comparator.comparingLong(Digest.Site::lostBytes)
                .thenComparingLong(Digest.Site::lost)
                .thenComparingLong(Digest.Site::bytes)
                .thenComparingLong(Digest.Site::open)
                .thenComparingLong(Digest.Site::opened)
                .reversed()
                .thenComparing(Digest.Site::kind)
                .thenComparing(site -> String.join("\n", site.frames())))
        .toList();
  }
}
