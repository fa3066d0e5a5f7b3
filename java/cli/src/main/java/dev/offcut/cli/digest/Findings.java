package dev.offcut.cli.digest;

import static dev.offcut.cli.digest.Figures.bytes;
import static dev.offcut.cli.digest.Figures.count;
import static dev.offcut.cli.digest.Figures.percent;
import static dev.offcut.cli.digest.Figures.seconds;

import dev.offcut.account.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is to be acted on, in sentences: first what is never freed, then what the net freed, then
 * what the collector freed late, then what costs, then what is good to know.
 */
final class Findings {
  /** Fewer that the collector freed are nobody's concern: each program has some. */
  private static final long FEWEST_LATE = 10;

  /** One in so many opened, or more. */
  private static final long LATE_SHARE = 100;

  /** A class with fewer objects costs nothing that can be measured. */
  private static final long FEWEST_FINALIZERS = 1_000;

  static final String WATCHED =
      "arenas, direct buffers, blocks of Unsafe and JNA, objects with a Cleaner, and handles and"
          + " pools of Offcut";

  static final String UNWATCHED =
      "what native libraries take from malloc, and objects without a Cleaner that somebody has to"
          + " close";

  static final String NOT_STARTED = "The program did not start";

  private static final String ENDED = "The program ended with exit code ";
  private static final String COVERED = "This report covers what it did until then.";

  private static final String UNTOLD =
      "The counts are those of its last full second: what it closed after that, or would have closed"
          + " at its end, is told as open.";

  /** What ends with a signal has 128 and its number. */
  private static final int ABORTED = 134;

  private static final int BUS = 135;
  private static final int KILLED = 137;
  private static final int FAULT = 139;

  private static final long LEAST_WASTE = 16L << 20;
  private static final long LEAST_UNEXPLAINED = 64L << 20;

  /** Less than these, and than a tenth of what is resident, is nobody's concern. */
  private static final long LEAST_OPEN = 16L << 20;

  private static final long LEAST_KEPT = 32L << 20;
  private static final int SHARE = 10;

  /** What a JVM itself has of malloc, while it records. */
  private static final long JVM_MALLOC = 128L << 20;

  private final List<Digest.Site> sites;
  private final String level;
  private final boolean complete;
  private final List<Digest.Finding> findings = new ArrayList<>();

  /** {@code complete}: whether no more sites will come. */
  Findings(List<Digest.Site> sites, String level, boolean complete) {
    this.sites = sites;
    this.level = level;
    this.complete = complete;
  }

