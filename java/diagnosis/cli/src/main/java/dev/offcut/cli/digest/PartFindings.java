package dev.offcut.cli.digest;

import static dev.offcut.cli.digest.Figures.bytes;
import static dev.offcut.cli.digest.Figures.count;
import static dev.offcut.cli.digest.Figures.seconds;

import dev.offcut.account.Account;
import dev.offcut.account.Descriptors;
import dev.offcut.account.Part;
import dev.offcut.cli.digest.Accounts.Taken;
import dev.offcut.closeables.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What accounts of resident memory tell that no counter of a kind does: files that are mapped,
 * threads, class loaders, file descriptors, pools that are nearly empty, and malloc. A finding
 * needs 16 MiB and a tenth of what is resident, or growth; docs/design/run.md says why.
 */
final class PartFindings {
  static final long LEAST = 16L << 20;
  static final int SHARE = 10;

  /**
   * Fewer are a server whose pool is full, and the JVM's own: Tomcat's, Jetty's and Undertow's
   * pools have up to 200 unless they are told otherwise, and fill up while load rises.
   */
  private static final int FEWEST_THREADS = 250;

  /** So many more than at the beginning, and still rising, are a finding whatever they have. */
  private static final int MANY_MORE = 100;

  /** Only at the program's end does the JVM collect before they are counted. */
  private static final String UNCOLLECTED =
      " Loaders that nothing refers to are among them until a garbage collection unloads their"
          + " classes; `jcmd PID GC.run` runs one.";

  /** What the JVM has of malloc for itself, beside what follows. */
  private static final long JVM_MALLOC = 12L << 20;

  /** Bytes of malloc for each byte of metaspace and compiled code: symbols, tables, compilers. */
  private static final double FOR_CLASSES = 0.35;

  /** … and for each thread. */
  private static final long FOR_A_THREAD = 10L << 10;

  /** So many that were freed late may have had what malloc keeps. */
  private static final int FEWEST_LATE = 100;

  private static final int MOST_NAMES = 3;
  private static final List<String> OF_THE_JDK = List.of("jdk.internal.", "<boot");

  private final List<Digest.Finding> findings = new ArrayList<>();
  private final Digest.Memory memory;
  private final Accounts accounts;
  private final Account last;
  private final List<Digest.Kind> kinds;
  private final List<Digest.Closeable> closeables;

  /** What only Go programs have. */
  private static final Set<Part> OF_GO =
      EnumSet.of(Part.GO_OBJECTS, Part.GO_FREE, Part.GO_STACKS, Part.GO_HEAP, Part.GO_RUNTIME);

  private final List<Digest.Site> sites;
  private final Unclaimed unclaimed;

  /** Null if they are not known. */
  private final @Nullable NativeCallers callers;

  private PartFindings(
      Digest.Memory memory,
      Accounts accounts,
      List<Digest.Kind> kinds,
      List<Digest.Closeable> closeables,
      List<Digest.Site> sites,
      Unclaimed unclaimed,
      @Nullable NativeCallers callers) {
    this.closeables = closeables;
    this.unclaimed = unclaimed;
    this.callers = callers;
    this.memory = memory;
    this.accounts = accounts;
    this.last = accounts.last();
    this.kinds = kinds;
    this.sites = sites;
  }

  /** All of them, in any order. */
  static List<Digest.Finding> of(
      Digest.Memory memory,
      Accounts accounts,
      List<Digest.Kind> kinds,
      List<Digest.Closeable> closeables,
      List<Digest.Site> sites,
      List<Digest.Pool> pools,
      List<Digest.BufferPool> bufferPools,
      Unclaimed unclaimed,
      @Nullable NativeCallers callers) {
    PartFindings all =
        new PartFindings(memory, accounts, kinds, closeables, sites, unclaimed, callers);
    all.mapped();
    all.threads();
    all.loaders();
    all.descriptors();
    pools.forEach(all::pooled);
    bufferPools.forEach(all::pooled);
    all.unwatched();
    all.allocators();
    all.kept();
    return all.findings;
  }

