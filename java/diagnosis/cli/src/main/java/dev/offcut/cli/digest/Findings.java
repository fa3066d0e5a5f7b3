package dev.offcut.cli.digest;

import static dev.offcut.cli.digest.Figures.bytes;
import static dev.offcut.cli.digest.Figures.count;
import static dev.offcut.cli.digest.Figures.percent;
import static dev.offcut.cli.digest.Figures.seconds;

import dev.offcut.account.Account;
import dev.offcut.account.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is to be acted on, in sentences: what has most bytes first, then what costs, then what is
 * good to know.
 */
final class Findings {
  /** Fewer that the collector freed are nobody's concern: each program has some. */
  private static final long FEWEST_LATE = 10;

  /** So many automatic arenas, and so many a second, are a flood: each waits for a collection. */
  private static final long FLOOD = 10_000;

  private static final double FLOOD_A_SECOND = 100;

  /** One in so many opened, or more. */
  private static final long LATE_SHARE = 100;

  /** A class with fewer objects costs nothing that can be measured. */
  private static final long FEWEST_FINALIZERS = 1_000;

  /** So many bytes stand for an object whose bytes are not known, when findings are sorted. */
  private static final long NOMINAL = 16L << 10;

  static final String ARENAS = "arenas";
  static final String BUFFERS = "direct buffers";

  /** Ends what is counted by rule, among what is counted. */
  static final String TO_BE_CLOSED = " that the program must close";

  private static final String BLOCKS = "blocks of Unsafe and JNA";
  private static final String CLEANED = "objects with a Cleaner";
  private static final String LIBRARIES = "handles and pools of Offcut";

  private static final List<String> WATCHED = List.of(ARENAS, BUFFERS, BLOCKS, CLEANED, LIBRARIES);

  /** What the agent must have rewritten for each of these, in its words. */
  private static final Map<String, List<String>> PATCHED =
      Map.of(
          ARENAS,
          List.of("arenas"),
          BUFFERS,
          List.of("direct buffers"),
          BLOCKS,
          List.of("Unsafe", "JNA's Memory"),
          CLEANED,
          List.of("cleaners"));

  private static final String MALLOC = "malloc memory of native libraries";

  /** Accounts contain mapped files, but nobody counts who mapped them. */
  private static final String MAPPED = "buffers of mapped files (`FileChannel.map`)";

  /** What nobody counts in a program without the agent. */
  static final List<String> UNWATCHED_WITHOUT_AGENT =
      List.of(
          ARENAS, BUFFERS, BLOCKS, CLEANED, MALLOC, MAPPED, "objects that the program must close");

  /** With the callers of malloc: what native libraries hold is known, by samples, but not more. */
  private static final List<String> UNSAMPLED =
      List.of("whether a native block is lost", "memory of allocators that native libraries bring");

  /** What stands before what to do. */
  static final String TO_DO = " To do: ";

  static final String NOT_STARTED = "The program did not start";

  static final String ENDED = "The program ended with exit code ";
  private static final String COVERED = "This report covers what it did until then.";

  private static final String UNTOLD =
      "The counts are those that it published last, mostly less than a second before. Resources"
          + " that it closed later, or would have closed at its end, count as open.";

  /** What ends with a signal has 128 and its number. */
  private static final int ABORTED = 134;

  private static final int PANICKED = 2;

  private static final int FIRST_WITH_ARENAS = 22;

  private static final int BUS = 135;
  private static final int KILLED = 137;
  private static final int FAULT = 139;

  private static final long LEAST_WASTE = 16L << 20;
  private static final long LEAST_UNEXPLAINED = 64L << 20;

  private final List<Digest.Site> sites;
  private final List<Digest.Filled> filled;
  private final Map<String, Digest.Closeable> closeables = new HashMap<>();
  private final Unclaimed unclaimed;
  private final String level;
  private final double seconds;
  private final boolean isGo;
  private final boolean complete;
  private final List<Digest.Finding> findings = new ArrayList<>();

  /** What findings whose bytes are not known count as, when they are sorted: by title. */
  private final Map<String, Long> weights = new HashMap<>();

  /** {@code complete}: whether no more sites will come. */
  Findings(
      List<Digest.Site> sites,
      List<Digest.Filled> filled,
      List<Digest.Closeable> closeables,
      Unclaimed unclaimed,
      Digest.Target target,
      boolean complete) {
    closeables.forEach(one -> this.closeables.put(one.kind(), one));
    this.unclaimed = unclaimed;
    this.sites = sites;
    this.filled = filled;
    this.level = target.level();
    this.seconds = target.seconds();
    this.isGo = target.isGo();
    this.complete = complete;
  }

