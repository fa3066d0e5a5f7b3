package dev.offcut.command.judge;

import dev.offcut.command.judge.Evidence.Related;
import dev.offcut.command.judge.Finding.Severity;
import dev.offcut.command.judge.Finding.What;
import dev.offcut.command.read.Accounts;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.GrowthRates;
import dev.offcut.command.read.Kinds;
import dev.offcut.resident.Account;
import dev.offcut.resident.Descriptors;
import dev.offcut.resident.Part;
import dev.offcut.rules.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What accounts of resident memory tell that no counter of a kind does: files that are mapped,
 * threads, class loaders, file descriptors, and pools that are nearly empty.
 */
final class PartFindings {
  /**
   * Fewer are a server whose pool is full, and the JVM's own: Tomcat's, Jetty's and Undertow's
   * pools have up to 200 unless they are told otherwise, and fill up while load rises: a note.
   */
  private static final int FEWEST_THREADS = 250;

  /** So many more than at the beginning, and still rising, are a finding whatever they have. */
  private static final int MANY_MORE = 100;

  /** So many files that were deleted and are mapped are a finding, whatever their bytes. */
  private static final int MANY_DELETED = 16;

  /** A program loads as much at its start. */
  private static final long LEAST_METASPACE = 4L << 20;

  private static final List<String> MAPPINGS = List.of(Rule.MAPPING);
  static final List<String> THREADS = List.of("thread");

  /** A line is named as the cause if it opened at least one in four. */
  static final int FEW = 4;

  /** What holds file descriptors, by the words of rules. */
  private static final List<String> DESCRIPTORS =
      List.of(Rule.DESCRIPTOR, "socket", "selector", "watch");

  private static final List<Account.Group> NONE = List.of();

  /** Loaders of the JDK and of the agent. */
  private static final List<String> OTHERS = List.of("jdk.internal.", "<boot", "dev.offcut.agent.");

  private final List<Finding> findings = new ArrayList<>();
  private final Facts facts;
  private final Accounts accounts;
  private final Account last;
  private final Unclaimed unclaimed;
  private final RiseFindings rises;

  private PartFindings(Facts facts, Accounts accounts, Unclaimed unclaimed, RiseFindings rises) {
    this.rises = rises;
    this.facts = facts;
    this.accounts = accounts;
    this.last = accounts.last();
    this.unclaimed = unclaimed;
  }

  /** All of them; none if nobody looked. */
  static List<Finding> of(Facts facts, Unclaimed unclaimed, RiseFindings rises) {
    if (facts.accounts() == null) {
      return List.of();
    }
    PartFindings all = new PartFindings(facts, facts.accounts(), unclaimed, rises);
    all.mapped();
    all.threads();
    all.loaders();
    all.descriptors();
    facts.pools().forEach(all::pooled);
    facts.bufferPools().forEach(all::pooled);
    return all.findings;
  }

  /** What grows is a finding that says the same, and more. */
  private void mapped() {
    long bytes = last.bytes(Part.FILES);
    List<Evidence.File> deleted = files(last).stream().filter(Evidence.File::isDeleted).toList();
    long deletedBytes = deleted.stream().mapToLong(Evidence.File::bytes).sum();
    boolean areDeleted = deleted.size() >= MANY_DELETED || deletedBytes > Facts.LEAST;
    // A database maps its files, and the system may drop their pages.
    Severity severity = areDeleted ? Severity.MAPPED : Severity.NOTE;
    if ((facts.isMuch(bytes - deletedBytes) || areDeleted)
        && !facts.isGrowing(Part.FILES)
        && !unclaimed.isTold(Unclaimed.FILES)) {
      findings.add(
          Finding.of(severity, What.MAPPED_FILES)
              .bytes(bytes)
              .site(rises.siteOf(MAPPINGS, 1))
              .because(
                  rises.openAt(MAPPINGS, 1),
                  about(Part.FILES, last),
                  arenas(),
                  facts.since(List.of(Part.FILES)))
              .because(new Evidence.Dropped())
              .advise(Advice.FILES));
    }
  }

  /** Who may have mapped them. */
  private @Nullable Evidence arenas() {
    return facts.kinds().stream()
        .filter(kind -> kind.kind().startsWith("arena.") && kind.open() > 0 && kind.bytes() == 0)
        .max(Comparator.comparingLong(Digest.Kind::open))
        .map(kind -> facts.related(Related.Why.ARENAS_FOR_FILES, kind, kind.open()))
        .orElse(null);
  }

  private void threads() {
    Digest.Growth growth = GrowthRates.ofThreads(facts.timeline(), accounts, MANY_MORE);
    long bytes = last.bytes(Part.STACKS);
    boolean areMany = last.threads() >= FEWEST_THREADS;
    if (rises.isToldOf(List.of("thread", "executor"))
        || (!areMany && growth == null)
        || facts.isGrowing(Part.STACKS)
        || (growth == null && !facts.isMuch(bytes))) {
      return;
    }
    long fewest = last.threads() / FEW; // else they are others'
    findings.add(
        Finding.of(areMany ? Severity.THREADS : Severity.NOTE, What.THREADS)
            .count(last.threads(), 0)
            .bytes(bytes)
            .because(
                about(Part.STACKS, last),
                growth == null ? facts.since(List.of(Part.STACKS)) : new Evidence.More(growth),
                rises.openAt(THREADS, fewest))
            .site(rises.siteOf(THREADS, fewest))
            .advise(Advice.STACKS));
  }