  /**
   * What nobody watched the taking of, and who most likely has it. {@code seconds}: how long the
   * program ran. {@code byRule}: whether the agent used the built-in rules.
   */
  static Unclaimed unclaimed(
      Digest.Memory memory,
      @Nullable Accounts accounts,
      List<Digest.Kind> kinds,
      List<Digest.Closeable> closeables,
      List<Digest.Site> sites,
      List<Digest.BufferPool> pools,
      double seconds,
      boolean byRule,
      @Nullable NativeCallers callers) {
    Unclaimed unclaimed = new Unclaimed(byRule || !closeables.isEmpty());
    if (callers != null) {
      unclaimed.sampled(callers, kinds, sites, closeables, bytes -> isMuch(bytes, memory));
    }
    if (accounts != null) {
      new PartFindings(memory, accounts, kinds, closeables, sites, unclaimed, callers)
          .claim(seconds);
    }
    for (Digest.Kind kind : kinds) {
      if (!Kinds.isCloseable(kind.kind())
          && !Kinds.isEstimated(kind.kind())
          && isMuch(kind.bytes() + kind.lostBytes(), memory)) {
        String pool = pool(kind, closeables, sites);
        if (closeables.stream().anyMatch(one -> one.holds().equals(kind.kind()))) {
          unclaimed.kind(kind);
        } else if (!pool.isEmpty()) {
          ofPool(kind, pool, pools, kinds, memory, unclaimed);
        }
      }
    }
    unclaimed.divide(kinds, closeables);
    return unclaimed;
  }

  /**
   * Memory that the pool of a library has. If it is known how much of it is in use, and that is not
   * much, the finding is about the pool. Objects that are lost are told of in any case.
   */
  private static void ofPool(
      Digest.Kind kind,
      String library,
      List<Digest.BufferPool> pools,
      List<Digest.Kind> kinds,
      Digest.Memory memory,
      Unclaimed unclaimed) {
    List<Digest.BufferPool> its =
        pools.stream().filter(pool -> pool.type().startsWith(library)).toList();
    long used = its.stream().mapToLong(Digest.BufferPool::used).sum();
    if (its.isEmpty() || its.stream().anyMatch(pool -> pool.used() < 0)) {
      unclaimed.pool(kind, library);
      return;
    }
    boolean isLost =
        kinds.stream()
            .anyMatch(one -> one.lost() > 0 && one.kind().startsWith(Kinds.CLOSEABLE + library));
    if (isMuch(used, memory) || isLost) {
      long kept = its.stream().mapToLong(Digest.BufferPool::kept).sum();
      unclaimed.pool(kind, library, used, kept, isLost);
    }
    if (its.stream().anyMatch(pool -> isIdle(pool, memory))) {
      unclaimed.tell(kind.kind());
    }
  }

  /** Whether more than half of what it keeps is in no buffer, and that is much. */
  private static boolean isIdle(Digest.BufferPool pool, Digest.Memory memory) {
    return pool.used() >= 0
        && pool.used() < pool.kept() / 2
        && isMuch(pool.kept() - pool.used(), memory);
  }

  private void claim(double seconds) {
    allocatorRows().forEach(row -> unclaimed.allocator(row.detail(), row.bytes()));
    long malloc = unwatchedBytes();
    if (isMuch(malloc)) {
      unclaimed.malloc(malloc);
    }
    long files = last.bytes(Part.FILES);
    if (isMuch(files) && !isGrowing(Part.FILES)) {
      unclaimed.files(files, about(Part.FILES, last), kinds);
    }
    long kept = last.bytes(Part.MALLOC_TRIMMABLE);
    if (isMuch(kept)) {
      Digest.Kind late = freedLate(kept, seconds);
      if (late != null) {
        unclaimed.kept(late.kind(), kept);
      }
    }
  }

  /**
   * What most likely had the memory that malloc keeps, if it was freed late: a kind that had as
   * much at its peak; if no kind had, that of the closeables in malloc of which most were late.
   */
  private Digest.@Nullable Kind freedLate(long kept, double seconds) {
    Digest.Kind fallen = fallen(kept);
    if (fallen != null) {
      return Findings.isLate(fallen, null, seconds) ? fallen : null;
    }
    Digest.Kind most = null;
    for (Digest.Closeable one : closeables) {
      Digest.Kind kind = kind(one.kind());
      if (kind != null
          && one.holds().equals(Rule.MALLOC)
          && kind.collected() >= FEWEST_LATE
          && Findings.isLate(kind, one, seconds)
          && (most == null || kind.collected() > most.collected())) {
        most = kind;
      }
    }
    return most;
  }