  /**
   * What is counted, one by one.
   *
   * @param libraries those whose objects are counted by rule
   * @param patched what the agent rewrites; empty if it did not say
   */
  static List<String> watched(
      List<String> libraries, List<String> patched, @Nullable NativeCallers callers) {
    List<String> all = new ArrayList<>(WATCHED);
    all.removeIf(one -> isLeftOut(one, patched));
    if (callers != null) {
      all.add(MALLOC + ", by samples");
    }
    if (!libraries.isEmpty()) {
      all.add("objects of " + listed(libraries) + TO_BE_CLOSED);
    }
    return all;
  }

  /** The same of a program without the agent: what Offcut's libraries count in it. */
  static List<String> watchedByLibraries(List<Digest.Handles> handles, List<Digest.Pool> pools) {
    return handles.isEmpty() && pools.isEmpty() ? List.of() : List.of(LIBRARIES);
  }

  /** Whether all or a part of it was switched off, or is not tracked here. */
  private static boolean isLeftOut(String watched, List<String> patched) {
    return !patched.isEmpty() && !patched.containsAll(PATCHED.getOrDefault(watched, List.of()));
  }

  /**
   * What is counted by default and was not: switched off, or this JDK's classes are not as they are
   * known. Before JDK 22 there are no arenas, but as a preview.
   *
   * @param feature the version of the JDK; 0 if it is not known
   */
  static List<String> untracked(List<String> patched, int feature) {
    return WATCHED.stream()
        .filter(one -> isLeftOut(one, patched))
        .filter(one -> !one.equals(ARENAS) || feature >= FIRST_WITH_ARENAS)
        .map(one -> one + " are not tracked in this program")
        .toList();
  }

  private static String listed(List<String> names) {
    return names.size() == 1
        ? names.getFirst()
        : String.join(", ", names.subList(0, names.size() - 1)) + " and " + names.getLast();
  }

  /** What nobody counts. {@code rules}: which of them the agent used; {@code patched}: as above. */
  static List<String> unwatched(
      Closeables classes, String rules, List<String> patched, @Nullable NativeCallers callers) {
    List<String> all = new ArrayList<>();
    for (String one : WATCHED) {
      if (isLeftOut(one, patched)) {
        all.add(one + " (switched off, or not tracked on this JDK)");
      }
    }
    if (callers != null) {
      all.addAll(UNSAMPLED);
    } else {
      all.add(MALLOC);
    }
    all.add(MAPPED);
    boolean byDefault = rules.equals("default") || rules.equals("file");
    if (byDefault) {
      all.add(
          "objects of the classes "
              + listed(Closeables.onRequest())
              + " (`--rules on` counts them, too)");
    }
    boolean on = classes.isOn() || byDefault || rules.equals("on");
    all.add(
        on
            ? "objects of other classes that the program must close, also of these libraries"
                + " (`--watch CLASS` tracks a class, `offcut rules` lists the rules)"
            : "objects that the program must close and that have no Cleaner");
    return all;
  }

  /**
   * What has most bytes first; of equals the worst, then in the order in which they were found.
   * Costs and notes come last: nothing is held. Objects whose bytes are not known are many or few.
   *
   * @param holders told in those about what is open; null if nobody asked
   */
  List<Digest.Finding> all(@Nullable Holders holders) {
    return findings.stream()
        .sorted(
            Order.by((Digest.Finding one) -> isHeld(one) ? 0 : 1)
                .thenComparing(one -> isHeld(one) ? -weight(one) : 0)
                .thenComparing(Digest.Finding::severity))
        .map(one -> holders == null ? one : one.with(holders))
        .toList();
  }

  private long weight(Digest.Finding finding) {
    return Math.max(finding.bytes(), weights.getOrDefault(finding.title(), 0L));
  }

  private static boolean isHeld(Digest.Finding finding) {
    return finding.severity().compareTo(Digest.Severity.COST) < 0;
  }

  /** {@code reason}: why the program's main method was never called; or empty. */
  void startFailure(String reason) {
    if (!reason.isEmpty()) {
      add(
          Digest.Severity.NOTE,
          NOT_STARTED,
          reason + ". Nothing is known about its native memory.",
          null,
          null);
    }
  }

  /** How the program ended, if that was early: what is not found it may not have come to. */
  List<String> limits() {
    return findings.stream()
        .map(Digest.Finding::title)
        .filter(title -> title.equals(NOT_STARTED) || title.startsWith(ENDED))
        .map(title -> title + ".")
        .toList();
  }

