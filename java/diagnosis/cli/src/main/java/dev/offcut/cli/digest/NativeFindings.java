package dev.offcut.cli.digest;

import static dev.offcut.cli.digest.Figures.bytes;
import static dev.offcut.cli.digest.Figures.count;

import dev.offcut.cli.digest.NativeCallers.Line;
import dev.offcut.cli.digest.NativeCallers.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What native libraries hold of malloc, by the line of the program that called them. Whether nobody
 * can free it any more is not known, so it is open, or growing, and never lost.
 */
final class NativeFindings {
  private static final int MOST_NAMES = 3;

  private final NativeCallers callers;

  /** Of which blocks a finding about objects tells. */
  private final Unclaimed told;

  private final Digest.Memory memory;
  private final List<Digest.Site> sites;
  private final List<Digest.Finding> findings = new ArrayList<>();

  private NativeFindings(
      NativeCallers callers, Unclaimed told, Digest.Memory memory, List<Digest.Site> sites) {
    this.callers = callers;
    this.told = told;
    this.memory = memory;
    this.sites = sites;
  }

  /** All of them. {@code sites}: all that the digest has. */
  static List<Digest.Finding> of(
      NativeCallers callers, Unclaimed told, Digest.Memory memory, List<Digest.Site> sites) {
    NativeFindings all = new NativeFindings(callers, told, memory, sites);
    all.lines();
    return all.findings;
  }

  private boolean isMuch(long bytes) {
    return bytes >= PartFindings.LEAST && bytes >= memory.resident() / PartFindings.SHARE;
  }

  private void lines() {
    List<Line> small = new ArrayList<>();
    List<Place> places = callers.places().stream().filter(place -> !told.isTold(place)).toList();
    for (Line line : NativeCallers.lines(places)) {
      Digest.Growth growth = growth(line.places());
      if (growth != null || isMuch(line.bytes())) {
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
        GrowthRates.least(memory.resident()));
  }

  private void line(Line line, Digest.@Nullable Growth growth) {
    String held = bytes(line.bytes(), line.margin(callers.interval()), Long.MAX_VALUE);
    String functions = functions(line.places());
    if (growth == null) {
      add(
          Digest.Severity.OPEN,
          "about " + held + " of malloc memory still held, allocated at " + line.own(),
          "Native code that this line called has not freed this memory"
              + Findings.share(line.bytes(), memory.resident())
              + ". This is no mistake if the memory is kept on purpose, as in a cache."
              + functions
              + todo(line.places()),
          line);
    } else {
      add(
          Digest.Severity.GROWING,
          "malloc memory allocated at "
              + line.own()
              + ": "
              + bytes(growth.rate())
              + " more a minute",
          Findings.rose(memory, growth)
              + " Now about "
              + held
              + " are held."
              + functions
              + todo(line.places()),
          line);
    }
  }

  /** Of lines that hold little each, if it is much together. */
  private void rest(List<Line> small) {
    List<Place> places = small.stream().flatMap(line -> line.places().stream()).toList();
    long held = callers.rest() + small.stream().mapToLong(Line::bytes).sum();
    Digest.Growth growth = places.isEmpty() ? null : growth(places);
    if (places.isEmpty() || (growth == null && !isMuch(held))) {
      return;
    }
    String largest =
        small.stream()
            .limit(MOST_NAMES)
            .map(line -> line.own() + " (" + bytes(line.bytes()) + ")")
            .collect(Collectors.joining(", "));
    add(
        growth == null ? Digest.Severity.OPEN : Digest.Severity.GROWING,
        "about "
            + bytes(held, NativeCallers.margin(places, callers.interval()), Long.MAX_VALUE)
            + " of malloc memory still held, allocated at "
            + count(small.size(), findings.isEmpty() ? "line" : "more line"),
        (growth == null ? "None of these lines has much by itself." : Findings.rose(memory, growth))
            + " Most was allocated at "
            + largest
            + "."
            + todo(places),
        new Line(small.getFirst().own(), places));
  }

  /** A sentence with a blank before it. */
  private static String functions(List<Place> places) {
    return " The native functions that allocated most: "
        + NativeCallers.functions(places, MOST_NAMES)
        + ".";
  }

  private static String todo(List<Place> places) {
    return Findings.TO_DO
        + (places.stream().allMatch(Place::isOfNio)
            ? "read and write in smaller pieces, or through direct buffers. NIO copies a heap"
                + " buffer into a direct buffer that it keeps for the thread;"
                + " -Djdk.nio.maxCachedBufferSize=BYTES limits the size of the kept buffers."
            : Kinds.remedy(NativeCallers.KIND) + ", once it no longer needs them.");
  }

  private void add(Digest.Severity severity, String title, String text, Line line) {
    Digest.Site site = null;
    for (Digest.Site one : sites) {
      if (one.kind().equals(NativeCallers.KIND)
          && one.frames().equals(line.places().getFirst().frames())) {
        site = one;
      }
    }
    findings.add(
        new Digest.Finding(
            severity,
            title,
            text,
            NativeCallers.KIND,
            site == null ? null : sites.indexOf(site),
            List.of(),
            line.bytes()));
  }
}