  private Digest.@Nullable Kind kind(String name) {
    return kinds.stream().filter(kind -> kind.kind().equals(name)).findFirst().orElse(null);
  }

  /** The package of the library whose pool has most of a kind; empty if none has. */
  private static String pool(
      Digest.Kind kind, List<Digest.Closeable> closeables, List<Digest.Site> sites) {
    for (Digest.Closeable one : closeables) {
      String type = one.kind().substring(Kinds.CLOSEABLE.length());
      String library = type.substring(0, type.lastIndexOf('.') + 1);
      if (one.holds().equals(Rule.POOL) && !library.isEmpty()) {
        long bytes =
            sites.stream()
                .filter(site -> site.kind().equals(kind.kind()))
                .filter(site -> site.frames().stream().anyMatch(at -> at.startsWith(library)))
                .mapToLong(site -> site.bytes() + site.lostBytes())
                .sum();
        if (bytes > (kind.bytes() + kind.lostBytes()) / 2) {
          return library;
        }
      }
    }
    return "";
  }

  private static boolean isMuch(long bytes, Digest.Memory memory) {
    return bytes >= LEAST && bytes >= memory.resident() / SHARE;
  }

  private boolean isMuch(long bytes) {
    return isMuch(bytes, memory);
  }

  private boolean isGrowing(Part part) {
    return memory.growing().stream().anyMatch(growth -> growth.part().equals(part.title()));
  }

  private void add(Digest.Severity severity, String title, String text, long bytes) {
    findings.add(new Digest.Finding(severity, title, text, null, null, List.of(), bytes));
  }

  /** What grows is a finding that says the same, and more. */
  private void mapped() {
    long bytes = last.bytes(Part.FILES);
    if (isMuch(bytes) && !isGrowing(Part.FILES) && !unclaimed.isTold(Unclaimed.FILES)) {
      add(
          Digest.Severity.MAPPED,
          bytes(bytes) + " of mapped files are resident",
          about(Part.FILES, last).strip()
              + arenas()
              + since(List.of(Part.FILES))
              + " When memory is short, the system drops pages of files that were not changed."
              + todo(Part.FILES),
          bytes);
    }
  }

  /** Who may have mapped them; a sentence with a blank before it, or empty. */
  private String arenas() {
    return kinds.stream()
        .filter(kind -> kind.kind().startsWith("arena.") && kind.open() > 0 && kind.bytes() == 0)
        .max(Order.byLong(Digest.Kind::open))
        .map(
            kind ->
                " "
                    + count(kind.open())
                    + " "
                    + Kinds.words(kind.kind(), kind.open())
                    + (kind.open() == 1 ? " is" : " are")
                    + " open without bytes of "
                    + (kind.open() == 1
                        ? "its own, so files may be mapped into it"
                        : "their own, so files may be mapped into them")
                    + place(kind)
                    + ".")
        .orElse("");
  }

  private void threads() {
    Digest.Growth growth = GrowthRates.ofThreads(accounts, MANY_MORE);
    long bytes = last.bytes(Part.STACKS);
    if (last.threads() < FEWEST_THREADS
        || isGrowing(Part.STACKS)
        || (growth == null && !isMuch(bytes))) {
      return;
    }
    add(
        Digest.Severity.THREADS,
        count(last.threads(), "thread") + " have " + bytes(bytes) + " of stacks",
        about(Part.STACKS, last).strip()
            + (growth == null
                ? since(List.of(Part.STACKS))
                : " There are "
                    + count(growth.bytes())
                    + " more than "
                    + seconds(growth.seconds())
                    + " before, a rise of "
                    + count(growth.rate())
                    + " a minute.")
            + executors()
            + todo(Part.STACKS),
        bytes);
  }

  /** Who holds threads; a sentence with a blank before it, or empty. */
  private String executors() {
    Digest.Kind most = null;
    for (Digest.Closeable one : closeables) {
      Digest.Kind kind = kind(one.kind());
      if (kind != null
          && one.holds().equals(Rule.THREAD)
          && kind.open() >= last.threads() / SHARE
          && (most == null || kind.open() > most.open())) {
        most = kind;
      }
    }
    return most == null
        ? ""
        : " "
            + count(most.open())
            + " "
            + Kinds.words(most.kind(), most.open())
            + " are open"
            + place(most)
            + ".";
  }