  /** {@code thrown}: the class of what its main method threw; or empty. */
  void end(int exitCode, String thrown) {
    if (exitCode != 0 && findings.stream().noneMatch(one -> one.title().equals(NOT_STARTED))) {
      String threw = thrown.isEmpty() ? "" : "Its main method threw " + thrown + ". ";
      findings.add(ended(exitCode, threw + COVERED));
    }
  }

  private static Digest.Finding ended(int exitCode, String text) {
    return new Digest.Finding(
        Digest.Severity.NOTE, ENDED + exitCode + signal(exitCode), text, null, null, List.of(), 0);
  }

  /** The signal that an exit code stands for, in parentheses; empty if it is none of these. */
  private static String signal(int exitCode) {
    return switch (exitCode) {
      case ABORTED -> " (SIGABRT)";
      case BUS -> " (SIGBUS)";
      case KILLED -> " (SIGKILL)";
      case FAULT -> " (SIGSEGV)";
      default -> "";
    };
  }

  /**
   * With what the program, of which these are the findings, ended with.
   *
   * @param wasFull whether the system killed a process of its control group, because that was full
   * @param memory the last that is known of it
   */
  static List<Digest.Finding> withEnd(
      List<Digest.Finding> findings,
      int code,
      boolean wasFull,
      Digest.Memory memory,
      boolean isGo) {
    if (code == 0
        || findings.stream()
            .anyMatch(one -> one.title().equals(NOT_STARTED) || one.title().startsWith(ENDED))) {
      return findings;
    }
    List<Digest.Finding> all = new ArrayList<>(findings);
    String text =
        switch (code) {
          case KILLED -> killed(wasFull, memory) + UNTOLD + postMortem(memory);
          case ABORTED, BUS, FAULT ->
              (isGo
                      ? "It crashed; what the Go runtime wrote to stderr says where. "
                      : "It crashed; the file hs_err_pid… of the JVM says where. ")
                  + UNTOLD
                  + postMortem(memory);
          case PANICKED ->
              isGo
                  ? "A Go program ends so after a panic or a fatal error; its stderr then says where."
                      + " "
                      + UNTOLD
                      + postMortem(memory)
                  : COVERED;
          default -> COVERED;
        };
    all.add(ended(code, text));
    return all;
  }

  private static String killed(boolean wasFull, Digest.Memory memory) {
    Long limit = memory.containerLimit();
    return wasFull
        ? "While it ran, its container reached its memory limit"
            + (limit == null ? "" : " of " + bytes(limit))
            + ", and the system killed a process in it: most likely this one. "
        : "A user killed it, or the system killed it because memory was used up. In the second case"
            + " the kernel's log says so (`dmesg`). ";
  }

  /** Who had memory when that was last looked at. */
  private static String postMortem(Digest.Memory memory) {
    if (!memory.accounted()) {
      return "";
    }
    String most =
        memory.parts().stream()
            .sorted(Order.byLong(Digest.Part::bytes).reversed())
            .limit(3)
            .map(part -> bytes(part.bytes()) + " " + part.part())
            .collect(Collectors.joining("; "));
    return " In the last account of its memory, "
        + bytes(memory.resident())
        + " were resident: "
        + most
        + ".";
  }

  private String words(String kind, long count) {
    Digest.Closeable closeable = closeables.get(kind);
    if (closeable == null) {
      return Kinds.words(kind, count);
    }
    return closeable.words(count)
        + (closeable.library().startsWith("--") || closeable.library().isEmpty()
            ? ""
            : " of " + closeable.library());
  }

  /**
   * Of a class that a rule names: how many are lost is known, and what they have at best guessed.
   */
  private void lost(Digest.Kind kind) {
    Unclaimed.Share share = unclaimed.of(kind.kind());
    Integer site = worst(kind.kind(), Digest.Site::lost);
    String title =
        count(kind.lost())
            + " "
            + words(kind.kind(), kind.lost())
            + openedAt(kind, site)
            + (kind.lost() == 1 ? " was" : " were")
            + " never closed and can no longer be closed"
            + (share == null
                ? ""
                : "; most likely "
                    + (kind.lost() == 1 ? "it holds " : "they hold ")
                    + share.phrase());
    weights.put(title, kind.lost() * NOMINAL);
    add(
        Digest.Severity.LOST,
        title,
        "The program dropped the last reference to them."
            + (share == null ? "" : share.others())
            + where(kind.kind(), site, Digest.Site::lost, Digest.Margins::lost, kind.lost())
            + todo(kind.kind()),
        kind.kind(),
        site,
        share == null ? 0 : share.bytes());
  }

