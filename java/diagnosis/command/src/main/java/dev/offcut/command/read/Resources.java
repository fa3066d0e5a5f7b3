package dev.offcut.command.read;

import dev.offcut.command.read.Recorded.Latest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the agent counts: resources by kind, and by the line of the program that opened them. */
final class Resources {
  /** What the agent says of a kind that it counted wrongly. */
  private static final String REFUTED = "refuted";

  /** After the name of a kind of arenas: the places that filled some. */
  private static final String FILLED = ".filled";

  private record Place(String kind, String site) {}

  /** Places that lose most come first, then those that hold most. */
  static final Comparator<Digest.Site> WORST_FIRST =
      Comparator.comparingLong(Digest.Site::lostBytes)
          .thenComparingLong(Digest.Site::lost)
          .thenComparingLong(Digest.Site::bytes)
          .thenComparingLong(Digest.Site::open)
          .thenComparingLong(Digest.Site::opened)
          .reversed()
          .thenComparing(Digest.Site::kind)
          .thenComparing(site -> String.join("\n", site.frames()));

  private final Latest<String, Digest.Kind> kinds = new Latest<>();
  private final Latest<Place, Lines.Stack> sites = new Latest<>();

  /** Of each kind how far the agent has seen that it counts rightly on that JDK. */
  private final Latest<String, Proven> proofs = new Latest<>();

  private record Proven(String kind, long opened, String proof, long unseen) {}

  void kind(Fields event) {
    String kind = event.text("kind");
    proofs.put(
        kind,
        event.time(),
        new Proven(
            kind,
            event.number("opened"),
            event.text("proof"),
            Math.max(0, event.number("unseen"))));
    kinds.put(
        kind,
        event.time(),
        new Digest.Kind(
            kind,
            event.number("opened"),
            event.number("closed"),
            event.number("collected"),
            event.number("lost"),
            event.number("open"),
            event.number("bytes"),
            event.number("peakBytes"),
            event.number("openedBytes"),
            event.number("lostBytes")));
  }

  void site(Fields event) {
    sites.put(
        new Place(event.text("kind"), event.text("site")), event.time(), Lines.Stack.of(event));
  }

  List<String> unproven() {
    return unproven(proofs.all());
  }

  List<String> unprovenByRule() {
    return unproven(proofs.all().stream().filter(one -> Kinds.isCloseable(one.kind())).toList());
  }

  private static List<String> unproven(List<Proven> proven) {
    List<String> lines = new ArrayList<>();
    boolean byRule = false;
    for (Proven one : proven) {
      boolean isFirst = !byRule;
      byRule |= Kinds.isCloseable(one.kind());
      if (!Kinds.isCloseable(one.kind())) {
        addUnproven(lines, one, Kinds.words(one.kind(), 2));
      } else if (isFirst && !one.proof().isEmpty()) { // events have no proof of these
        addUnproven(lines, one, Kinds.BY_RULE); // one proof is that of all
      }
      if (one.unseen() > 0) {
        lines.add(
            """
            Native code freed %s %s, which the agent noticed only when the same addresses were \
            allocated again. So some that count as open may be free, too."""
                .formatted(Figures.count(one.unseen()), Kinds.words(one.kind(), one.unseen())));
      }
    }
    return lines;
  }

  private static void addUnproven(List<String> lines, Proven one, String words) {
    if (one.proof().equals(REFUTED)) {
      lines.add("The agent counted " + words + " wrongly on this JDK, so they are left out.");
    } else if (one.opened() > 0 && one.proof().equals("closed")) {
      lines.add(
          "The counts of collected and lost "
              + words
              + " are not proven on this JDK: no garbage collection has found the agent's probe yet.");
    } else if (one.opened() > 0 && one.proof().equals("missed")) {
      lines.add(
          "The counts of collected and lost "
              + words
              + " are not proven on this JDK: a garbage collection found the agent's probe, but the"
              + " agent did not count it.");
    } else if (one.opened() > 0 && one.proof().equals("none")) {
      lines.add("The figures of " + words + " are not proven on this JDK.");
    }
  }

