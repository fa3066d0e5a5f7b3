package dev.offcut.command.judge;

import dev.offcut.command.judge.Evidence.Functions;
import dev.offcut.command.judge.Finding.Severity;
import dev.offcut.command.judge.Finding.What;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.GrowthRates;
import dev.offcut.command.read.JvmCause;
import dev.offcut.command.read.NativeCallers;
import dev.offcut.command.read.NativeCallers.Line;
import dev.offcut.command.read.NativeCallers.Place;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What native libraries hold of malloc, by the line of the program that called them. Whether nobody
 * can free it any more is not known, so it is open, or growing, and never lost.
 */
final class NativeFindings {
  private static final int MOST_NAMES = 3;

  /** What is freed so many times over does not stay. */
  private static final int TURNS = 4;

  private final Facts facts;
  private final NativeCallers callers;

  /** Of which blocks a finding about objects tells. */
  private final Unclaimed told;

  private final List<Finding> findings = new ArrayList<>();

  private NativeFindings(Facts facts, NativeCallers callers, Unclaimed told) {
    this.facts = facts;
    this.callers = callers;
    this.told = told;
  }

  /** All of them; none if nobody asked. */
  static List<Finding> of(Facts facts, Unclaimed told) {
    if (facts.callers() == null) {
      return List.of();
    }
    NativeFindings all = new NativeFindings(facts, facts.callers(), told);
    all.lines();
    all.mapped();
    return all.findings;
  }

  private void lines() {
    List<Line> small = new ArrayList<>();
    List<Place> places = callers.places().stream().filter(place -> !told.isTold(place)).toList();
    for (Line line : NativeCallers.lines(places)) {
      Digest.Growth growth = growth(line.places());
      if (isLate(facts, callers, line)) {
        late(line, growth);
      } else if (growth != null || (facts.isMuch(line.bytes()) && !isPlateau(line))) {
        line(line, growth);
      } else if (!isPlateau(line)) {
        small.add(line);
      }
    }
    rest(small);
  }

  /** Whether a line frees as fast as it takes: what it holds comes and goes, as a cache's does. */
  private static boolean isPlateau(Line line) {
    return line.inTime() >= TURNS * line.bytes() && line.early() <= line.bytes() / TURNS;
  }

  /** The most that it held of memory, at most what the process had: nobody writes to some of it. */
  private static long peak(Facts facts, NativeCallers callers, Line line) {
    return Math.min(callers.peak(line), facts.timeline().residentRise());
  }

  /** Whether the collector's threads free most of what a line takes, and much waited for them. */
  private static boolean isLate(Facts facts, NativeCallers callers, Line line) {
    return line.isLeftToCollector()
        && facts.isMuch(Math.min(line.late(), peak(facts, callers, line)));
  }

  /** The lines that took much that only the collector's threads freed. */
  private static List<Line> lateLines(Facts facts) {
    NativeCallers callers = facts.callers();
    return callers == null
        ? List.of()
        : NativeCallers.lines(callers.places()).stream()
            .filter(line -> isLate(facts, callers, line))
            .toList();
  }

  /** What they took. */
  static long lateBytes(Facts facts) {
    NativeCallers callers = facts.callers();
    return callers == null
        ? 0
        : lateLines(facts).stream()
            .mapToLong(line -> Math.min(line.late(), peak(facts, callers, line)))
            .sum();
  }

  private void late(Line line, Digest.@Nullable Growth growth) {
    long kept = told.keptOf(NativeCallers.KIND);
    findings.add(
        about(growth == null ? Severity.LATE : Severity.GROWING, What.NATIVE_LATE, line)
            .subject(line.own())
            .bytes(peak(facts, callers, line))
            .because(
                Evidence.FreedLate.of(line),
                growth == null ? null : new Evidence.Rise(growth, false),
                growth == null ? null : facts.until(growth),
                findings.isEmpty() && kept > 0 ? new Evidence.KeptByMalloc(kept) : null)
            .advise(Advice.CLOSE_NATIVE));
  }

  private Digest.@Nullable Growth growth(List<Place> places) {
    return growth(facts, callers, places);
  }