  /** Near their limit, or more and more. Whoever has too many cannot open any more. */
  private void descriptors() {
    Descriptors its = last.descriptors();
    boolean isNearLimit = its.limit() > 0 && its.open() >= its.limit() / 2;
    Digest.Growth growth = GrowthRates.ofDescriptors(accounts, MANY_MORE);
    if (!isNearLimit && growth == null) {
      return;
    }
    add(
        Digest.Severity.DESCRIPTORS,
        count(its.open(), "file descriptor")
            + (its.open() == 1 ? " is open" : " are open")
            + (its.limit() > 0 ? "; the limit is " + count(its.limit()) : ""),
        "Of them: "
            + its.kinds().stream()
                .map(kind -> count(kind.count()) + " " + kindOf(kind))
                .collect(Collectors.joining(", "))
            + "."
            + openFiles(its)
            + (growth == null ? "" : rise(growth, its))
            + Findings.TO_DO
            + "close files, sockets and channels after their last use, for example with"
            + " try-with-resources.",
        0);
  }

  private static String kindOf(Account.Group kind) {
    return kind.name().equals("other") || kind.count() == 1 ? kind.name() : kind.name() + "s";
  }

  /** Without their folders, as those of mapped files. */
  private static String openFiles(Descriptors its) {
    return its.files().stream()
        .filter(file -> file.count() >= its.open() / SHARE)
        .map(file -> name(file.name()) + " (" + count(file.count()) + " times)")
        .reduce((one, other) -> one + ", " + other)
        .map(files -> " Files that are open several times: " + files + ".")
        .orElse("");
  }

  private static String rise(Digest.Growth growth, Descriptors its) {
    String rise =
        " There are "
            + count(growth.bytes())
            + " more than "
            + seconds(growth.seconds())
            + " before, a rise of "
            + count(growth.rate())
            + " a minute.";
    long left = its.limit() - its.open();
    return its.limit() == 0 || left <= 0
        ? rise
        : rise
            + " At that rate the limit is reached in "
            + seconds(60.0 * left / Math.max(1, growth.rate()))
            + ", and then the program cannot open anything.";
  }

  private void loaders() {
    for (Account.Group group : last.loaders()) {
      if (group.count() >= Account.MANY_LOADERS
          && (isMuch(group.bytes()) || (group.bytes() >= LEAST && hasDoubled(group)))
          && !isGrowing(Part.METASPACE)
          && OF_THE_JDK.stream().noneMatch(group.name()::startsWith)) {
        add(
            Digest.Severity.LOADERS,
            count(group.count())
                + " class loaders of the class "
                + group.name()
                + " hold "
                + bytes(group.bytes())
                + " of metaspace",
            about(Part.METASPACE, last).strip()
                + since(List.of(Part.METASPACE, Part.CLASS_SPACE))
                + (accounts.all().getLast().atEnd() ? "" : UNCOLLECTED)
                + todo(Part.METASPACE),
            group.bytes());
      }
    }
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
    if (isMuch(idle) && pool.used() < pool.committed() / 2) {
      add(
          Digest.Severity.POOLED,
          "pool "
              + pool.pool()
              + " holds "
              + bytes(pool.committed())
              + ", "
              + bytes(pool.used())
              + " of it in use",
          "Its owners hold chunks of "
              + bytes(pool.handedOut())
              + ". Without a trim, memory goes back to the system in whole granules (64 KiB by"
              + " default), so one small block keeps a granule."
              + since(List.of(Part.POOLS))
              + Findings.TO_DO
              + "give long-lived blocks an arena or a pool of their own. MemoryPool.trim() also"
              + " returns free pages within granules.",
          idle);
    }
  }