  /** The line, for a title: if all, or most, of those that are lost were opened there. */
  private String openedAt(Digest.Kind kind, @Nullable Integer site) {
    if (site == null) {
      return "";
    }
    Digest.Site worst = sites.get(site);
    boolean isOnly =
        sites.stream().filter(one -> one.kind().equals(kind.kind()) && one.lost() > 0).count() == 1;
    String place = own(worst.frames());
    String line = place.substring(place.indexOf('(') + 1).replaceFirst("\\)$", "");
    return isOnly
        ? " opened at " + line
        : worst.lost() > kind.lost() / 2 ? ", most opened at " + line + "," : "";
  }

  /** Of a class that a rule names: what is open and most likely has memory that nothing claims. */
  private void openWith(Digest.Kind kind, Unclaimed.Share share) {
    Integer site = worst(kind.kind(), Digest.Site::open);
    add(
        Digest.Severity.OPEN,
        count(kind.open())
            + " "
            + words(kind.kind(), kind.open())
            + " open; most likely they hold "
            + share.phrase(),
        "The program still holds them. This is no mistake if they belong to a cache or a pool."
            + share.others()
            + where(kind.kind(), site, Digest.Site::open, Digest.Margins::open, kind.open())
            + todo(kind.kind()),
        kind.kind(),
        site,
        share.bytes());
  }

  /** Objects of a class that a rule names became more and more. */
  void growingCount(Digest.Kind kind, Digest.Growth growth) {
    Unclaimed.Share share = kind.lost() > 0 ? null : unclaimed.of(kind.kind());
    String title =
        words(kind.kind(), 2)
            + ": "
            + count(growth.rate())
            + " more a minute"
            + (share == null ? "" : "; most likely they hold " + share.phrase());
    weights.put(title, growth.bytes() * NOMINAL);
    Integer site = worst(kind.kind(), Digest.Site::open);
    add(
        Digest.Severity.GROWING,
        title,
        "The number of open objects rose by "
            + count(growth.bytes())
            + " in "
            + seconds(growth.seconds())
            + ". Between two measurements it mostly rose by "
            + count(growth.least())
            + " to "
            + count(growth.most())
            + " a minute. Now "
            + count(kind.open())
            + " are open."
            + (share == null ? "" : share.others())
            + where(kind.kind(), site, Digest.Site::open, Digest.Margins::open, kind.open())
            + todo(kind.kind()),
        kind.kind(),
        site,
        share == null ? 0 : share.bytes());
  }

  private boolean isGrowing(String kind) {
    return findings.stream()
        .anyMatch(one -> one.severity() == Digest.Severity.GROWING && kind.equals(one.kind()));
  }

  void kind(Digest.Kind kind) {
    if (kind.lost() > 0 && Kinds.isCloseable(kind.kind())) {
      lost(kind);
    } else if (kind.lost() > 0) {
      Integer site =
          worst(kind.kind(), kind.lostBytes() > 0 ? Digest.Site::lostBytes : Digest.Site::lost);
      Unclaimed.Share share = unclaimed.of(kind.kind());
      String size =
          kind.lostBytes() > 0
              ? ": " + bytes(kind.lostBytes()) + " never freed"
              : share == null ? "" : ", and " + share.phrase();
      add(
          Digest.Severity.LOST,
          count(kind.lost()) + " " + Kinds.words(kind.kind(), kind.lost()) + " lost" + size,
          "The program dropped the last reference without closing them. Nothing frees them before"
              + " the program ends."
              + (share == null ? "" : share.others())
              + whereBytes(kind, site, true)
              + todo(kind.kind()),
          kind.kind(),
          site,
          share == null ? kind.lostBytes() : share.bytes());
    }
    if (isLate(kind)) {
      late(kind);
    }
  }

  private void late(Digest.Kind kind) {
    Integer site = worst(kind.kind(), Digest.Site::collected);
    long kept = unclaimed.keptOf(kind.kind());
    add(
        Digest.Severity.LATE,
        count(kind.collected())
            + " of "
            + count(kind.opened())
            + " "
            + words(kind.kind(), kind.opened())
            + " left to the collector"
            + (kept == 0 ? "" : "; malloc keeps " + bytes(kept)),
        "The program did not close them. "
            + liberator(kind.kind())
            + " freed them later."
            + (kept == 0
                ? ""
                : " Most likely malloc now keeps the memory that they held. `jcmd PID"
                    + " System.trim_native_heap` returns this memory to the system at once.")
            + where(kind.kind(), site, Digest.Site::collected, margins -> 0, kind.collected())
            + todo(kind.kind()),
        kind.kind(),
        site,
        Math.max(kept, lateBytes(kind)));
  }

