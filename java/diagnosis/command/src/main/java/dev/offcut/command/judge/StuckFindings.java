package dev.offcut.command.judge;

import dev.offcut.command.judge.Finding.Severity;
import dev.offcut.command.judge.Finding.What;
import dev.offcut.command.read.Costs;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.NativeCallers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Threads that are to free what became unreachable, and are stuck. What waits for the finalizer
 * thread is what methods of classes with finalizers opened that have not run.
 */
final class StuckFindings {
  private StuckFindings() {}

  static List<Finding> of(Facts facts, Costs costs, Unclaimed unclaimed) {
    List<Finding> all = new ArrayList<>();
    for (Costs.Stuck one : costs.stuck()) {
      all.add(
          Finding.of(Severity.LOST, What.STUCK)
              .subject(one.thread())
              .at(one.at())
              .count(Math.max(0, one.waiting()), 0)
              .bytes(one.waiting() <= 0 ? 0 : bytes(facts, costs, unclaimed))
              .because(new Evidence.StuckIn(one.at(), one.seconds()))
              .advise(Advice.UNBLOCK));
    }
    return all;
  }

  private static long bytes(Facts facts, Costs costs, Unclaimed unclaimed) {
    List<String> types =
        costs.finalizers().stream()
            .filter(one -> one.registered() > one.run())
            .map(one -> one.type() + ".")
            .toList();
    Predicate<List<String>> waits =
        frames -> frames.stream().anyMatch(frame -> types.stream().anyMatch(frame::startsWith));
    long bytes = 0;
    for (Digest.Kind kind : facts.kinds()) {
      long its =
          facts.sites().stream()
              .filter(site -> site.kind().equals(kind.kind()) && waits.test(site.frames()))
              .filter(site -> !site.kind().equals(NativeCallers.KIND))
              .mapToLong(Digest.Site::bytes)
              .sum();
      if (2 * its > kind.bytes()) {
        unclaimed.tell(kind.kind());
      }
      bytes += Math.min(its, kind.bytes());
    }
    NativeCallers callers = facts.callers();
    return callers == null
        ? bytes
        : bytes
            + callers.places().stream()
                .filter(place -> waits.test(place.frames()))
                .mapToLong(NativeCallers.Place::bytes)
                .sum();
  }
}