  /** Near their limit, or more and more. Whoever has too many cannot open any more. */
  private void descriptors() {
    Descriptors its = last.descriptors();
    boolean isNearLimit = its.limit() > 0 && its.open() >= its.limit() / 2;
    Digest.Growth growth =
        rises.isToldOf(DESCRIPTORS)
                || rises.isToldWithDescriptors()
                || lost(DESCRIPTORS) >= its.open() / 2
            ? null
            : GrowthRates.ofDescriptors(facts.timeline(), accounts, MANY_MORE);
    if (!isNearLimit && (growth == null || areLate(latest() - its.open()))) {
      return;
    }
    // The last account may be behind the program's end, when the collector has closed them.
    long open = growth == null ? its.open() : Math.max(its.open(), latest());
    boolean isOfThem = its.open() >= open / 2;
    long left = its.limit() - open;
    List<Account.Group> often =
        its.files().stream()
            .filter(file -> file.count() >= its.open() / Facts.SHARE)
            .map(file -> new Account.Group(name(file.name()), file.count(), 0))
            .toList();
    long fewest = its.open() / FEW;
    findings.add(
        Finding.of(Severity.DESCRIPTORS, What.DESCRIPTORS)
            .count(open, its.limit())
            .site(rises.siteOf(DESCRIPTORS, fewest))
            .because(
                isOfThem ? new Evidence.Kinds(its.kinds(), often, its.isExact()) : null,
                rises.openAt(DESCRIPTORS, fewest),
                growth == null ? null : new Evidence.More(growth),
                growth == null || its.limit() == 0 || left <= 0
                    ? null
                    : new Evidence.UntilFull(60.0 * left / Math.max(1, growth.rate())))
            .advise(Advice.CLOSE_FILES));
  }

  /** How many descriptors there were when the agent counted them last. */
  private long latest() {
    List<GrowthRates.Point> counted = facts.timeline().descriptors();
    return counted.isEmpty() ? 0 : counted.getLast().bytes();
  }

  /**
   * Whether the program ended, the collector then closed most of its descriptors, and findings tell
   * of as many objects that were left to it.
   */
  private boolean areLate(long gone) {
    double seconds = facts.target().seconds();
    long late =
        facts.closeables().stream()
            .filter(one -> DESCRIPTORS.contains(one.holds()))
            .map(one -> facts.kind(one.kind()))
            .filter(Objects::nonNull)
            .filter(kind -> KindFindings.isLate(kind, facts.rule(kind.kind()), seconds))
            .filter(kind -> rises.wereMany(kind.kind()))
            .mapToLong(Digest.Kind::collected)
            .sum();
    return gone >= latest() / 2 && late >= gone / 2;
  }

  /** How many objects that hold one of these are lost: another finding tells of them. */
  private long lost(List<String> holds) {
    return facts.closeables().stream()
        .filter(one -> holds.contains(one.holds()))
        .mapToLong(one -> facts.lost(one.kind()))
        .sum();
  }

  private void loaders() {
    for (Account.Group group : rises.isToldOf(List.of("loader")) ? NONE : last.loaders()) {
      if (areMany(group)) {
        findings.add(
            Finding.of(Severity.LOADERS, What.LOADERS)
                .subject(group.name())
                .count(group.count(), 0)
                .bytes(group.bytes())
                .because(
                    about(Part.METASPACE, last),
                    facts.since(List.of(Part.METASPACE, Part.CLASS_SPACE)),
                    // Only at the program's end does the JVM collect before they are counted.
                    accounts.all().getLast().atEnd() ? null : new Evidence.Uncollected())
                .advise(Advice.METASPACE));
      }
    }
  }

  /** Whether class loaders of one class are a finding, which tells of their metaspace. */
  static boolean areLoadersMany(Facts facts, Unclaimed unclaimed, RiseFindings rises) {
    Accounts accounts = facts.accounts();
    return accounts != null
        && accounts.last().loaders().stream()
            .anyMatch(new PartFindings(facts, accounts, unclaimed, rises)::areMany);
  }

  private boolean areMany(Account.Group group) {
    return group.count() >= Account.MANY_LOADERS
        && (facts.isMuch(group.bytes()) || (group.bytes() >= Facts.LEAST && hasDoubled(group)))
        && OTHERS.stream().noneMatch(group.name()::startsWith);
  }

  /**
   * Whether there are twice as many loaders of a class as at first. Each has more than metaspace:
   * code, and objects that its classes hold; so they need no tenth.
   */
  private boolean hasDoubled(Account.Group group) {
    return accounts.all().stream()
        .map(taken -> taken.account().loaders())
        .filter(loaders -> !loaders.isEmpty())
        .findFirst()
        .map(first -> 2 * loadersOf(first, group.name()) <= group.count())
        .orElse(false);
  }