  /** What rose over the run, and when the limit is met at that rate. */
  void growing(Digest.Memory memory, List<Digest.Kind> kinds, @Nullable Account account) {
    for (Digest.Growth growth : memory.growing()) {
      if (growth.part().equals(NativeCallers.KIND)) {
        continue; // told by line
      }
      Digest.Kind kind = find(growth.part(), kinds);
      String rose = rose(memory, growth);
      if (kind == null) {
        Part part = part(growth.part());
        findings.add(
            new Digest.Finding(
                Digest.Severity.GROWING,
                growth.part() + ": " + bytes(growth.rate()) + " more a minute",
                rose
                    + (account == null ? "" : PartFindings.about(part, account))
                    + (isGo
                        ? TO_DO + GoTexts.todo(part)
                        : PartFindings.todo(
                            part, part == Part.MALLOC_USED ? unclaimed.mallocAdvice() : "")),
                null,
                null,
                List.of(),
                growth.bytes()));
      } else {
        Integer site = worst(kind.kind(), Digest.Site::bytes);
        add(
            Digest.Severity.GROWING,
            Kinds.words(kind.kind(), 2) + ": " + bytes(growth.rate()) + " more a minute",
            rose
                + " Now "
                + count(kind.open())
                + " are open, "
                + bytes(kind.bytes())
                + "."
                + whereBytes(kind, site, false)
                + todo(kind.kind()),
            kind.kind(),
            site,
            kind.bytes());
      }
    }
  }

  private static Digest.@Nullable Kind find(String name, List<Digest.Kind> kinds) {
    return kinds.stream().filter(kind -> kind.kind().equals(name)).findFirst().orElse(null);
  }

  private static Part part(String title) {
    return Arrays.stream(Part.values())
        .filter(part -> part.title().equals(title))
        .findFirst()
        .orElse(Part.UNEXPLAINED);
  }

  /** How fast something grew, and until when there is room. */
  static String rose(Digest.Memory memory, Digest.Growth growth) {
    return "It rose by "
        + bytes(growth.bytes())
        + " in "
        + seconds(growth.seconds())
        + ". Between two measurements it mostly rose by "
        + bytes(growth.least())
        + " to "
        + bytes(growth.most())
        + " a minute."
        + until(memory, growth);
  }

  static String until(Digest.Memory memory, Digest.Growth growth) {
    Long limit = memory.containerLimit();
    if (limit == null || limit <= memory.resident()) {
      return "";
    }
    double minutes = (double) (limit - memory.resident()) / (double) growth.rate();
    return " At this rate the container's limit of "
        + bytes(limit)
        + " is reached in "
        + seconds(60 * minutes)
        + ".";
  }

  /** What is open and much: no mistake by itself, but never silent. What grows is told already. */
  void open(Digest.Kind kind, Digest.Memory memory) {
    long resident = memory.resident();
    Unclaimed.Share share = unclaimed.of(kind.kind());
    if (share != null && kind.lost() == 0 && !isGrowing(kind.kind())) {
      openWith(kind, share);
    }
    if (unclaimed.isTold(kind.kind()) || kind.kind().equals(NativeCallers.KIND)) {
      return;
    }
    if (kind.bytes() < PartFindings.LEAST
        || kind.bytes() < resident / PartFindings.SHARE
        || memory.growing().stream().anyMatch(one -> one.part().equals(kind.kind()))) {
      return;
    }
    Integer site = worst(kind.kind(), Digest.Site::bytes);
    add(
        Digest.Severity.OPEN,
        count(kind.open())
            + " "
            + Kinds.words(kind.kind(), kind.open())
            + " open: "
            + bytes(kind.bytes()),
        "The program still holds them"
            + share(kind.bytes(), resident)
            + ". This is no mistake if they belong to a cache or a pool."
            + whereBytes(kind, site, false),
        kind.kind(),
        site,
        kind.bytes());
  }

  /** What was asked for need not be resident; and what was is told of some seconds before. */
  static String share(long requested, long resident) {
    return resident < requested
        ? ""
        : "; the requested bytes equal " + percent(requested, resident) + " of resident memory";
  }

