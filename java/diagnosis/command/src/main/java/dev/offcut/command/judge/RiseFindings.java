package dev.offcut.command.judge;

import dev.offcut.command.judge.Evidence.Holds;
import dev.offcut.command.judge.Evidence.Rise;
import dev.offcut.command.judge.Finding.Severity;
import dev.offcut.command.judge.Finding.What;
import dev.offcut.command.read.Courses;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Kinds;
import dev.offcut.rules.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lines of the program of whose resources more and more are open. What a program opens when it
 * starts and keeps is no finding, nor is a pool that fills once: docs/design/run.md has the rule.
 *
 * <p>One cause is one finding. What the same line opened, and what rose in step with it at other
 * lines, is told with the line that owns it.
 */
final class RiseFindings {
  /** So many more are a rise: of what a program has few of, of what a pool opens, of others. */
  private static final long FEWEST_HEAVY = 10;

  private static final long FEWEST_POOLED = 250;
  private static final long FEWEST = 100;

  /** A line that closes most of what it opens, and forgets so many and one in so many. */
  private static final long FEWEST_FORGOTTEN = 10;

  private static final long FORGOTTEN_SHARE = 100;

  /** So many that came after the start, and are kept, are told though they rise no more. */
  private static final long MANY_HEAVY = 100;

  private static final long MANY = 1_000;

  /** One in so many of those is closed at most. */
  private static final long CLOSED_SHARE = 10;

  /** Two courses rise in step if they are never further apart, as a share of their rise. */
  private static final double IN_STEP = 0.1;

  private static final double IN_STEP_OF_SAMPLES = 0.3;

  /** What owns comes before what it has. */
  private static final List<String> ORDER =
      List.of("executor", "watch", "selector", "loader", "thread", "socket", "descriptor");

  private final Facts facts;
  private final List<Courses.Course> courses;
  private final Unclaimed unclaimed;
  private final List<Finding> findings = new ArrayList<>();

  /** The kinds that they tell of. */
  private final List<String> told = new ArrayList<>();

  /** A site whose open resources rise. */
  private record Rising(
      int index,
      Digest.Site site,
      Courses.Course course,
      Slope slope,
      String holds,
      boolean isGrowing) {
    String line() {
      return site.at().own();
    }

    String type() {
      return site.kind().substring(Kinds.CLOSEABLE.length());
    }

    int order() {
      int at = ORDER.indexOf(holds);
      return at < 0 ? ORDER.size() : at;
    }
  }

  private RiseFindings(Facts facts, List<Courses.Course> courses, Unclaimed unclaimed) {
    this.facts = facts;
    this.courses = courses;
    this.unclaimed = unclaimed;
  }

  static RiseFindings of(Facts facts, List<Courses.Course> courses, Unclaimed unclaimed) {
    RiseFindings all = new RiseFindings(facts, courses, unclaimed);
    List<Rising> rising = new ArrayList<>();
    for (int i = 0; i < facts.sites().size(); i++) {
      Rising one = all.rising(i);
      if (one != null) {
        rising.add(one);
      }
    }
    rising.sort(
        Comparator.comparing((Rising one) -> !one.isGrowing)
            .thenComparing(one -> one.site.at().isJdks())
            .thenComparing(one -> !Rule.isHeavy(one.holds))
            .thenComparing(one -> one.course.owner().isEmpty())
            .thenComparingInt(Rising::order)
            .thenComparing(one -> -one.site.open()));
    while (!rising.isEmpty()) {
      Rising cause = owner(rising.getFirst(), rising);
      rising.remove(cause);
      List<Rising> with = new ArrayList<>();
      for (Rising one : rising) {
        if (one.line().equals(cause.line()) || isInStep(one, cause)) {
          with.add(one);
        }
      }
      rising.removeAll(with);
      // Where the JDK alone is on the stack, there is nothing to mend.
      if (!cause.site.at().isJdks()) {
        all.add(cause, with);
      }
    }
    return all;
  }

  private static boolean isInStep(Rising one, Rising cause) {
    Digest.Margins margins = one.site.margins();
    boolean isExact = margins == null || margins.open() == 0;
    return one.slope.isInStep(cause.slope, isExact ? IN_STEP : IN_STEP_OF_SAMPLES);
  }

  private @Nullable Rising rising(int index) {
    Digest.Site site = facts.sites().get(index);
    Courses.Course course = courses.get(index);
    Digest.Closeable rule = facts.rule(site.kind());
    if (!course.isKnown()
        || rule == null
        || rule.holds().equals(Rule.NOTHING)
        || site.frames().isEmpty()) {
      return null;
    }
    Slope slope = Slope.of(course, facts.target().seconds());
    boolean isGrowing = slope.isRise() && slope.risen() >= fewest(site, course, rule, slope);
    return isGrowing || isMany(site, course, rule, slope)
        ? new Rising(index, site, course, slope, rule.holds(), isGrowing)
        : null;
  }