  /** How fast what places hold rises; null: it does not. */
  static Digest.@Nullable Growth growth(Facts facts, NativeCallers callers, List<Place> places) {
    return GrowthRates.of(
        NativeCallers.KIND, callers.series(places), GrowthRates.least(facts.memory().resident()));
  }

  private static Severity severity(Digest.@Nullable Growth growth) {
    return growth == null ? Severity.OPEN : Severity.GROWING;
  }

  private void line(Line line, Digest.@Nullable Growth growth) {
    long margin = line.margin(callers.interval());
    Finding.Draft finding =
        about(severity(growth), What.NATIVE_LINE, line).subject(line.own()).margin(margin);
    if (growth != null) {
      finding.because(
          new Evidence.Rise(growth, false),
          facts.until(growth),
          new Evidence.NowHeld(line.bytes(), margin));
    }
    JvmCause cause = JvmCause.of(line.places().getFirst().function());
    if (cause != null) {
      findings.add(finding.because(new Evidence.OfJvm(cause)).advise(advice(cause)));
      return;
    }
    findings.add(
        finding
            .because(
                line.untouched() < Facts.LEAST ? null : new Evidence.Untouched(line.untouched()),
                line.bytes() == 0
                    ? null
                    : new Functions(NativeCallers.functions(line.places(), MOST_NAMES)))
            .advise(advice(line.places())));
  }

  /** What libraries mapped for themselves, past malloc: allocators of their own. */
  private void mapped() {
    List<Place> places = callers.mapped().stream().filter(place -> !told.isTold(place)).toList();
    for (Line line : NativeCallers.lines(places)) {
      if (facts.isMuch(line.bytes())) {
        findings.add(
            Finding.of(Severity.OPEN, What.NATIVE_MAPPED)
                .subject(line.own())
                .bytes(line.bytes())
                .share(facts.memory().resident())
                .because(
                    line.untouched() < Facts.LEAST
                        ? null
                        : new Evidence.Untouched(line.untouched()),
                    new Functions(NativeCallers.functions(line.places(), MOST_NAMES)))
                .advise(Advice.CLOSE_NATIVE));
      }
    }
  }

  /** Of lines that hold little each, if it is much together. */
  private void rest(List<Line> small) {
    List<Place> places = small.stream().flatMap(line -> line.places().stream()).toList();
    long held = callers.rest() + small.stream().mapToLong(Line::bytes).sum();
    Digest.Growth growth = places.isEmpty() ? null : growth(places);
    if (places.isEmpty() || (growth == null && !facts.isMuch(held))) {
      return;
    }
    Finding.Draft finding =
        about(severity(growth), What.NATIVE_LINES, new Line(small.getFirst().own(), places))
            .count(small.size(), small.size() + findings.size())
            .bytes(held)
            .margin(NativeCallers.margin(places, callers.interval()));
    if (growth != null) {
      finding.because(new Evidence.Rise(growth, false), facts.until(growth));
    }
    findings.add(
        finding
            .because(
                new Evidence.Lines(
                    small.stream()
                        .limit(MOST_NAMES)
                        .map(line -> new NativeCallers.Function(line.own(), line.bytes()))
                        .toList()))
            .advise(advice(places)));
  }

  private static Advice advice(JvmCause cause) {
    return switch (cause) {
      case STRINGS -> Advice.STRINGS;
      case SYMBOLS -> Advice.METASPACE;
      case REFERENCES, TAGS -> Advice.CLOSE_NATIVE;
    };
  }

  private static Advice advice(List<Place> places) {
    return places.stream().allMatch(Place::isOfNio) ? Advice.SMALLER_PIECES : Advice.CLOSE_NATIVE;
  }

  private Finding.Draft about(Severity severity, What what, Line line) {
    List<Digest.Site> sites = facts.sites();
    Integer site = null;
    for (int i = 0; i < sites.size(); i++) {
      if (sites.get(i).kind().equals(NativeCallers.KIND)
          && sites.get(i).frames().equals(line.places().getFirst().frames())) {
        site = sites.indexOf(sites.get(i));
      }
    }
    return Finding.of(severity, what)
        .kind(NativeCallers.KIND, null)
        .site(site)
        .bytes(line.bytes())
        .share(facts.memory().resident());
  }
}
