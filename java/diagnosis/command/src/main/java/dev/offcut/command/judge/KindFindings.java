package dev.offcut.command.judge;

import dev.offcut.command.judge.Evidence.Holds;
import dev.offcut.command.judge.Evidence.KeptByMalloc;
import dev.offcut.command.judge.Evidence.Rise;
import dev.offcut.command.judge.Finding.Severity;
import dev.offcut.command.judge.Finding.What;
import dev.offcut.command.read.Accounts;
import dev.offcut.command.read.Courses;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.GrowthRates;
import dev.offcut.command.read.Kinds;
import dev.offcut.command.read.NativeCallers;
import dev.offcut.resident.Account;
import dev.offcut.resident.Part;
import dev.offcut.rules.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Of each kind of resources: what is lost, what was freed late, what grows, what is open. */
final class KindFindings {
  /** Kinds whose memory lives as long as something refers to it. */
  private static final List<String> HELD_BY_REFERENCES =
      List.of("buffer.direct", "arena.automatic");

  /** Fewer that the collector freed are nobody's concern: each program has some. */
  private static final long FEWEST_LATE = 10;

  /** Fewer may have been in use until the program ended. */
  private static final long MANY_FORGOTTEN = 100;

  /** Fewer objects that nobody closes are the parts of one program: its database, its cache. */
  private static final long FEWEST_LOST = 10;

  private static final String AUTOMATIC = "arena.automatic";

  /** So many automatic arenas, and so many a second, are a flood: each waits for a collection. */
  private static final long FLOOD = 10_000;

  private static final double FLOOD_A_SECOND = 100;

  /** One in so many opened, or more. */
  private static final long LATE_SHARE = 100;

  private final Facts facts;
  private final Unclaimed unclaimed;
  private final RiseFindings rises;
  private final List<Finding> findings = new ArrayList<>();

  private KindFindings(Facts facts, Unclaimed unclaimed, RiseFindings rises) {
    this.facts = facts;
    this.rises = rises;
    this.unclaimed = unclaimed;
  }

  static List<Finding> of(Facts facts, Unclaimed unclaimed, RiseFindings rises) {
    KindFindings all = new KindFindings(facts, unclaimed, rises);
    for (Digest.Kind kind : facts.kinds()) {
      all.lost(kind);
      all.late(kind);
    }
    facts.memory().growing().forEach(all::growing);
    facts.kinds().forEach(all::open);
    return all.findings;
  }

  private Finding.Draft about(Severity severity, What what, Digest.Kind kind) {
    return Finding.of(severity, what).kind(kind.kind(), facts.rule(kind.kind()));
  }

  /**
   * Whose they are. A class of which no rule tells, and a descriptor, may be a part of what the
   * program knows: of the object that it made at that line, or got. Null: they are nobody's.
   */
  private Evidence.@Nullable Ender owner(Digest.Kind kind, @Nullable Integer site) {
    Digest.Closeable rule = facts.rule(kind.kind());
    if (site == null) {
      return null;
    }
    Courses.Course course = rises.course(site);
    boolean mayBePart =
        rule == null
            ? kind.kind().equals(Kinds.CLEANER)
            : Kinds.isByShape(rule) || (Rule.isResource(rule.holds()) && course.isOwned());
    return !mayBePart
            || course.ender().isEmpty()
            || kind.kind().equals(Kinds.CLOSEABLE + course.owner())
        ? null
        : new Evidence.Ender(course.ownerName(), course.ender());
  }

  /** With objects that were opened at a site, and what ends them. */
  private Finding.Draft ofSite(Finding.Draft finding, Digest.Kind kind, @Nullable Integer site) {
    Evidence.Ender owner = owner(kind, site);
    return finding.site(site).subject(owner == null ? "" : owner.owner()).because(owner);
  }

  /**
   * Whether objects of another kind that were opened at its line are lost, and a rule names them.
   */
  private boolean isPart(Digest.Kind kind) {
    Digest.Closeable rule = facts.rule(kind.kind());
    Integer site = facts.worst(kind.kind(), Digest.Site::lost);
    if (rule == null || !Kinds.isByShape(rule) || site == null) {
      return false;
    }
    Digest.Site its = facts.sites().get(site);
    return facts.sites().stream()
        .filter(other -> other.at().own().equals(its.at().own()))
        .filter(other -> other.lost() >= its.lost() / 2)
        .map(other -> facts.rule(other.kind()))
        .anyMatch(other -> other != null && !Kinds.isByShape(other));
  }