  private void pooled(Digest.BufferPool pool) {
    List<Digest.Kind> buffers =
        kinds.stream()
            .filter(kind -> Kinds.isCloseable(kind.kind()))
            .filter(kind -> pool.isOf(kind.kind().substring(Kinds.CLOSEABLE.length())))
            .toList();
    if (!isIdle(pool, memory) || buffers.stream().anyMatch(kind -> kind.lost() > 0)) {
      return; // buffers that are lost are a finding that says why it keeps so much
    }
    Integer site = mostOpen(pool);
    long open = buffers.stream().mapToLong(Digest.Kind::open).sum();
    findings.add(
        new Digest.Finding(
            Digest.Severity.POOLED,
            pool.name()
                + " keeps "
                + pool.inChunks()
                + ", "
                + bytes(pool.used())
                + " of it in buffers in use",
            "Netty frees a chunk only if no part of it is in use or in a thread's cache."
                + (open == 0
                    ? ""
                    : " " + count(open, "buffer") + (open == 1 ? " is" : " are") + " not released.")
                + (site == null
                    ? ""
                    : (isOnly(pool) ? " All" : " Most")
                        + " of those sampled were allocated at "
                        + sites.get(site).frames().get(KnownLibraries.own(sites.get(site).frames()))
                        + ".")
                + Findings.TO_DO
                + "release buffers early, and copy what is kept for long into unpooled buffers.",
            null,
            site,
            List.of(),
            pool.kept() - pool.used()));
  }

  /** Of the sites that have buffers of a pool the one with most; null if none is known. */
  private @Nullable Integer mostOpen(Digest.BufferPool pool) {
    Integer most = null;
    for (int i = 0; i < sites.size(); i++) {
      if (hasOpen(sites.get(i), pool)
          && (most == null || sites.get(i).open() > sites.get(most).open())) {
        most = i;
      }
    }
    return most;
  }

  private boolean isOnly(Digest.BufferPool pool) {
    return sites.stream().filter(site -> hasOpen(site, pool)).count() == 1;
  }

  private static boolean hasOpen(Digest.Site site, Digest.BufferPool pool) {
    return Kinds.isCloseable(site.kind())
        && pool.isOf(site.kind().substring(Kinds.CLOSEABLE.length()))
        && site.open() > 0
        && !site.frames().isEmpty();
  }

  /** What malloc has in use, less what is watched and what a JVM of this size has itself. */
  private void unwatched() {
    long unknown = unwatchedBytes();
    if (isMuch(unknown) && !isGrowing(Part.MALLOC_USED) && !unclaimed.isTold(Rule.MALLOC)) {
      add(
          Digest.Severity.OPEN,
          "about " + bytes(unknown) + " of malloc memory in use, taken by code that is not tracked",
          (isGo(last)
                  ? GoTexts.C_MEMORY
                  : callers == null
                      ? "Native libraries allocate such memory for the Java objects that wrap them. NIO"
                          + " allocates it when a thread reads into or writes from a heap buffer;"
                          + " -Djdk.nio.maxCachedBufferSize limits that part. "
                      : "The profiler of --native did not see it: it was allocated before the profiler"
                          + " began, or by calls of malloc that the profiler does not see. ")
              + (isGo(last)
                  ? ""
                  : last.bytes(Part.MALLOC_JVM) > 0
                      ? "The JVM's own part is not included."
                      : "The JVM's own part is not known; "
                          + bytes(ownMalloc(last))
                          + ", usual for a JVM of this size, were subtracted for it.")
              + unclaimed.suspects(Rule.MALLOC)
              + since(List.of(Part.MALLOC_USED))
              + (isGo(last)
                  ? Findings.TO_DO + GoTexts.todo(Part.MALLOC_USED)
                  : callers == null ? todo(Part.MALLOC_USED, unclaimed.mallocAdvice()) : ""),
          unknown);
    }
  }

  private long unwatchedBytes() {
    return last.bytes(Part.MALLOC_USED) - explained();
  }

  /** What of malloc is watched, or the JVM's own, or known by its callers. */
  private long explained() {
    long own = ownMalloc(last);
    if (callers != null) {
      own = Math.max(own, own == 0 ? 0 : callers.jvm()) + callers.ofProfiler() + callers.used();
    }
    return own
        + kinds.stream()
            .filter(kind -> Kinds.isInMalloc(kind.kind()) && !Kinds.isEstimated(kind.kind()))
            .mapToLong(kind -> kind.bytes() + kind.lostBytes())
            .sum();
  }