  private static int loadersOf(List<Account.Group> loaders, String name) {
    return loaders.stream()
        .filter(one -> one.name().equals(name))
        .mapToInt(Account.Group::count)
        .sum();
  }

  private void pooled(Digest.Pool pool) {
    long idle = pool.committed() - pool.used();
    if (facts.isMuch(idle) && pool.used() < pool.committed() / 2) {
      findings.add(
          Finding.of(Severity.POOLED, What.IDLE_POOL)
              .subject(pool.pool())
              .count(0, pool.committed())
              .bytes(idle)
              .because(new Evidence.HandedOut(pool.handedOut()), facts.since(List.of(Part.POOLS)))
              .advise(Advice.LONG_LIVED));
    }
  }

  private void pooled(Digest.BufferPool pool) {
    List<Digest.Kind> buffers =
        facts.kinds().stream()
            .filter(kind -> Kinds.isCloseable(kind.kind()))
            .filter(kind -> pool.isOf(kind.kind().substring(Kinds.CLOSEABLE.length())))
            .toList();
    if (!Claims.isIdle(pool, facts) || buffers.stream().anyMatch(kind -> kind.lost() > 0)) {
      return; // buffers that are lost are a finding that says why it keeps so much
    }
    Integer site = facts.worst(one -> hasOpen(one, pool), Digest.Site::open);
    long open = buffers.stream().mapToLong(Digest.Kind::open).sum();
    findings.add(
        Finding.of(Severity.POOLED, What.IDLE_BUFFERS)
            .subject(pool.name())
            .site(site)
            .count(pool.chunks(), pool.kept())
            .bytes(pool.kept() - pool.used())
            .because(
                open == 0 ? null : new Evidence.Unreleased(open),
                site == null
                    ? null
                    : new Evidence.SampledAt(facts.sites().get(site).at(), isOnly(pool)))
            .advise(Advice.RELEASE_BUFFERS));
  }

  private boolean isOnly(Digest.BufferPool pool) {
    return facts.sites().stream().filter(site -> hasOpen(site, pool)).count() == 1;
  }

  private static boolean hasOpen(Digest.Site site, Digest.BufferPool pool) {
    return Kinds.isCloseable(site.kind())
        && pool.isOf(site.kind().substring(Kinds.CLOSEABLE.length()))
        && site.open() > 0
        && !site.frames().isEmpty();
  }

  /** Who has a part; null if that is not known. */
  static @Nullable Evidence about(Part part, Account account) {
    return switch (part) {
      case FILES -> files(account).isEmpty() ? null : new Evidence.Files(files(account));
      case STACKS -> names(account);
      case METASPACE -> loaders(account);
      default -> null;
    };
  }

  /** Without their folders, which are nobody else's business. */
  static List<Evidence.File> files(Account account) {
    return account.rows().stream()
        .filter(row -> row.part() == Part.FILES && !row.detail().isEmpty())
        .map(row -> new Evidence.File(name(row.file()), row.bytes(), row.isDeleted()))
        .toList();
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static @Nullable Evidence names(Account account) {
    List<Account.Group> most =
        account.threadNames().stream()
            .filter(group -> group.count() >= account.threads() / Facts.SHARE)
            .toList();
    return most.isEmpty()
        ? null
        : new Evidence.ThreadNames(most, account.threads() <= Account.MOST_NAMED_THREADS);
  }

  private static @Nullable Evidence loaders(Account account) {
    return account.loaders().stream()
        .filter(group -> OTHERS.stream().noneMatch(group.name()::startsWith))
        .max(Comparator.comparingLong(Account.Group::bytes))
        .map(Evidence.Loaders::new)
        .orElse(null);
  }

  /**
   * What objects have of the memory of classes; null if not more than a program loads at its start.
   * The larger of what the JVM says of as many loaders of a class, and of the rise of that memory:
   * some loaders were there before, and others have loaders below them.
   *
   * @param loaders the number of class loaders; 0 if the objects are not class loaders
   */
  static Unclaimed.@Nullable Share metaspace(Facts facts, long loaders) {
    long bytes =
        Math.max(
            loaders > 0 && facts.accounts() != null
                ? ofLoaders(facts.accounts().last().loaders(), loaders)
                : 0,
            facts.rise(List.of(Part.METASPACE, Part.CLASS_SPACE)));
    return bytes < LEAST_METASPACE
        ? null
        : Unclaimed.Share.of(Unclaimed.Source.KIND, "metaspace", bytes);
  }

  /** Of a class that has at most twice as many: their share of what these have. */
  private static long ofLoaders(List<Account.Group> groups, long open) {
    return groups.stream()
        .filter(group -> group.count() >= open && group.count() <= 2 * open)
        .mapToLong(group -> group.bytes() * open / group.count())
        .max()
        .orElse(0);
  }
}