  void addAll(List<Digest.Finding> others) {
    findings.addAll(others);
  }

  /** What was held too long: no more than ever was open at once. */
  private static long lateBytes(Digest.Kind kind) {
    double share = (double) kind.collected() / (double) kind.opened();
    return Math.min(kind.peakBytes(), Math.round(share * (double) kind.openedBytes()));
  }

  private String liberator(String kind) {
    Digest.Closeable closeable = closeables.get(kind);
    return closeable == null ? "The garbage collector" : closeable.liberator();
  }

  private boolean isLate(Digest.Kind kind) {
    return isLate(kind, closeables.get(kind.kind()), seconds);
  }

  /** Whether so many were freed late that the program should have closed them. */
  static boolean isLate(Digest.Kind kind, Digest.@Nullable Closeable closeable, double seconds) {
    if (kind.kind().equals("arena.automatic")) {
      return kind.collected() >= FLOOD && (double) kind.collected() >= FLOOD_A_SECOND * seconds;
    }
    return !Kinds.isLeftToCollector(kind.kind())
        && (closeable == null || !closeable.isLeftToCollector())
        && kind.collected() >= FEWEST_LATE
        && kind.collected() >= kind.opened() / LATE_SHARE;
  }

  private String todo(String kind) {
    Digest.Closeable closeable = closeables.get(kind);
    return TO_DO + (closeable == null ? Kinds.remedy(kind) : closeable.advice()) + ".";
  }

  /** The site with the most; null if none has any. */
  private @Nullable Integer worst(String kind, ToLongFunction<Digest.Site> figure) {
    Integer worst = null;
    long most = 0;
    for (int i = 0; i < sites.size(); i++) {
      long value = figure.applyAsLong(sites.get(i));
      if (sites.get(i).kind().equals(kind) && value > most && !sites.get(i).frames().isEmpty()) {
        worst = i;
        most = value;
      }
    }
    return worst;
  }

  private String where(
      String kind,
      @Nullable Integer site,
      ToLongFunction<Digest.Site> figure,
      ToLongFunction<Digest.Margins> margin,
      long all) {
    if (site == null && sites.isEmpty() && !complete && !level.equals("count")) {
      return " Call sites are reported every two seconds.";
    }
    if (site == null) {
      return level.equals("sample")
          ? " None of their openings was sampled; --level full records every stack."
          : level.equals("full")
              ? " No stack of theirs was recorded."
              : " --level sample or full records where they were opened.";
    }
    long others =
        sites.stream().filter(one -> one.kind().equals(kind) && figure.applyAsLong(one) > 0).count()
            - 1;
    Digest.Site worst = sites.get(site);
    String place = own(worst.frames());
    if (others == 0 && !worst.exact()) {
      return " All those sampled were opened at " + place + ".";
    }
    return " "
        + (worst.exact() ? "" : "About ")
        + Figures.count(
            Math.min(all, figure.applyAsLong(worst)),
            worst.margins() == null ? 0 : margin.applyAsLong(worst.margins()),
            all)
        + " were opened at "
        + place
        + (others > 0
            ? ", others at " + count(others) + " more " + plural(others, "call site")
            : "")
        + ".";
  }

  /** As part of a sentence. */
  static String joined(List<String> all) {
    if (all.size() < 2) {
      return String.join("", all);
    }
    return String.join(", ", all.subList(0, all.size() - 1)) + ", and " + all.getLast();
  }

  /** Where most of the bytes that are held, or lost, were opened. */
  private String whereBytes(Digest.Kind kind, @Nullable Integer site, boolean isLost) {
    ToLongFunction<Digest.Site> figure = isLost ? Digest.Site::lostBytes : Digest.Site::bytes;
    long others =
        sites.stream()
                .filter(one -> one.kind().equals(kind.kind()) && figure.applyAsLong(one) > 0)
                .count()
            - 1;
    if (site == null || others <= 0 || !sites.get(site).tellsBytes()) {
      String opened =
          isLost
              ? where(kind.kind(), site, Digest.Site::lost, Digest.Margins::lost, kind.lost())
              : where(kind.kind(), site, Digest.Site::open, Digest.Margins::open, kind.open());
      return opened + filledAt(kind, site, isLost);
    }
    Digest.Site worst = sites.get(site);
    Digest.Margins margins = worst.margins();
    long margin = margins == null ? 0 : isLost ? margins.lostBytes() : margins.bytes();
    return " "
        + (worst.exact() ? "" : "About ")
        + Figures.bytes(figure.applyAsLong(worst), margin, isLost ? kind.lostBytes() : kind.bytes())
        + " of that were opened at "
        + own(worst.frames())
        + ", the rest at "
        + count(others)
        + " more "
        + plural(others, "call site")
        + ".";
  }