  private Advice advice(Digest.Kind kind, @Nullable Integer site) {
    return owner(kind, site) == null ? Advice.OF_KIND : Advice.OWNER;
  }

  /** Of a class that a rule names what its objects have is at best guessed. */
  private void lost(Digest.Kind kind) {
    Unclaimed.Share share = unclaimed.of(kind.kind());
    boolean isSure = !isOfAnother(facts.rule(kind.kind()));
    if (kind.lost() == 0
        || ((share == null || !facts.isMuch(share.bytes())) && isPart(kind))
        || !(isSure || (share != null && facts.isMuch(share.bytes())))) {
      return;
    }
    Holds holds = share == null ? null : new Holds(share);
    if (Kinds.isCloseable(kind.kind())) {
      Integer site = facts.worst(kind.kind(), Digest.Site::lost);
      findings.add(
          ofSite(about(severity(kind, share), What.LOST_OBJECTS, kind), kind, site)
              .count(kind.lost(), kind.opened())
              .bytes(share == null ? 0 : share.bytes())
              .because(
                  holds,
                  rise(kind),
                  facts.opened(
                      kind.kind(), site, Digest.Site::lost, Digest.Margins::lost, kind.lost()),
                  partsOf(kind))
              .advise(advice(kind, site)));
      return;
    }
    Integer site =
        facts.worst(kind.kind(), kind.lostBytes() > 0 ? Digest.Site::lostBytes : Digest.Site::lost);
    findings.add(
        about(Severity.LOST, What.LOST_KIND, kind)
            .count(kind.lost(), kind.opened())
            .bytes(share == null ? kind.lostBytes() : share.bytes())
            .site(site)
            .because(holds)
            .because(facts.openedBytes(kind, site, true))
            .advise(Advice.OF_KIND));
  }

  /** What the collector freed that was opened together with objects that are lost. */
  private @Nullable Evidence partsOf(Digest.Kind lost) {
    List<Evidence.OpenAt> parts = new ArrayList<>();
    for (Digest.Kind kind : facts.kinds()) {
      Integer site = facts.worst(kind.kind(), Digest.Site::collected);
      if (site != null && kind.collected() >= FEWEST_LATE && lost.equals(lostWith(kind, site))) {
        String words = Kinds.words(kind.kind(), kind.collected());
        parts.add(new Evidence.OpenAt(kind.collected(), words, facts.sites().get(site).at()));
      }
    }
    return parts.isEmpty() ? null : new Evidence.InStep(parts);
  }

  /**
   * The kind of lost objects that have what the collector freed: as many at least were opened at
   * the same line. Null: none has. Closeables are told by themselves.
   */
  private Digest.@Nullable Kind lostWith(Digest.Kind kind, Integer site) {
    String line = facts.sites().get(site).at().own();
    return Kinds.isCloseable(kind.kind())
        ? null
        : facts.sites().stream()
            .filter(other -> Kinds.isCloseable(other.kind()) && !other.frames().isEmpty())
            .filter(other -> other.at().own().equals(line))
            .filter(other -> other.lost() >= kind.collected() / 2)
            .map(other -> facts.kind(other.kind()))
            .findFirst()
            .orElse(null);
  }

  /** How fast rises what they have; null: it does not, or is not known. */
  private @Nullable Rise rise(Digest.Kind kind) {
    Digest.Growth growth = unclaimed.riseOf(kind.kind());
    return growth == null ? null : new Rise(growth, false);
  }

  /** A few that the program had until its end are no leak, unless they hold much. */
  private Severity severity(Digest.Kind kind, Unclaimed.@Nullable Share share) {
    Digest.Closeable rule = facts.rule(kind.kind());
    boolean isLeak =
        kind.lost() >= FEWEST_LOST
            || (share != null && facts.isMuch(share.bytes()))
            || rule == null
            || !rule.holds().equals(Rule.MALLOC)
            || rule.library().startsWith("--");
    return isLeak ? Severity.LOST : Severity.NOTE;
  }