  /** Other allocators that have much, less what they have in the place of malloc. */
  private List<Account.Row> allocatorRows() {
    long instead = Math.max(0, explained() - last.bytes(Part.MALLOC_USED));
    return last.rows().stream()
        .filter(row -> isAllocator(row.part()) && isMuch(row.bytes() - instead))
        .map(row -> new Account.Row(row.part(), row.detail(), row.bytes() - instead))
        .toList();
  }

  private static boolean isAllocator(Part part) {
    return part == Part.ALLOCATOR || part == Part.ALLOCATOR_UNREAD;
  }

  private void allocators() {
    boolean isInstead = explained() > last.bytes(Part.MALLOC_USED);
    for (Account.Row row : allocatorRows()) {
      boolean isRead = row.part() == Part.ALLOCATOR;
      if (!isGrowing(row.part()) && !unclaimed.isTold(row.detail())) {
        add(
            Digest.Severity.OPEN,
            (isInstead ? "about " : "")
                + bytes(row.bytes())
                + (isRead ? " belong to " : " may belong to ")
                + row.detail(),
            (isRead
                    ? "The allocator's own tables say so."
                    : "A native library contains this allocator, whose tables could not be read, and"
                        + " nothing else claims the memory.")
                + " It is not known which code uses it, and how much of it is free."
                + unclaimed.suspects(row.detail())
                + since(List.of(row.part()))
                + Findings.TO_DO
                + unclaimed.advice()
                + "close that library's objects after their last use. The library may have"
                + " statistics of its own.",
            row.bytes());
      }
    }
  }

  /** By what classes, code and threads there are; measured in docs/design/run.md. */
  private static long ownMalloc(Account account) {
    if (account.bytes(Part.MALLOC_JVM) > 0 || isGo(account)) {
      return 0; // a part of its own, or there is none
    }
    long classes =
        account.bytes(Part.METASPACE)
            + account.bytes(Part.CLASS_SPACE)
            + account.bytes(Part.CODE_CACHE);
    return JVM_MALLOC
        + Math.round(FOR_CLASSES * (double) classes)
        + FOR_A_THREAD * account.threads();
  }

  /** Whether it is of a Go program. */
  static boolean isGo(Account account) {
    return account.rows().stream().anyMatch(row -> OF_GO.contains(row.part()));
  }

  private void kept() {
    long kept = last.bytes(Part.MALLOC_TRIMMABLE);
    if (isMuch(kept) && !unclaimed.isTold(Unclaimed.KEPT)) {
      add(
          Digest.Severity.KEPT,
          bytes(kept) + " of free memory that malloc keeps",
          "The program freed this memory, but malloc did not give it back to the system."
              + freed(kept)
              + since(List.of(Part.MALLOC_TRIMMABLE))
              + Findings.TO_DO
              + (isGo(last)
                  ? "malloc_trim(0), called by cgo, returns it at once."
                  : "`jcmd PID System.trim_native_heap` returns it at once."),
          kept);
    }
  }

  /**
   * Who most likely freed what malloc keeps: a kind that had at least half as much more at its peak
   * than it has now. A sentence with a blank before it, or empty.
   */
  private String freed(long kept) {
    Digest.Kind kind = fallen(kept);
    return kind == null
        ? ""
        : " At their peak "
            + Kinds.words(kind.kind(), 2)
            + " had "
            + bytes(kind.peakBytes())
            + place(kind)
            + ".";
  }

  private Digest.@Nullable Kind fallen(long kept) {
    return kinds.stream()
        .filter(kind -> Kinds.isInMalloc(kind.kind()) && fallen(kind) >= kept / 2)
        .max(Order.byLong(PartFindings::fallen))
        .orElse(null);
  }

  private static long fallen(Digest.Kind kind) {
    return kind.peakBytes() - kind.bytes() - kind.lostBytes();
  }

  /** Where most of a kind were opened; empty if no place has more than half. */
  private String place(Digest.Kind kind) {
    return sites.stream()
        .filter(site -> site.kind().equals(kind.kind()) && !site.frames().isEmpty())
        .filter(site -> site.opened() > kind.opened() / 2)
        .findFirst()
        .map(
            site ->
                (kind.opened() == 1 ? "; it was opened at " : "; most were opened at ")
                    + site.frames().get(KnownLibraries.own(site.frames())))
        .orElse("");
  }

