package dev.offcut.command.judge;

import dev.offcut.command.judge.Finding.Severity;
import dev.offcut.command.judge.Finding.What;
import dev.offcut.command.read.Costs;
import dev.offcut.command.read.Courses;
import dev.offcut.command.read.GrowthRates;
import dev.offcut.command.read.HandleCounts;
import dev.offcut.command.read.Pools;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What each rule finds. */
public final class Findings {
  private static final Set<What> OF_OBJECTS = EnumSet.of(What.LOST_OBJECTS, What.GROWING_OBJECTS);

  private static final Set<What> OF_KINDS = EnumSet.of(What.GROWING_KIND, What.OPEN_KIND);

  private static final Set<What> SYMPTOMS =
      EnumSet.of(
          What.MAPPED_FILES,
          What.THREADS,
          What.DESCRIPTORS,
          What.LIMIT,
          What.IDLE_BUFFERS,
          What.IDLE_POOL,
          What.GROWING_PART);

  private Findings() {}

  /**
   * What has most bytes first; of equals the worst, then in the order in which they were found.
   * What may be because of objects whose line is known comes after these; costs and notes come
   * last: nothing is held. Objects whose bytes are not known are many or few.
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
    all.addAll(LimitFindings.of(facts));
    all.addAll(PartFindings.of(facts, unclaimed, rises));
    all.addAll(MallocFindings.of(facts, unclaimed));
    all.addAll(NativeFindings.of(facts, unclaimed));
    all.addAll(CostFindings.of(facts, costs, unforced));
    List<String> lines =
        all.stream()
            .filter(Findings::isOfLine)
            .map(one -> line(one, facts))
            .filter(Objects::nonNull)
            .toList();
    boolean isLineKnown = all.stream().anyMatch(one -> isOfLine(one) && !isInThreads(one, facts));
    return all.stream()
        .sorted(
            Comparator.comparing((Finding one) -> one.isHeld() ? 0 : 1)
                .thenComparing(
                    one -> isSymptom(one, lines, facts.memory().resident(), line(one, facts)))
                .thenComparing(one -> isLineKnown && isInThreads(one, facts))
                .thenComparing(one -> one.isHeld() ? -one.weight() : 0)
                .thenComparing(Finding::severity))
        .toList();
  }

  /** Whether it tells which line of the program leaks objects. */
  private static boolean isOfLine(Finding one) {
    boolean isLeak = one.severity() == Severity.LOST || one.severity() == Severity.GROWING;
    return isLeak && OF_OBJECTS.contains(one.what());
  }

  private static @Nullable String line(Finding one, Facts facts) {
    Integer site = one.site();
    return site == null ? null : facts.sites().get(site).at().own();
  }

  /** Whether a library's threads opened them, and it is not known for whom. */
  private static boolean isInThreads(Finding one, Facts facts) {
    Integer site = one.site();
    return isOfLine(one)
        && one.subject().isEmpty()
        && site != null
        && facts.sites().get(site).at().isAtStart();
  }

  /**
   * Whether objects of which another finding tells may be why: they were opened at the same line,
   * or no line is known, and it is neither most of the memory nor near a limit.
   *
   * @param lines that leak objects
   * @param resident bytes of the process
   * @param line its own; null: it has none
   */
  static boolean isSymptom(Finding one, List<String> lines, long resident, @Nullable String line) {
    if (lines.isEmpty()) {
      return false;
    }
    boolean isNearLimit = one.what() == What.DESCRIPTORS && one.count() >= one.of() / 2;
    return one.subject().equals(GrowthRates.HEAP)
        || (OF_KINDS.contains(one.what()) && line != null && lines.contains(line))
        || (SYMPTOMS.contains(one.what()) && !isNearLimit && one.bytes() <= resident / 2);
  }
}