  /** The worst first; of equals, in the order in which they were found. */
  List<Digest.Finding> all() {
    return findings.stream().sorted(Comparator.comparing(Digest.Finding::severity)).toList();
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
        Digest.Severity.NOTE, ENDED + exitCode + signal(exitCode), text, null, null, List.of());
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
      List<Digest.Finding> findings, int code, boolean wasFull, Digest.Memory memory) {
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
              "It crashed; the file hs_err_pid… of the JVM says where. "
                  + UNTOLD
                  + postMortem(memory);
          default -> COVERED;
        };
    all.add(ended(code, text));
    return all;
  }

  private static String killed(boolean wasFull, Digest.Memory memory) {
    Long limit = memory.containerLimit();
    return wasFull
        ? "The system killed it: its container was at its limit"
            + (limit == null ? ". " : " of " + bytes(limit) + ". ")
        : "Somebody killed it, or the system did because memory was used up: then the kernel's log"
            + " says so (`dmesg`). ";
  }

  /** Who had memory when that was last looked at. */
  private static String postMortem(Digest.Memory memory) {
    if (!memory.accounted()) {
      return "";
    }
    String most =
        memory.parts().stream()
            .sorted(Comparator.comparingLong(Digest.Part::bytes).reversed())
            .limit(3)
            .map(part -> bytes(part.bytes()) + " " + part.part())
            .collect(Collectors.joining("; "));
    return " When that was last looked at, "
        + bytes(memory.resident())
        + " were resident: "
        + most
        + ".";
  }

  void kind(Digest.Kind kind) {
    if (kind.lost() > 0) {
      Integer site = worst(kind.kind(), Digest.Site::lost);
      String size = kind.lostBytes() > 0 ? ": " + bytes(kind.lostBytes()) + " never freed" : "";
      add(
          Digest.Severity.LOST,
          count(kind.lost()) + " " + Kinds.words(kind.kind(), kind.lost()) + " lost" + size,
          "The program dropped the last reference without closing them. Nothing frees them before"
              + " the program ends."
              + where(kind.kind(), site, Digest.Site::lost, kind.lost())
              + todo(kind.kind()),
          kind.kind(),
          site);
    }
    if (isLate(kind)) {
      Integer site = worst(kind.kind(), Digest.Site::collected);
      add(
          Digest.Severity.LATE,
          count(kind.collected())
              + " of "
              + count(kind.opened())
              + " "
              + Kinds.words(kind.kind(), kind.opened())
              + " left to the collector",
          "The program did not close them; the garbage collector freed them: late, but not lost."
              + where(kind.kind(), site, Digest.Site::collected, kind.collected())
              + todo(kind.kind()),
          kind.kind(),
          site);
    }
  }

  /** What rose over the run, and when the limit is met at that rate. */
  void growing(Digest.Memory memory) {
    Long limit = memory.containerLimit();
    long resident = memory.resident();
    for (Digest.Growth growth : memory.growing()) {
      String until = "";
      if (limit != null && limit > resident) {
        double minutes = (double) (limit - resident) / (double) growth.rate();
        until =
            " At this rate the container's limit of "
                + bytes(limit)
                + " is met in "
                + seconds(60 * minutes)
                + ".";
      }
      add(
          Digest.Severity.GROWING,
          growth.part() + ": " + bytes(growth.rate()) + " more a minute",
          "It rose by "
              + bytes(growth.bytes())
              + " in "
              + seconds(growth.seconds())
              + "; most rates between two accounts are "
              + bytes(growth.least())
              + " to "
              + bytes(growth.most())
              + " a minute."
              + until
              + " To do: look at what is lost or open; if that explains nothing, a native library"
              + " holds it.",
          null,
          null);
    }
  }

  /** What is open and much: no mistake by itself, but never silent. */
  void open(Digest.Kind kind, long resident) {
    if (kind.bytes() < LEAST_OPEN || kind.bytes() < resident / SHARE) {
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
        "The program holds them"
            + share(kind.bytes(), resident)
            + ". That is no mistake if it is meant to, as a cache or a pool."
            + where(kind.kind(), site, Digest.Site::open, kind.open()),
        kind.kind(),
        site);
  }

  /** What was asked for need not be resident; and what was is told of some seconds before. */
  private static String share(long requested, long resident) {
    return resident < requested
        ? ""
        : "; what it asked for is " + percent(requested, resident) + " of what is resident";
  }

  /** What malloc has, of which nobody watched more than a part; and what it keeps. */
  void malloc(Digest.Memory memory, List<Digest.Kind> kinds) {
    if (!memory.accounted()) {
      return;
    }
    long watched =
        kinds.stream()
            .filter(kind -> Kinds.isInOther(kind.kind()) || kind.kind().equals("jna"))
            .mapToLong(kind -> kind.bytes() + kind.lostBytes())
            .sum();
    long unknown = memory.part(Part.MALLOC_USED.title()) - watched;
    if (unknown >= JVM_MALLOC && unknown >= memory.resident() / 4) {
      add(
          Digest.Severity.OPEN,
          bytes(unknown) + " of malloc are in use, and nobody watched who took them",
          "Native libraries take such memory for the objects of their Java classes, and the JVM for"
              + " itself. To do: close objects of native libraries when they are done;"
              + " -XX:NativeMemoryTracking=summary tells the JVM's part.",
          null,
          null);
    }
    long kept = memory.part(Part.MALLOC_TRIMMABLE.title());
    if (kept >= LEAST_KEPT && kept >= memory.resident() / SHARE) {
      add(
          Digest.Severity.KEPT,
          bytes(kept) + " are free, but malloc keeps them",
          "Somebody freed them; malloc did not give them back to the system. To do: `jcmd PID"
              + " System.trim_native_heap` returns them, now.",
          null,
          null);
    }
  }

  private static boolean isLate(Digest.Kind kind) {
    return !Kinds.isLeftToCollector(kind.kind())
        && kind.collected() >= FEWEST_LATE
        && kind.collected() >= kind.opened() / LATE_SHARE;
  }

  private static String todo(String kind) {
    return " To do: " + Kinds.remedy(kind) + ".";
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
      String kind, @Nullable Integer site, ToLongFunction<Digest.Site> figure, long all) {
    if (site == null && sites.isEmpty() && !complete && !level.equals("count")) {
      return " Call sites are reported every two seconds.";
    }
    if (site == null) {
      return level.equals("sample")
          ? " None of their stacks was sampled; --level full records every stack."
          : " --level sample or full records where they were opened.";
    }
    long others =
        sites.stream().filter(one -> one.kind().equals(kind) && figure.applyAsLong(one) > 0).count()
            - 1;
    Digest.Site worst = sites.get(site);
    String place = own(worst.frames());
    if (others == 0 && !worst.exact()) {
      return " All sampled ones were opened at " + place + ".";
    }
    return " "
        + (worst.exact() ? "" : "About ")
        + count(Math.min(all, figure.applyAsLong(worst)))
        + " were opened at "
        + place
        + (others > 0 ? ", others at " + count(others) + " more " + plural(others, "place") : "")
        + ".";
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
            ? " -Doffcut.handle.detection=sample or full records where they were opened."
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
            + " To do: close it in try-with-resources.",
        null);
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
              + " free some."
              + (frames.isEmpty() ? "" : " Most were forced at " + own(frames) + ".")
              + " To do: reuse buffers, or raise the limit.",
          "buffer.direct");
    }
  }

  void finalizers(List<Digest.Finalizers> classes) {
    for (Digest.Finalizers one : classes) {
      if (one.registered() >= FEWEST_FINALIZERS) {
        add(
            Digest.Severity.COST,
            count(one.registered()) + " objects of " + one.type() + " have a finalizer",
            "Each of them survives one more collection, and a single thread finalizes them all."
                + " To do: "
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
              + " committed. To do: use fewer loaders, or drop them together.",
          null,
          null);
    }
  }

  void memory(Digest.Memory memory) {
    long unexplained = memory.part(ResidentMemory.UNEXPLAINED);
    if (unexplained >= LEAST_UNEXPLAINED && unexplained > memory.resident() / 5) {
      add(
          Digest.Severity.NOTE,
          bytes(unexplained) + " of resident memory are unexplained",
          memory.accounted()
              ? "Anonymous memory that neither the JVM, malloc, a stack nor a pool claims. A native"
                  + " library may have mapped it for itself."
              : "No recorded owner accounts for them. They may be the JVM's own memory (if it is not"
                  + " tracked), native libraries, or memory that malloc keeps. `offcut explain` lists"
                  + " what is known.",
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
    findings.add(new Digest.Finding(severity, title, text, kind, site, List.of()));
  }

  private void addAt(
      List<String> frames,
      Digest.Severity severity,
      String title,
      String text,
      @Nullable String kind) {
    findings.add(new Digest.Finding(severity, title, text, kind, null, frames));
  }
}
