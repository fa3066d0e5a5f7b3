package dev.offcut.command.judge;

import dev.offcut.command.read.Costs;
import dev.offcut.command.read.Courses;
import dev.offcut.command.read.GrowthRates;
import dev.offcut.command.read.HandleCounts;
import dev.offcut.command.read.Pools;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What each rule finds. */
public final class Findings {
  private Findings() {}

  /**
   * What has most bytes first; of equals the worst, then in the order in which they were found.
   * Costs and notes come last: nothing is held. Objects whose bytes are not known are many or few.
   *
   * @param byRule whether the agent used the built-in rules
   * @param courses how many of each site were open over time
   * @param ends how the program ended, as it said itself
   * @param unforced whether collections were asked for, and none is known to be forced
   */
  public static List<Finding> of(
      Facts facts,
      boolean byRule,
      List<Finding> ends,
      List<Courses.Course> courses,
      HandleCounts handles,
      List<Pools.Lost> lostPools,
      Costs costs,
      boolean unforced) {
    Unclaimed unclaimed = Claims.of(facts, courses, byRule);
    List<Finding> all = new ArrayList<>(ends);
    all.addAll(StuckFindings.of(facts, costs, unclaimed));
    RiseFindings rises = RiseFindings.of(facts, courses, unclaimed);
    all.addAll(rises.findings());
    all.addAll(KindFindings.of(facts, unclaimed, rises));
    all.addAll(HandleFindings.of(facts, handles, lostPools));
    all.addAll(PartFindings.of(facts, unclaimed, rises));
    all.addAll(MallocFindings.of(facts, unclaimed));
    all.addAll(NativeFindings.of(facts, unclaimed));
    all.addAll(CostFindings.of(facts, costs, unforced));
    return all.stream()
        .sorted(
            Comparator.comparing((Finding one) -> one.isHeld() ? 0 : 1)
                .thenComparing(one -> isOfHeap(one) && !rises.findings().isEmpty())
                .thenComparing(one -> one.isHeld() ? -one.weight() : 0)
                .thenComparing(Finding::severity))
        .toList();
  }

  /** What keeps objects of the Java heap may be what a finding about such objects tells. */
  private static boolean isOfHeap(Finding one) {
    return one.subject().equals(GrowthRates.HEAP);
  }
}