  private void late(Digest.Kind kind) {
    Digest.Closeable rule = facts.rule(kind.kind());
    long ofFiles = lateOfFiles(kind, rule);
    if ((ofFiles == 0 && !isLate(kind, rule, facts.target().seconds()))
        || !rises.wereMany(kind.kind())) {
      return;
    }
    Integer site = facts.worst(kind.kind(), Digest.Site::collected);
    if (site != null && lostWith(kind, site) != null) {
      return;
    }
    long kept = unclaimed.keptOf(kind.kind());
    Unclaimed.Late late = unclaimed.lateOf(kind.kind());
    if (late == null && site != null && rises.isToldAt(site, kind.collected())) {
      return;
    }
    long bytes = Math.max(kept, late == null ? lateBytes(kind) : late.bytes()) + ofFiles;
    boolean callers = facts.callers() != null;
    boolean isFlood = kind.kind().equals(AUTOMATIC); // which costs, however little each holds
    boolean isForgotten = site != null && isForgotten(facts.sites().get(site));
    boolean areBytesKnown =
        rule == null
            ? kind.openedBytes() > 0 || (callers && kind.kind().equals(Kinds.CLEANER))
            : callers && rule.holds().equals(Rule.MALLOC);
    if ((areBytesKnown && !isFlood && !isForgotten && !facts.isMuch(bytes))
        || (isOfAnother(rule) && late == null)) {
      return;
    }
    findings.add(
        ofSite(about(Severity.LATE, What.LATE, kind), kind, site)
            .count(kind.collected(), kind.opened())
            .bytes(bytes)
            .because(
                late == null ? null : late.freed(),
                kept == 0 ? null : new KeptByMalloc(kept),
                ofFiles == 0 ? null : new Evidence.Dropped(),
                facts.opened(
                    kind.kind(), site, Digest.Site::collected, margins -> 0, kind.collected()))
            .advise(advice(kind, site)));
  }

  /**
   * What files had in memory because of mappings that the program left to the collector; 0 if it
   * was not much. A program may leave mappings to it that stay few.
   */
  private long lateOfFiles(Digest.Kind kind, Digest.@Nullable Closeable rule) {
    Accounts accounts = facts.accounts();
    if (rule == null
        || !rule.holds().equals(Rule.MAPPING)
        || accounts == null
        || kind.collected() < Math.max(FEWEST_LATE, kind.opened() / 2)) {
      return 0;
    }
    long most =
        accounts.all().stream().mapToLong(one -> one.account().bytes(Part.FILES)).max().orElse(0);
    long waited = most - accounts.last().bytes(Part.FILES);
    return facts.isMuch(waited) ? waited : 0;
  }

  /** Whether the program closes most of what a line opens: then so many others are an oversight. */
  private static boolean isForgotten(Digest.Site site) {
    return site.closed() >= site.opened() / 2 && site.collected() >= MANY_FORGOTTEN;
  }

  /** Whether the objects may be views, or parts, of others: what these have has lines. */
  private static boolean isOfAnother(Digest.@Nullable Closeable rule) {
    return rule != null && rule.holds().equals(Rule.NOTHING);
  }

  /** What was held too long: no more than ever was open at once. */
  private static long lateBytes(Digest.Kind kind) {
    double share = (double) kind.collected() / (double) kind.opened();
    return Math.min(kind.peakBytes(), Math.round(share * (double) kind.openedBytes()));
  }

  /** Whether so many were freed late that the program should have closed them. */
  static boolean isLate(Digest.Kind kind, Digest.@Nullable Closeable closeable, double seconds) {
    if (kind.kind().equals(AUTOMATIC)) {
      return kind.collected() >= FLOOD && (double) kind.collected() >= FLOOD_A_SECOND * seconds;
    }
    return !Kinds.isLeftToCollector(kind.kind())
        && (closeable == null || !closeable.isLeftToCollector())
        && kind.collected() >= FEWEST_LATE
        && kind.collected() >= kind.opened() / LATE_SHARE;
  }

  /** What rose over the run, and when the limit is met at that rate. */
  private void growing(Digest.Growth growth) {
    if (growth.part().equals(NativeCallers.KIND) || unclaimed.isTold(growth.part())) {
      return; // told by line, or with the objects that have it
    }
    boolean areMappings =
        growth.part().equals(Part.FILES.title()) && rises.isToldOf(List.of(Rule.MAPPING));
    boolean areClasses =
        growth.part().equals(Part.METASPACE.title())
            && (rises.isToldOf(List.of("loader", "class"))
                || PartFindings.areLoadersMany(facts, unclaimed, rises)
                || areUnloaded(growth));
    if (areMappings || areClasses || isOfJvm(growth)) {
      return;
    }
    Digest.Kind kind = facts.kind(growth.part());
    Rise rise = new Rise(growth, false);
    if (kind == null) {
      findings.add(part(growth, rise));
      return;
    }
    Integer site = facts.worst(kind.kind(), Digest.Site::bytes);
    findings.add(
        about(Severity.GROWING, What.GROWING_KIND, kind)
            .count(kind.open(), kind.opened())
            .bytes(kind.bytes())
            .site(site)
            .because(rise, facts.until(growth), new Evidence.Now(kind.open(), kind.bytes()))
            .because(facts.openedBytes(kind, site, false))
            .advise(
                HELD_BY_REFERENCES.contains(kind.kind())
                    ? List.of(Advice.HOLDERS, Advice.OF_KIND)
                    : List.of(Advice.OF_KIND)));
  }