  /** Whether what was counted by rule is left out. */
  boolean isRefutedByRule() {
    return proofs.all().stream()
        .anyMatch(one -> Kinds.isCloseable(one.kind()) && one.proof().equals(REFUTED));
  }

  private boolean isRefuted(String kind) {
    return proofs.all().stream()
        .anyMatch(one -> one.kind().equals(kind) && one.proof().equals(REFUTED));
  }

  /** In the order of {@link Kinds}; those of which there never was one are left out. */
  List<Digest.Kind> kinds() {
    return kinds.all().stream()
        .filter(kind -> kind.opened() > 0 && !isRefuted(kind.kind()))
        .sorted(
            Comparator.comparingInt((Digest.Kind kind) -> Kinds.order(kind.kind()))
                .thenComparing(Digest.Kind::kind))
        .toList();
  }

  /**
   * Those that lose most come first, then those that hold most.
   *
   * @param every one in so many openings left its stack
   * @param everyBytes of so many bytes one did; 0 if openings alone count
   * @param starts lines that keep starting threads
   */
  List<Digest.Site> sites(boolean exact, int every, long everyBytes, Set<String> starts) {
    Map<String, List<Lines.Stack>> byKind = new LinkedHashMap<>();
    for (Lines.Stack stack : sites.all()) {
      if (!stack.kind().endsWith(FILLED) && !isRefuted(stack.kind())) {
        byKind.computeIfAbsent(stack.kind(), kind -> new ArrayList<>()).add(stack);
      }
    }
    List<Digest.Site> all = new ArrayList<>();
    byKind.forEach(
        (kind, stacks) -> {
          List<List<Lines.Stack>> lines = Lines.of(stacks, starts);
          List<Digest.Site> its = lines.stream().map(line -> Lines.site(line, exact)).toList();
          Digest.Kind known = exact || every <= 1 ? null : kind(kind);
          List<Digest.Site> scaled =
              known == null ? its : Estimates.of(known, its, every, everyBytes);
          for (int i = 0; i < lines.size(); i++) {
            all.add(Lines.withPaths(scaled.get(i), lines.get(i)));
          }
        });
    all.sort(WORST_FIRST);
    return all;
  }

  List<Lines.Stack> stacks() {
    return sites.all();
  }

  private Digest.@Nullable Kind kind(String name) {
    return kinds.all().stream().filter(kind -> kind.kind().equals(name)).findFirst().orElse(null);
  }

  /** The places that filled arenas, those first that hold most. */
  List<Digest.Filled> filled(long everyBytes) {
    List<Digest.Filled> all = new ArrayList<>();
    for (Digest.Kind kind : kinds()) {
      List<Lines.Stack> some =
          sites.all().stream().filter(site -> site.kind().equals(kind.kind() + FILLED)).toList();
      long bytes = Lines.sum(some, Lines.Stack::bytes);
      long lostBytes = Lines.sum(some, Lines.Stack::lostBytes);
      for (List<Lines.Stack> line : Lines.of(some, Set.of())) {
        Digest.Site site = Lines.site(line, false);
        all.add(
            new Digest.Filled(
                kind.kind(),
                site.frames(),
                site.own(),
                site.through(),
                site.bytes(),
                site.lostBytes(),
                site.samples(),
                margin(site.bytes(), bytes, kind.bytes(), everyBytes),
                margin(site.lostBytes(), lostBytes, kind.lostBytes(), everyBytes)));
      }
    }
    all.sort(
        Comparator.comparingLong((Digest.Filled one) -> one.bytes() + one.lostBytes())
            .reversed()
            .thenComparing(one -> String.join("\n", one.frames())));
    return all;
  }

  /** Of what no place has, each may have filled all: arenas whose opening was sampled. */
  private static long margin(long its, long all, long total, long everyBytes) {
    return Estimates.margin(its, all, everyBytes) + Math.abs(total - all);
  }
}