  /** Who has a part; a sentence with a blank before it, or empty. */
  static String about(Part part, Account account) {
    return switch (part) {
      case FILES -> files(account);
      case STACKS -> names(account);
      case METASPACE -> loaders(account);
      default -> "";
    };
  }

  /** Without their folders, which are nobody else's business. */
  private static String files(Account account) {
    List<Account.Row> rows =
        account.rows().stream()
            .filter(row -> row.part() == Part.FILES && !row.detail().isEmpty())
            .toList();
    return rows.isEmpty()
        ? ""
        : " "
            + (rows.size() == 1 ? "The largest is " : "The largest are ")
            + rows.stream()
                .limit(MOST_NAMES)
                .map(row -> name(row.file()) + " (" + bytes(row.bytes()) + ")")
                .collect(Collectors.joining(", "))
            + (rows.size() > MOST_NAMES
                ? "; " + count(rows.size() - MOST_NAMES) + " more files have at least 1 MiB."
                : ".")
            + deleted(rows);
  }

  /** Nobody can open them any more: a sentence with a blank before it, or empty. */
  private static String deleted(List<Account.Row> rows) {
    List<Account.Row> deleted = rows.stream().filter(Account.Row::isDeleted).toList();
    long bytes = deleted.stream().mapToLong(Account.Row::bytes).sum();
    return deleted.isEmpty()
        ? ""
        : " "
            + count(deleted.size())
            + (deleted.size() == 1
                ? " of these files was deleted and is still mapped: "
                : " of these files were deleted and are still mapped: ")
            + bytes(bytes)
            + ". Their room on the disk is not free either.";
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static String names(Account account) {
    return account.threadNames().stream()
            .noneMatch(group -> group.count() >= account.threads() / SHARE)
        ? ""
        : " Most are called "
            + account.threadNames().stream()
                .filter(group -> group.count() >= account.threads() / SHARE)
                .limit(MOST_NAMES)
                .map(group -> group.name() + " (" + estimated(account, group) + ")")
                .collect(Collectors.joining(", "))
            + "; numbers in names are left out.";
  }

  private static String estimated(Account account, Account.Group group) {
    boolean isExact = account.threads() <= Account.MOST_NAMED_THREADS;
    return (isExact ? "" : "about ") + count(group.count());
  }

  private static String loaders(Account account) {
    return account.loaders().stream()
        .filter(group -> OF_THE_JDK.stream().noneMatch(group.name()::startsWith))
        .max(Order.byLong(Account.Group::bytes))
        .map(
            group ->
                " "
                    + count(group.count(), "class loader")
                    + " of the class "
                    + group.name()
                    + (group.count() == 1 ? " holds " : " hold ")
                    + bytes(group.bytes())
                    + ".")
        .orElse("");
  }

  /** What to do about a part; a sentence with a blank before it. */
  private static String todo(Part part) {
    return todo(part, "");
  }

  /** {@code first}: what to try before it, the begin of the sentence. */
  static String todo(Part part, String first) {
    return Findings.TO_DO
        + first
        + switch (part) {
          case FILES -> "unmap files after their last use: close the arena, or drop the buffers.";
          case STACKS -> "let threads end, or use a thread pool with a limit.";
          case METASPACE ->
              "find in a heap dump what refers to one of the loaders: for example a thread, a"
                  + " thread-local, or a static field of a class of another loader.";
          case MALLOC_USED, MALLOC_UNREAD ->
              "close objects of native libraries after their last use."
                  + " -XX:NativeMemoryTracking=summary shows the JVM's own part.";
          default ->
              "look at lost and open resources. If they do not explain it, a native library holds the"
                  + " memory.";
        };
  }

  /** How old the half of it is, if there is more than one account. */
  private String since(List<Part> parts) {
    long half = GrowthRates.bytes(last, parts) / 2;
    Taken earliest = accounts.all().getLast();
    for (int i = accounts.all().size() - 1; i >= 0; i--) {
      Taken taken = accounts.all().get(i);
      if (GrowthRates.bytes(taken.account(), parts) < half) {
        break;
      }
      earliest = taken;
    }
    Duration age = Duration.between(earliest.time(), accounts.all().getLast().time());
    return age.toSeconds() < 1
        ? ""
        : " Half of it has been there for " + seconds(age.toMillis() / 1000.0) + " or longer.";
  }
}