  /** A part of resident memory that grows; of threads the line that started them. */
  private Finding part(Digest.Growth growth, Rise rise) {
    Part part =
        Arrays.stream(Part.values())
            .filter(one -> one.title().equals(growth.part()))
            .findFirst()
            .orElse(Part.UNEXPLAINED);
    Account last = facts.accounts() == null ? null : facts.accounts().last();
    long fewest =
        part == Part.STACKS && last != null ? last.threads() / PartFindings.FEW : Long.MAX_VALUE;
    Integer site = rises.siteOf(PartFindings.THREADS, fewest);
    Courses.Course course = site == null ? Courses.Course.UNKNOWN : rises.course(site);
    boolean isOwned = !course.ender().isEmpty() && !course.isPooled();
    return Finding.of(Severity.GROWING, What.GROWING_PART)
        .subject(growth.part())
        .bytes(growth.bytes())
        .site(site)
        .because(
            rise,
            rises.openAt(PartFindings.THREADS, fewest),
            facts.until(growth),
            last == null ? null : PartFindings.about(part, last),
            isOwned ? new Evidence.Ender(course.ownerName(), course.ender()) : null)
        .advise(isOwned ? List.of(Advice.OWNER) : advice(part, growth.part()));
  }

  private List<Advice> advice(Part part, String subject) {
    Advice advice =
        subject.equals(GrowthRates.HEAP)
            ? Advice.HEAP_DUMP
            : Advice.of(part, facts.target().isGo());
    return advice == Advice.MALLOC && part == Part.MALLOC_USED
        ? unclaimed.mallocAdvice(advice)
        : List.of(advice);
  }

  /**
   * Whether the JVM has it, for threads or classes of which a finding tells, or its compiler for a
   * while: no line took it.
   */
  private boolean isOfJvm(Digest.Growth growth) {
    NativeCallers callers = facts.callers();
    return growth.part().equals(Part.MALLOC_USED.title())
        && callers != null
        && growth.bytes() <= callers.jvm() + callers.marginOfAll()
        && (growth.bytes() < Facts.LEAST || !rises.findings().isEmpty());
  }

  /** Whether the collection at the end unloaded most of the classes by which metaspace rose. */
  private boolean areUnloaded(Digest.Growth growth) {
    List<GrowthRates.Point> points = facts.timeline().metaspace();
    return facts.accounts() != null
        && facts.accounts().all().getLast().atEnd()
        && !points.isEmpty()
        && GrowthRates.bytes(facts.accounts().last(), List.of(Part.METASPACE, Part.CLASS_SPACE))
            < points.getLast().bytes() - growth.bytes() / 2;
  }

  /** What is open and much: no mistake by itself, but never silent. What grows is told already. */
  private void open(Digest.Kind kind) {
    Unclaimed.Share share = unclaimed.of(kind.kind());
    if (share != null && kind.lost() == 0 && !rises.isTold(kind.kind())) {
      Digest.Growth rise = unclaimed.riseOf(kind.kind());
      Integer site = facts.worst(kind.kind(), Digest.Site::open);
      findings.add(
          ofSite(
                  about(rise == null ? Severity.OPEN : Severity.GROWING, What.OPEN_OBJECTS, kind),
                  kind,
                  site)
              .count(kind.open(), kind.opened())
              .bytes(share.bytes())
              .because(
                  rise == null ? null : new Rise(rise, false),
                  rise == null ? null : facts.until(rise),
                  new Holds(share),
                  facts.opened(
                      kind.kind(), site, Digest.Site::open, Digest.Margins::open, kind.open()))
              .advise(advice(kind, site)));
    }
    if (unclaimed.isTold(kind.kind())
        || kind.kind().equals(NativeCallers.KIND)
        || !facts.isMuch(kind.bytes())
        || facts.isGrowing(kind.kind())) {
      return;
    }
    Integer site = facts.worst(kind.kind(), Digest.Site::bytes);
    findings.add(
        about(Severity.OPEN, What.OPEN_KIND, kind)
            .count(kind.open(), kind.opened())
            .bytes(kind.bytes())
            .share(facts.memory().resident())
            .site(site)
            .because(facts.openedBytes(kind, site, false))
            .done());
  }
}