  /** Where most of their memory was allocated, if that is not the method that opened them. */
  private String filledAt(Digest.Kind kind, @Nullable Integer site, boolean isLost) {
    ToLongFunction<Digest.Filled> figure = isLost ? Digest.Filled::lostBytes : Digest.Filled::bytes;
    Digest.Filled most =
        filled.stream()
            .filter(one -> one.kind().equals(kind.kind()) && !one.frames().isEmpty())
            .max(Order.byLong(figure))
            .orElse(null);
    if (most == null
        || figure.applyAsLong(most) == 0
        || (site != null && method(most.frames()).equals(method(sites.get(site).frames())))) {
      return "";
    }
    long all = isLost ? kind.lostBytes() : kind.bytes();
    return " About "
        + Figures.bytes(
            Math.min(all, figure.applyAsLong(most)),
            isLost ? most.lostMargin() : most.margin(),
            all)
        + " of their memory "
        + "was allocated at "
        + own(most.frames())
        + ".";
  }

  private static String method(List<String> frames) {
    return own(frames).replaceFirst("\\(.*", "");
  }

  private static String own(List<String> frames) {
    return frames.get(KnownLibraries.own(frames));
  }

  private static String plural(long count, String word) {
    return count == 1 ? word : word + "s";
  }

  void handles(Digest.Handles handles, List<Digest.HandleLeak> leaks) {
    if (handles.forgotten() == 0) {
      return;
    }
    List<String> frames =
        leaks.stream()
            .filter(leak -> leak.type().equals(handles.type()) && !leak.frames().isEmpty())
            .map(Digest.HandleLeak::frames)
            .findFirst()
            .orElse(List.of());
    String where =
        frames.isEmpty()
            ? isGo
                ? " --level sample or full records where they were opened."
                : " -Doffcut.handle.detection=sample or full records where they were opened."
            : " Most were opened at " + own(frames) + ".";
    addAt(
        frames,
        Digest.Severity.FORGOTTEN,
        count(handles.forgotten())
            + " of "
            + count(handles.opened())
            + " "
            + handles.type()
            + " "
            + plural(handles.opened(), "handle")
            + " forgotten",
        "The program did not close them; the safety net released them."
            + where
            + TO_DO
            + (isGo ? "defer the Close of each." : "close each in try-with-resources."),
        null);
  }

  /**
   * Handles that are open, of a program that says where they were opened; no mistake by itself.
   *
   * @param where by line, those first that hold most
   */
  void openHandles(Digest.Handles handles, List<HandleCounts.Site> where, Digest.Memory memory) {
    if (!isGo || handles.open() == 0) {
      return;
    }
    long bytes = where.stream().mapToLong(HandleCounts.Site::bytes).sum();
    boolean isMuch = bytes >= PartFindings.LEAST && bytes >= memory.resident() / PartFindings.SHARE;
    List<String> frames = where.isEmpty() ? List.of() : where.getFirst().frames();
    String place =
        frames.isEmpty()
            ? level.equals("full")
                ? " No stack of theirs was recorded."
                : " None of their stacks was recorded; --level full records every stack."
            : " "
                + (where.size() == 1
                    ? "All those recorded were opened at " + own(frames) + "."
                    : "Of those recorded, "
                        + count(where.getFirst().open())
                        + " were opened at "
                        + own(frames)
                        + ", others at "
                        + count(where.size() - 1L)
                        + " more "
                        + plural(where.size() - 1L, "call site")
                        + ".");
    findings.add(
        new Digest.Finding(
            isMuch ? Digest.Severity.OPEN : Digest.Severity.NOTE,
            count(handles.open())
                + " "
                + handles.type()
                + " "
                + plural(handles.open(), "handle")
                + (handles.open() == 1 ? " is open" : " are open")
                + (isMuch ? ": at least " + bytes(bytes) : ""),
            "They are reachable, or no collection has found them yet. This is no mistake if they belong"
                + " to a cache or a pool."
                + place,
            null,
            null,
            frames,
            isMuch ? bytes : 0));
  }

  /** Pools of a Go program that it can no longer close. */
  void lostPools(List<Pools.Lost> pools) {
    for (Pools.Lost pool : pools) {
      add(
          Digest.Severity.LOST,
          "the pool " + pool.pool() + " is lost: " + bytes(pool.committed()) + " never freed",
          "The program dropped the last reference to the pool without closing it. Nothing frees its"
              + " memory before the program ends."
              + TO_DO
              + "keep the pool for as long as its memory is used, and close it.",
          null,
          null,
          pool.committed());
    }
  }

