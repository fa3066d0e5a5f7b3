package dev.offcut.command.judge;

import dev.offcut.command.judge.Evidence.Functions;
import dev.offcut.command.judge.Finding.Severity;
import dev.offcut.command.judge.Finding.What;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.GrowthRates;
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
    return all.findings;
  }

  private void lines() {
    List<Line> small = new ArrayList<>();
    List<Place> places = callers.places().stream().filter(place -> !told.isTold(place)).toList();
    for (Line line : NativeCallers.lines(places)) {
      Digest.Growth growth = growth(line.places());
      if (growth != null || facts.isMuch(line.bytes())) {
        line(line, growth);
      } else {
        small.add(line);
      }
    }
    rest(small);
  }

  private Digest.@Nullable Growth growth(List<Place> places) {
    return GrowthRates.of(
        NativeCallers.KIND,
        callers.series(places),
        GrowthRates.SHORTEST_COUNTED,
        GrowthRates.least(facts.memory().resident()));
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
    findings.add(
        finding
            .because(new Functions(NativeCallers.functions(line.places(), MOST_NAMES)))
            .advise(advice(line.places())));
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
