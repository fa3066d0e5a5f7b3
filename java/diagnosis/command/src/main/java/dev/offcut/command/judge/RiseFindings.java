package dev.offcut.command.judge;

import dev.offcut.command.judge.Evidence.Holds;
import dev.offcut.command.judge.Evidence.Rise;
import dev.offcut.command.judge.Finding.Severity;
import dev.offcut.command.judge.Finding.What;
import dev.offcut.command.read.CallSite;
import dev.offcut.command.read.Courses;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.GrowthRates;
import dev.offcut.command.read.Kinds;
import dev.offcut.rules.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Lines of the program of whose resources more and more are open. What a program opens when it
 * starts and keeps is no finding, nor is a pool that fills once: docs/design/run.md has the rule.
 *
 * <p>One cause is one finding. What the same line opened, and what rose in step with it at other
 * lines, is told with the line that owns it.
 */
final class RiseFindings {
  /** Fewer resources are not a rise; half of them come after the start. */
  private static final long FEWEST = 100;

  /** The same for resources of which a program has few. */
  private static final long FEWEST_HEAVY = 10;

  /** The same for objects of native libraries with which threads or descriptors come. */
  private static final long FEWEST_WITH_MORE = 20;

  /** The same for threads of a pool. */
  private static final long FEWEST_POOLED = 250;

  /** A shorter run may be all start, while a pool of threads fills. */
  private static final double SHORT_SECONDS = 10;

  /** A line that closes most of what it opens, and forgets so many and one in so many. */
  private static final long FEWEST_FORGOTTEN = 10;

  private static final long FORGOTTEN_SHARE = 100;

  /** So many that came after the start, and are kept, are told though they rise no more. */
  private static final long MANY_HEAVY = 100;

  private static final long MANY = 1_000;

  /** A line needs one of these, and shares it. */
  private static final List<String> ONE_IS_ENOUGH = List.of("executor", "watch");

  private static final long MANY_OF_ONE = 50;

  /** One in so many of those is closed at most. */
  private static final long CLOSED_SHARE = 10;

  /** Two courses rise in step if they are never further apart, as a share of their rise. */
  private static final double IN_STEP = 0.1;

  private static final double IN_STEP_OF_SAMPLES = 0.3;

  /** So many samples by chance, of what is sampled. */
  private static final long SAMPLES = 4;

  /** One in so many executors that are open has a thread, or none of them is looked at. */
  private static final long THREADS_SHARE = 4;

  /** What owns comes before what it has. */
  private static final List<String> ORDER =
      List.of("executor", "watch", "selector", "loader", "thread", "socket", "descriptor");

  private final Facts facts;
  private final List<Courses.Course> courses;
  private final Unclaimed unclaimed;
  private final List<Finding> findings = new ArrayList<>();

  /** What they tell of. */
  private final List<Rising> told = new ArrayList<>();

  private boolean isWithDescriptors;

  /** A site whose open resources rise. */
  private record Rising(
      int index,
      Digest.Site site,
      Courses.Course course,
      long open,
      long others,
      String holds,
      Digest.@Nullable Growth growth) {
    boolean isGrowing() {
      return growth != null;
    }

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
    this.courses =
        IntStream.range(0, courses.size()).mapToObj(index -> owned(index, courses)).toList();
    this.unclaimed = unclaimed;
  }