  /** Arenas of a Go pool that a cleanup freed. */
  void forgottenArenas(Digest.Pool pool) {
    long arenas = pool.forgottenArenas();
    if (arenas > 0) {
      add(
          Digest.Severity.FORGOTTEN,
          count(arenas)
              + " "
              + plural(arenas, "arena")
              + " of the pool "
              + pool.pool()
              + " forgotten",
          "The program did not close them; a cleanup freed them."
              + TO_DO
              + "defer the Close of each arena.",
          null,
          null);
    }
  }

  void forced(List<Digest.Forced> forced) {
    long all = forced.stream().mapToLong(Digest.Forced::count).sum();
    if (all > 0) {
      List<String> frames = forced.getFirst().frames();
      addAt(
          frames,
          Digest.Severity.COST,
          count(all) + " " + plural(all, "collection") + " forced by direct memory",
          "Direct buffers reached -XX:MaxDirectMemorySize, so the JDK collected the whole heap to"
              + " free unused buffers."
              + (frames.isEmpty() ? "" : " Most were forced at " + own(frames) + ".")
              + TO_DO
              + "reuse buffers, or raise the limit.",
          "buffer.direct");
    }
  }

  void finalizers(List<Digest.Finalizers> classes) {
    for (Digest.Finalizers one : classes) {
      if (one.registered() >= FEWEST_FINALIZERS) {
        add(
            Digest.Severity.COST,
            count(one.registered()) + " objects of " + one.type() + " have a finalizer",
            "Each of them survives one more collection, and one thread finalizes all of them."
                + TO_DO
                + Kinds.remedy("finalizer")
                + ".",
            "finalizer",
            null);
      }
    }
  }

  void loaders(Digest.@Nullable Loaders loaders) {
    if (loaders != null && loaders.committed() - loaders.used() >= LEAST_WASTE) {
      add(
          Digest.Severity.COST,
          bytes(loaders.committed() - loaders.used()) + " of metaspace are committed but not used",
          count(loaders.loaders())
              + " class loaders have "
              + bytes(loaders.committed())
              + " of committed metaspace."
              + TO_DO
              + "use fewer class loaders, or drop them together.",
          null,
          null);
    }
  }

  /** Collections were asked for, and none is known to be forced. */
  void unforced() {
    add(
        Digest.Severity.NOTE,
        "System.gc() was called",
        "The agent saw no garbage collection that direct memory forced. It is not proven that the"
            + " agent can see such collections on this JDK.",
        null,
        null);
  }

  void memory(Digest.Memory memory) {
    long unexplained = memory.part(ResidentMemory.UNEXPLAINED);
    if (unexplained >= LEAST_UNEXPLAINED && unexplained > memory.resident() / 5) {
      add(
          Digest.Severity.NOTE,
          bytes(unexplained) + " of resident memory are unexplained",
          memory.accounted()
              ? isGo
                  ? "This anonymous memory does not belong to the Go heap, to malloc, to a thread's"
                      + " stack or to a pool. The program, or a C library, may have mapped it for"
                      + " itself."
                  : "This anonymous memory does not belong to the JVM, to malloc, to a thread's stack"
                      + " or to a pool. A native library may have mapped it for itself."
              : isGo
                  ? "The program ended before its memory was looked at. So objects on the Go heap"
                      + " since the last look, the Go runtime's own memory and C memory are in it."
                  : "No recorded owner accounts for it. It may be the JVM's own memory (if it is not"
                      + " tracked), memory of native libraries, or memory that malloc keeps. `offcut"
                      + " explain` lists the parts that are known.",
          null,
          null);
    }
  }

  private void add(
      Digest.Severity severity,
      String title,
      String text,
      @Nullable String kind,
      @Nullable Integer site) {
    add(severity, title, text, kind, site, 0);
  }

  private void add(
      Digest.Severity severity,
      String title,
      String text,
      @Nullable String kind,
      @Nullable Integer site,
      long bytes) {
    findings.add(new Digest.Finding(severity, title, text, kind, site, List.of(), bytes));
  }

  private void addAt(
      List<String> frames,
      Digest.Severity severity,
      String title,
      String text,
      @Nullable String kind) {
    findings.add(new Digest.Finding(severity, title, text, kind, null, frames, 0));
  }
}