  /** Other than sockets, of which the other end opens and closes as many as it likes. */
  private static boolean isMany(
      Digest.Site site, Courses.Course course, Digest.Closeable rule, Slope slope) {
    String holds = rule.holds();
    return Rule.isResource(holds)
        && !holds.equals("socket")
        && slope.risen()
            >= (isLazy(site, course, holds) || !Rule.isHeavy(holds) ? MANY : MANY_HEAVY)
        && site.closed() + site.collected() <= site.opened() / CLOSED_SHARE;
  }

  /** Whether threads came when a pool, or a library, needed them: such pools have a size. */
  private static boolean isLazy(Digest.Site site, Courses.Course course, String holds) {
    return holds.equals("thread")
        && course.owner().isEmpty()
        && (course.isPooled() || !site.through().isEmpty());
  }

  /** What at the same line is counted of the class that owns it; or itself. */
  private static Rising owner(Rising of, List<Rising> rising) {
    return rising.stream()
        .filter(one -> one.line().equals(of.line()) && one.type().equals(of.course.owner()))
        .findFirst()
        .orElse(of);
  }

  private static long fewest(
      Digest.Site site, Courses.Course course, Digest.Closeable rule, Slope slope) {
    if (isLazy(site, course, rule.holds())) {
      return FEWEST_POOLED;
    }
    if (rule.holds().equals("class")) {
      return MANY;
    }
    if (Rule.isHeavy(rule.holds())) {
      return FEWEST_HEAVY;
    }
    boolean closesMost = site.closed() > site.opened() / 2;
    return closesMost && slope.risen() >= site.opened() / FORGOTTEN_SHARE
        ? FEWEST_FORGOTTEN
        : FEWEST;
  }

  private void add(Rising cause, List<Rising> with) {
    Digest.Kind kind = facts.kind(cause.site.kind());
    if (kind == null) {
      return;
    }
    Unclaimed.Share share = kind.lost() > 0 ? null : unclaimed.of(kind.kind());
    Digest.Growth growth = cause.slope.growth(kind.kind());
    Digest.Margins margins = cause.site.margins();
    findings.add(
        Finding.of(
                cause.isGrowing ? Severity.GROWING : Severity.OPEN,
                cause.isGrowing ? What.GROWING_OBJECTS : What.KEPT_OBJECTS)
            .kind(kind.kind(), facts.rule(kind.kind()))
            .subject(simple(cause.course.owner()))
            .site(cause.index)
            .count(cause.site.open(), cause.site.opened())
            .bytes(share == null ? 0 : share.bytes())
            .because(
                cause.isGrowing ? new Rise(growth, true) : null,
                share == null ? null : new Holds(share),
                new Evidence.Opened(
                    cause.site.at(),
                    cause.site.open(),
                    margins == null ? 0 : margins.open(),
                    kind.open(),
                    0,
                    cause.site.exact(),
                    false),
                with.isEmpty() ? null : new Evidence.InStep(with.stream().map(this::part).toList()),
                cause.course.ender().isEmpty()
                    ? null
                    : new Evidence.Ender(simple(cause.course.owner()), cause.course.ender()))
            .advise(cause.course.ender().isEmpty() ? Advice.OF_KIND : Advice.OWNER));
    told.add(cause.site.kind());
    with.forEach(one -> told.add(one.site.kind()));
  }

  private Evidence.OpenAt part(Rising one) {
    Digest.Closeable rule = facts.rule(one.site.kind());
    String words =
        rule == null ? Kinds.words(one.site.kind(), one.site.open()) : rule.words(one.site.open());
    return new Evidence.OpenAt(one.site.open(), words, one.site.at());
  }

  private static String simple(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }

  List<Finding> findings() {
    return findings;
  }

  /** Whether a finding tells that objects of a kind rise. */
  boolean isTold(String kind) {
    return told.contains(kind);
  }

  /** Whether a finding tells that resources rise of which the rule says that they hold one. */
  boolean isToldOf(List<String> holds) {
    return told.stream()
        .map(facts::rule)
        .anyMatch(rule -> rule != null && holds.contains(rule.holds()));
  }

  /**
   * Whether so many of a kind were open at one line that it matters who frees them. Of objects that
   * hold memory any number does.
   */
  boolean wereMany(String kind) {
    Digest.Closeable rule = facts.rule(kind);
    if (rule == null || !Rule.isResource(rule.holds())) {
      return true;
    }
    long fewest = Rule.isHeavy(rule.holds()) ? FEWEST_HEAVY : FEWEST;
    for (int i = 0; i < facts.sites().size(); i++) {
      if (facts.sites().get(i).kind().equals(kind) && courses.get(i).peak() >= fewest) {
        return true;
      }
    }
    return false;
  }
}