  /** With the owner of the threads in which they were opened. */
  private Courses.Course owned(int index, List<Courses.Course> all) {
    CallSite at = facts.sites().get(index).at();
    Courses.Course course = all.get(index);
    return at.isAtStart() ? course.of(threadAt(at.own(), all)) : course;
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
    facts.kinds().stream()
        .map(Digest.Kind::kind)
        .filter(kind -> rising.stream().noneMatch(one -> one.site.kind().equals(kind)))
        .map(all::together)
        .filter(Objects::nonNull)
        .forEach(rising::add);
    rising.sort(
        Comparator.comparing((Rising one) -> one.site.at().isJdks())
            .thenComparing(one -> one.site.at().isAtStart())
            .thenComparing(one -> !Rule.isHeavy(one.holds))
            .thenComparing(one -> !one.isGrowing())
            .thenComparing(one -> one.course.isAccepted())
            .thenComparing(one -> one.course.owner().isEmpty())
            .thenComparing(one -> all.share(one) == null)
            .thenComparingInt(Rising::order)
            .thenComparing(one -> -one.open));
    while (!rising.isEmpty()) {
      Rising cause = all.owner(rising.getFirst(), rising);
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

  /** The threads that a line keeps starting: a few threads of a library serve all who use it. */
  private Courses.Course threadAt(String line, List<Courses.Course> all) {
    for (int i = 0; i < facts.sites().size(); i++) {
      Digest.Site site = facts.sites().get(i);
      Digest.Closeable rule = facts.rule(site.kind());
      if (rule != null
          && Rule.isOfThreads(rule.holds())
          && site.opened() >= FEWEST_HEAVY
          && !site.frames().isEmpty()
          && site.at().own().equals(line)
          && !all.get(i).ender().isEmpty()) {
        return all.get(i);
      }
    }
    return Courses.Course.UNKNOWN;
  }

  private static boolean isInStep(Rising one, Rising cause) {
    Digest.Margins margins = one.site.margins();
    boolean isExact = margins == null || margins.open() == 0;
    return GrowthRates.isInStep(
        one.course.points(), cause.course.points(), isExact ? IN_STEP : IN_STEP_OF_SAMPLES);
  }

  private @Nullable Rising rising(int index) {
    Digest.Closeable rule = facts.rule(facts.sites().get(index).kind());
    return rule == null || !isOfRises(index, rule)
        ? null
        : rising(index, courses.get(index), 0, rule);
  }

  /**
   * Whether the process has more and more threads, or descriptors, as objects are opened, and at
   * least one for each.
   */
  private boolean bringsMore(Courses.Course course) {
    return brings(facts.timeline().threads(), course)
        || brings(facts.timeline().descriptors(), course);
  }

  private static boolean brings(List<GrowthRates.Point> process, Courses.Course course) {
    long risen = GrowthRates.afterStart(course.points());
    return risen > 0
        && GrowthRates.afterStart(process) >= risen
        && GrowthRates.isInStep(process, course.points(), IN_STEP_OF_SAMPLES);
  }

  private boolean isOfRises(int index, Digest.@Nullable Closeable rule) {
    Digest.Site site = facts.sites().get(index);
    return rule != null
        && courses.get(index).isKnown()
        && (!rule.holds().equals(Rule.NOTHING) || bringsMore(courses.get(index)))
        && !isOfLost(site, rule)
        && !site.frames().isEmpty();
  }

  /** {@code others}: how many more lines the course is of. */
  private @Nullable Rising rising(
      int index, Courses.Course course, long others, Digest.Closeable rule) {
    Digest.Site site = facts.sites().get(index);
    // A collection at the end tells which of those that it ends were still in use.
    Digest.Kind kind = facts.kind(site.kind());
    long most = kind == null ? Long.MAX_VALUE : kind.opened(); // a line's number may be estimated
    long its = kind != null && isOnly(site) ? kind.open() : site.open();
    // A few samples more or less; the counts are exact.
    long margin = site.samples() < site.opened() ? SAMPLES * facts.target().sampleEvery() : 0;
    long last = course.last() - its <= margin ? its : course.last();
    long open = Math.min(most, rule.isLeftToCollector() ? its : Math.max(its, last));
    long risen = Math.min(open, GrowthRates.afterStart(course.points()));
    long fewest = fewest(site, course, rule, risen);
    Digest.Growth growth =
        open < fewest || risen < fewest / 2
            ? null
            : GrowthRates.ofEach(site.kind(), course.points(), fewest);
    if (isFreedByLibrary(site.kind(), course, rule)
        || isFreedAtEnd(kind, rule, open - its)
        || isFreedLate(kind, site, open)
        || (rule.holds().equals("executor") && !haveThreads(risen))) {
      return null;
    }
    return growth != null || isMany(site, course, rule, risen)
        ? new Rising(index, site, course, open, others, rule.holds(), growth)
        : null;
  }

  /** Whether so many executors may have threads: else they are but objects of the heap. */
  private boolean haveThreads(long executors) {
    LongSummaryStatistics threads =
        facts.timeline().threads().stream().mapToLong(GrowthRates.Point::bytes).summaryStatistics();
    return threads.getCount() < 2
        || threads.getMax() - threads.getMin() >= executors / THREADS_SHARE;
  }

  /** What a library made for itself, and frees when the collector finds it, unless it has much. */
  private boolean isFreedByLibrary(String kind, Courses.Course course, Digest.Closeable rule) {
    return Kinds.isByShape(rule)
        && !rule.freedBy().equals("nobody")
        && (course.ender().isEmpty() || !course.isOfCall() || mayBeClosed(course.owner()))
        && unclaimed.of(kind) == null
        && !bringsMore(course);
  }

  /**
   * Whether the collection at the end found most of them, which their library frees then. Nothing
   * referred to them, and what they have is not known to be much.
   */
  private boolean isFreedAtEnd(Digest.@Nullable Kind kind, Digest.Closeable rule, long ended) {
    return kind != null
        && rule.holds().equals(Rule.MALLOC)
        && !rule.freedBy().equals("nobody")
        && ended > (kind.open() + ended) / 2
        && kind.collected() >= ended
        && unclaimed.of(kind.kind()) == null
        && unclaimed.lateOf(kind.kind()) == null;
  }

  /** Whether the program closes the objects of a class, or nobody counts them. */
  private boolean mayBeClosed(String type) {
    Digest.Kind kind = facts.kind(Kinds.CLOSEABLE + type);
    return kind == null || (kind.closed() > 0 && kind.opened() - kind.closed() < FEWEST_HEAVY);
  }

  /** Whether a finding tells how much waited for the collector, which had most of them. */
  private boolean isFreedLate(Digest.@Nullable Kind kind, Digest.Site site, long open) {
    return kind != null
        && site.open() < open / 2
        && unclaimed.lateOf(kind.kind()) != null
        && KindFindings.isLate(kind, facts.rule(kind.kind()), facts.target().seconds());
  }

  /** Whether no other line is known to have opened any of its kind. */
  private boolean isOnly(Digest.Site site) {
    return facts.sites().stream()
        .noneMatch(other -> !other.equals(site) && other.kind().equals(site.kind()));
  }

  /** Several lines that open the same kind, none of which rises by itself. */
  private @Nullable Rising together(String kind) {
    Digest.Closeable rule = facts.rule(kind);
    Courses.Course sum = Courses.Course.UNKNOWN;
    int largest = -1;
    long others = -1;
    for (int i = 0; i < facts.sites().size(); i++) {
      // Who accepts a connection, and who opens it, are not two causes.
      if (facts.sites().get(i).kind().equals(kind)
          && !courses.get(i).isAccepted()
          && isOfRises(i, rule)) {
        sum = sum.plus(courses.get(i));
        others++;
        largest = largest < 0 || courses.get(i).last() > courses.get(largest).last() ? i : largest;
      }
    }
    return rule == null || largest < 0 ? null : rising(largest, sum, others, rule);
  }

  /** Whether another finding tells of a site: its objects, or those they are parts of, are lost. */
  private boolean isOfLost(Digest.Site site, Digest.Closeable rule) {
    return facts.sites().stream()
        .filter(other -> other.lost() >= Math.max(FEWEST_FORGOTTEN, site.open() / 2))
        .anyMatch(
            other ->
                other.equals(site)
                    || (rule.holds().equals(Rule.MALLOC)
                        && other.at().own().equals(site.at().own())));
  }

  /** Other than sockets, of which the other end opens and closes as many as it likes. */
  private boolean isMany(
      Digest.Site site, Courses.Course course, Digest.Closeable rule, long risen) {
    String holds = rule.holds();
    long many = MANY_HEAVY;
    if (!Rule.isHeavy(holds) || isLazy(site, course, holds)) {
      many = MANY;
    } else if (ONE_IS_ENOUGH.contains(holds)) {
      many = MANY_OF_ONE;
    } else if (holds.equals("thread") && !course.isOwned()) {
      many = FEWEST_POOLED; // the program's own pool
    }
    return Rule.isResource(holds)
        && !holds.equals("socket")
        && risen >= many
        && site.opened() - site.lost() - course.last() <= site.opened() / CLOSED_SHARE;
  }

  /**
   * Whether threads came when a pool, or a library, needed them, or may have come at the start:
   * such pools have a size.
   */
  private boolean isLazy(Digest.Site site, Courses.Course course, String holds) {
    return holds.equals("thread")
        && (!course.isOwned() || course.isOfCall())
        && (course.isPooled() || !site.through().isEmpty() || mayBeStart(course));
  }

  private boolean mayBeStart(Courses.Course course) {
    return !course.isOwned() && facts.target().seconds() < SHORT_SECONDS;
  }

  /**
   * What at the same line is counted of the class that owns it; or itself. For what a call on an
   * object opened, and for what outlives its owner: what rose in step where another object was
   * made.
   */
  private Rising owner(Rising of, List<Rising> rising) {
    boolean isOfAnother = (!of.course.isOwned() && !of.course.owner().isEmpty()) || outlives(of);
    return rising.stream()
        .filter(
            one ->
                isOfAnother
                    ? one.course.isOwned() && !outlives(one) && isInStep(one, of)
                    : one.line().equals(of.line()) && one.type().equals(of.course.owner()))
        .findFirst()
        .orElse(of);
  }

  /**
   * Whether the program ended what owns them, and they stay: other resources of that line are
   * closed, and hardly any of these. Files do not tell: a library opens and closes them while it
   * makes an object.
   */
  private boolean outlives(Rising of) {
    return of.site.closed() <= of.site.opened() / CLOSED_SHARE
        && facts.sites().stream()
            .filter(site -> site.at().own().equals(of.line()) && site.opened() >= FEWEST_HEAVY)
            .filter(site -> site.closed() >= site.opened() - site.opened() / CLOSED_SHARE)
            .map(site -> facts.rule(site.kind()))
            .anyMatch(
                rule ->
                    rule != null
                        && Rule.isResource(rule.holds())
                        && !rule.holds().equals(Rule.DESCRIPTOR));
  }

  private long fewest(Digest.Site site, Courses.Course course, Digest.Closeable rule, long risen) {
    if (isLazy(site, course, rule.holds())) {
      // A pool of threads that fills has a size; who makes pools at a line makes more of them.
      return course.isPooled() || site.at().isAtStart() ? FEWEST_POOLED : MANY_HEAVY;
    }
    if (rule.holds().equals("class")) {
      return MANY;
    }
    if (Rule.isHeavy(rule.holds())) {
      return mayBeStart(course) ? MANY_HEAVY : FEWEST_HEAVY;
    }
    if (Kinds.isByShape(rule) && bringsMore(course)) {
      return FEWEST_WITH_MORE;
    }
    boolean closesMost = site.opened() - course.last() > site.opened() / 2;
    return closesMost && risen >= site.opened() / FORGOTTEN_SHARE ? FEWEST_FORGOTTEN : FEWEST;
  }

  private void add(Rising cause, List<Rising> with) {
    Digest.Kind kind = facts.kind(cause.site.kind());
    if (kind == null) {
      return;
    }
    Digest.Closeable rule = facts.rule(kind.kind());
    boolean endsByItself = rule != null && rule.isLeftToCollector() && !isEndedWithOwner(cause);
    String ender = endsByItself ? "" : cause.course.ender();
    Unclaimed.Share share = share(cause);
    Digest.Margins margins = cause.site.margins();
    findings.add(
        Finding.of(
                cause.isGrowing() ? Severity.GROWING : Severity.OPEN,
                cause.isGrowing() ? What.GROWING_OBJECTS : What.KEPT_OBJECTS)
            .kind(kind.kind(), rule)
            .subject(endsByItself && cause.course.isOfCall() ? "" : cause.course.ownerName())
            .site(cause.index)
            .count(cause.open, cause.site.opened())
            .bytes(share == null ? 0 : share.bytes())
            .because(
                cause.growth == null ? null : new Rise(cause.growth, true),
                share == null ? null : new Holds(share),
                new Evidence.Opened(
                    cause.site.at(),
                    Math.max(cause.site.open(), courses.get(cause.index).last()),
                    margins == null ? 0 : margins.open(),
                    Math.max(kind.open(), cause.open),
                    cause.others,
                    cause.site.exact(),
                    false),
                closedAtExit(cause, kind),
                with.isEmpty()
                    ? null
                    : new Evidence.InStep(
                        with.stream().map(one -> openAt(one.site, one.open)).toList()),
                ender.isEmpty() ? null : new Evidence.Ender(cause.course.ownerName(), ender))
            .advise(ender.isEmpty() ? Advice.OF_KIND : Advice.OWNER));
    told.add(cause);
    told.addAll(with);
    isWithDescriptors |=
        rule != null
            && Kinds.isByShape(rule)
            && brings(facts.timeline().descriptors(), cause.course);
  }

  /** What those of a line have. */
  private Unclaimed.@Nullable Share share(Rising one) {
    String kind = one.site.kind();
    Digest.Kind counts = facts.kind(kind);
    if (counts == null || counts.lost() > 0) {
      return null;
    }
    if (one.holds.equals("loader") || one.holds.equals("class")) {
      return PartFindings.metaspace(facts, one.holds.equals("loader") ? one.open : 0);
    }
    List<String> lines =
        facts.sites().stream()
            .filter(site -> site.kind().equals(kind))
            .map(site -> site.at().own())
            .toList();
    return one.others > 0 ? unclaimed.of(kind) : unclaimed.of(kind, one.line(), lines);
  }

  /** Whether closing an owner ends what the JDK leaves to the collector. */
  private static boolean isEndedWithOwner(Rising one) {
    return Rule.isOfThreads(one.holds)
        || (one.holds.equals(Rule.MAPPING) && !one.course.owner().startsWith("java."));
  }

  /** Those that were open until the end; the collector ended them if it ended as many. */
  private static @Nullable Evidence closedAtExit(Rising cause, Digest.Kind kind) {
    long ended = cause.open - cause.site.open();
    return ended > cause.open / 2
        ? new Evidence.ClosedAtExit(ended, kind.collected() >= ended)
        : null;
  }

  private Evidence.OpenAt openAt(Digest.Site site, long open) {
    Digest.Closeable rule = facts.rule(site.kind());
    String words = rule == null ? Kinds.words(site.kind(), open) : rule.words(open);
    return new Evidence.OpenAt(open, words, site.at());
  }

  List<Finding> findings() {
    return findings;
  }

  /** Whose those are that a site opened. */
  Courses.Course course(int site) {
    return courses.get(site);
  }

  /**
   * The site that has most open resources of which a rule says that they hold one of some, if it
   * has enough; of connections that others opened only if there is no other.
   */
  @Nullable Integer siteOf(List<String> holds, long fewest) {
    return IntStream.range(0, facts.sites().size())
        .boxed()
        .filter(index -> hasOpen(facts.sites().get(index), holds, fewest))
        .max(
            Comparator.comparing((Integer index) -> !courses.get(index).isAccepted())
                .thenComparing(index -> facts.sites().get(index).open()))
        .orElse(null);
  }

  private boolean hasOpen(Digest.Site site, List<String> holds, long fewest) {
    Digest.Closeable rule = facts.rule(site.kind());
    return rule != null
        && holds.contains(rule.holds())
        && !site.frames().isEmpty()
        && site.open() >= Math.max(1, fewest);
  }

  /** What that site opened. */
  @Nullable Evidence openAt(List<String> holds, long fewest) {
    Integer most = siteOf(holds, fewest);
    return most == null ? null : openAt(facts.sites().get(most), facts.sites().get(most).open());
  }

  /** Whether a finding tells that objects of a kind rise. */
  boolean isTold(String kind) {
    return told.stream().anyMatch(one -> one.site.kind().equals(kind));
  }

  /**
   * Whether a finding tells that objects of a site rise, and the collector found so many of them
   * only when the program ended.
   */
  boolean isToldAt(int site, long collected) {
    Digest.Site its = facts.sites().get(site);
    return courses.get(site).last() >= collected
        && told.stream()
            .filter(one -> one.site.kind().equals(its.kind()))
            .anyMatch(one -> one.line().equals(its.at().own()));
  }

  /** Whether a finding tells of objects of a native library that bring descriptors. */
  boolean isToldWithDescriptors() {
    return isWithDescriptors;
  }

  /** Whether a finding tells that resources rise of which the rule says that they hold one. */
  boolean isToldOf(List<String> holds) {
    return told.stream().anyMatch(one -> holds.contains(one.holds));
  }

  /**
   * Whether enough objects of a kind were open at one line, or freed by GC, to tell who frees them.
   * For objects that hold memory one is enough.
   */
  boolean wereMany(String kind) {
    Digest.Closeable rule = facts.rule(kind);
    Digest.Kind counts = facts.kind(kind);
    if (rule == null
        || !Rule.isResource(rule.holds())
        || (counts != null && counts.collected() >= FEWEST)) {
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
