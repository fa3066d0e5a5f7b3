package dev.offcut.command.read;

import dev.offcut.command.judge.EndFindings;
import dev.offcut.command.judge.Finding;
import dev.offcut.rules.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a program. It is the JSON of {@code offcut.report/2} as records: the same names,
 * the same order. Sizes are in bytes.
 *
 * @param complete false if the recording was cut off, or the program still runs
 * @param notes what a reader has to know of how this came to be, a sentence each
 * @param limits of these and of the findings, why something may be lost that is not found here
 * @param gaps because of which a check of the program cannot be answered
 * @param coverage what is counted, and what is not
 * @param findings what has most bytes first; costs and notes last
 * @param callers who called malloc; null if nobody asked
 * @param holders what holds open resources; null if nobody asked
 */
public record Digest(
    boolean complete,
    Target target,
    List<String> notes,
    List<String> limits,
    Gaps gaps,
    Coverage coverage,
    List<Kind> kinds,
    List<Closeable> closeables,
    List<WatchedClass> watchedClasses,
    List<Site> sites,
    List<Filled> filled,
    List<Handles> handles,
    List<HandleLeak> handleLeaks,
    List<Pool> pools,
    List<BufferPool> bufferPools,
    List<Forced> forcedCollections,
    List<Finalizers> finalizers,
    List<Saved> saved,
    @Nullable Loaders loaders,
    Memory memory,
    List<Finding> findings,
    Series series,
    List<ChunkMap> maps,
    @Nullable NativeCallers callers,
    @Nullable Holders holders) {
  /** Levels at which nothing is counted: without an agent, and with one that was told so. */
  private static final List<String> UNCOUNTED = List.of("none", "off");

  /**
   * Why something that is to be found may not be, a sentence each.
   *
   * @param unpublished figures that are old, since the agent could not publish newer ones
   * @param untracked kinds that are counted by default, and were not counted in this program
   * @param unproven kinds of which no garbage collection has found what was lost
   * @param byRule why not all objects of classes that rules name may be counted
   */
  public record Gaps(
      List<String> unpublished,
      List<String> untracked,
      List<String> unproven,
      List<String> byRule) {}

  /**
   * The program.
   *
   * @param pid -1 if it is not known
   * @param command the main class or jar, and its arguments
   * @param started ISO 8601, in UTC; empty if it is not known
   * @param level that of the agent; {@code none} without one
   */
  public record Target(
      long pid,
      String main,
      List<String> command,
      String jdk,
      String started,
      double seconds,
      String level,
      int sampleEvery) {
    /** Whether it is a program of Go's: then {@code jdk} is the release of Go, as go1.26.8. */
    public boolean isGo() {
      return jdk.startsWith("go");
    }

    /** What runs it: {@code JDK 25.0.3} or {@code Go 1.26.8}; empty if it is neither. */
    public String runtime() {
      return jdk.isEmpty()
          ? ""
          : isGo() ? (jdk.length() > 2 ? "Go " + jdk.substring(2) : "Go") : "JDK " + jdk;
    }
  }

  /**
   * Resources of a kind. opened = closed + collected + lost + open, once all threads are done.
   *
   * @param closed by the program
   * @param collected by the collector: late, not lost
   * @param lost nobody can free them any more
   * @param bytes of the open ones
   */
  public record Kind(
      String kind,
      long opened,
      long closed,
      long collected,
      long lost,
      long open,
      long bytes,
      long peakBytes,
      long openedBytes,
      long lostBytes) {}

  /**
   * What a rule says of a kind that is a class.
   *
   * @param called what one is called, if that is not the name of the class; or empty
   * @param freedBy who frees one that is not closed: nobody, cleaner, finalizer or collector
   * @param holds what one has that somebody has to give back: {@code malloc}, {@code descriptor},
   *     {@code thread}, {@code pool}, {@code nothing}, or a kind that is counted besides
   * @param advice what to do, as a command without a full stop
   */
  public record Closeable(
      String kind, String library, String called, String freedBy, String holds, String advice) {
    public String words(long count) {
      return called.isEmpty() ? Kinds.words(kind, count) : called + Rule.plural(called, count);
    }

    /** Whether it ends by itself, so that it is nobody's mistake. */
    public boolean isLeftToCollector() {
      return freedBy.equals("collector");
    }

    /** Who frees those that the program does not close. */
    public String liberator() {
      return switch (freedBy) {
        case "finalizer" -> "Their finalizer";
        case "cleaner" -> "A cleaner of their library";
        default -> "The garbage collector";
      };
    }
  }

  /**
   * A class that a rule names.
   *
   * @param rule the library of the rule, or the option that named the class
   * @param state {@code counted}; otherwise its objects are not
   * @param detail which methods were rewritten, or why none was
   * @param from where the rule stands, as FILE:LINE, or the option; empty if that is not known
   */
  public record WatchedClass(String rule, String type, String state, String detail, String from) {
    public boolean isCounted() {
      return state.equals("counted");
    }
  }

  /**
   * Resources of a kind that were opened at one line of the program, whatever way it took through
   * libraries.
   *
   * @param frames innermost first, of the way by which most was opened
   * @param own which of the frames is the line
   * @param through the code sources between the line and what was opened
   * @param paths all the ways; none if there is one
   * @param samples how many stacks that is made of
   * @param exact whether the figures are counts; otherwise they are estimates
   * @param margins of estimates; null if the figures are counts, or the margins are not known
   */
  public record Site(
      String kind,
      List<String> frames,
      int own,
      List<String> through,
      long opened,
      long closed,
      long collected,
      long lost,
      long open,
      long bytes,
      long lostBytes,
      long samples,
      boolean exact,
      @Nullable Margins margins,
      List<Path> paths) {
    /** A place of which the names of the frames are known, and nothing else. */
    public Site(
        String kind,
        List<String> frames,
        long opened,
        long closed,
        long collected,
        long lost,
        long open,
        long bytes,
        long lostBytes,
        long samples,
        boolean exact,
        @Nullable Margins margins) {
      this(
          kind,
          frames,
          KnownLibraries.own(frames),
          List.of(),
          opened,
          closed,
          collected,
          lost,
          open,
          bytes,
          lostBytes,
          samples,
          exact,
          margins,
          List.of());
    }

    public CallSite at() {
      return CallSite.of(frames, own, through, paths);
    }

    /** All ways from the line to what was opened. */
    public List<Path> ways() {
      return paths.isEmpty()
          ? List.of(new Path(frames, own, opened, collected, open, bytes, lost, lostBytes))
          : paths;
    }

    Site with(List<Path> ways) {
      return with(opened, closed, collected, lost, open, bytes, lostBytes, margins, ways);
    }

    Site with(
        long itsOpened,
        long itsClosed,
        long itsCollected,
        long itsLost,
        long itsOpen,
        long itsBytes,
        long itsLostBytes,
        @Nullable Margins itsMargins,
        List<Path> ways) {
      return new Site(
          kind,
          frames,
          own,
          through,
          itsOpened,
          itsClosed,
          itsCollected,
          itsLost,
          itsOpen,
          itsBytes,
          itsLostBytes,
          samples,
          exact,
          itsMargins,
          ways);
    }

    /**
     * Whether its bytes are known, or estimated with a margin that tells something. Arenas get
     * theirs after they were opened: {@link Filled}.
     */
    public boolean tellsBytes() {
      return !Kinds.isCloseable(kind)
          && (!kind.startsWith("arena.")
              || margins == null
              || (margins.bytes() == 0 && margins.lostBytes() == 0));
    }
  }

  /**
   * One way from a line of the program to what was opened. The figures of all of them add up to
   * those of the site.
   *
   * @param own which of the frames is the line
   */
  public record Path(
      List<String> frames,
      int own,
      long opened,
      long collected,
      long open,
      long bytes,
      long lost,
      long lostBytes) {}

  /**
   * Memory that one place allocated from arenas, which another one may have opened: an estimate
   * from samples of the arenas whose opening was not sampled. {@link Site} has those openings.
   *
   * @param kind of the arenas
   * @param frames innermost first, of the way by which most was allocated
   * @param own which of the frames is the line
   * @param through the code sources between the line and the allocation
   * @param bytes of the open ones
   * @param samples how many stacks that is made of
   * @param margin of the bytes
   * @param lostMargin of the bytes lost
   */
  public record Filled(
      String kind,
      List<String> frames,
      int own,
      List<String> through,
      long bytes,
      long lostBytes,
      long samples,
      long margin,
      long lostMargin) {
    public CallSite at() {
      return new CallSite(frames, own, through);
    }
  }

  /**
   * How far off estimates may be: the true figure is within the margin 95 times in 100. 0 where
   * nothing is estimated.
   */
  public record Margins(long open, long bytes, long lost, long lostBytes) {}

  /** Handles of a type, of all copies of the library in the program. */
  public record Handles(String type, long opened, long closed, long forgotten, long open) {}

  /**
   * Handles of a type that were opened at one place and forgotten.
   *
   * @param frames empty if no site was recorded
   * @param own which of the frames is the line
   */
  public record HandleLeak(String type, long count, List<String> frames, int own, String level) {
    public CallSite at() {
      return new CallSite(frames, own, List.of());
    }
  }

  /**
   * A pool of native memory.
   *
   * @param forgottenArenas of a Go program: how many a cleanup freed; elsewhere arenas are handles
   */
  public record Pool(
      String pool,
      long limit,
      long reserved,
      long committed,
      long handedOut,
      long used,
      long forgottenArenas,
      List<Owner> owners) {}

  /** Whom bytes of a pool are charged to. */
  public record Owner(String owner, long committed, long handedOut, long used) {}

  /**
   * Allocators of buffers, of a library in the program: Netty's. Their chunks are in the counts of
   * direct buffers, arenas or {@code Unsafe}, too.
   *
   * @param type the class of the allocators
   * @param allocators how many of them have chunks
   * @param chunks -1 if it is not known
   * @param kept bytes of the chunks
   * @param used bytes of the chunks that are in buffers in use; -1 if it is not known
   */
  public record BufferPool(String type, long allocators, long chunks, long kept, long used) {
    /** To begin a sentence. */
    public String name() {
      return "Netty's " + simpleName();
    }

    private String simpleName() {
      return type.substring(type.lastIndexOf('.') + 1);
    }

    public boolean isOf(String buffer) {
      String own = type.substring(0, type.lastIndexOf('.') + 1);
      return buffer.startsWith(own)
          && buffer.contains(simpleName().startsWith("Adaptive") ? "Adaptive" : "Pooled");
    }
  }

  /**
   * Where a pool's chunks lie.
   *
   * @param rows a character a cell, by address
   */
  public record ChunkMap(String pool, long cellBytes, List<String> rows) {}

  /** Collections that a place forced since direct memory was short. */
  public record Forced(long count, List<String> frames, int own) {
    public CallSite at() {
      return new CallSite(frames, own, List.of());
    }
  }

  public record Finalizers(String type, long registered, long run) {}

  /** Work that the agent kept the program from. */
  public record Saved(String feature, long done, long saved, String unit) {}

  public record Loaders(long loaders, long committed, long used) {}

  /**
   * Where resident memory is.
   *
   * @param resident -1 if it is not known
   * @param residentPeak the most that it was; -1 if it is not known
   * @param containerLimit null without one
   * @param accounted whether somebody looked where it is: the sum of the parts is then what is
   *     resident; otherwise there are none
   * @param remarks what is no part, a sentence each: threads, swap space, the heap's limit
   * @param growing parts and kinds that rose over the run, the fastest first
   */
  public record Memory(
      long resident,
      long residentPeak,
      @Nullable Long containerLimit,
      boolean accounted,
      List<Part> parts,
      List<String> remarks,
      List<Growth> growing) {
    Memory with(List<String> moreRemarks, List<Growth> otherGrowing) {
      return new Memory(
          resident,
          residentPeak,
          containerLimit,
          accounted,
          parts,
          Stream.concat(remarks.stream(), moreRemarks.stream()).toList(),
          otherGrowing);
    }

    Memory with(UnaryOperator<String> names) {
      return new Memory(
          resident,
          residentPeak,
          containerLimit,
          accounted,
          parts.stream().map(part -> new Part(names.apply(part.part()), part.bytes())).toList(),
          remarks.stream().map(names).toList(),
          growing.stream().map(growth -> growth.with(names)).toList());
    }

    public long part(String name) {
      return parts.stream().filter(p -> p.part().equals(name)).mapToLong(Part::bytes).sum();
    }
  }

  public record Part(String part, long bytes) {}

  /**
   * A part of resident memory, or a kind of resources, that rose over the run.
   *
   * @param part its name
   * @param bytes by which it rose, from the first account or count to the last
   * @param seconds between them
   * @param rate bytes a minute
   * @param least a tenth of the rates between two of them are below this
   * @param most a tenth are above this
   */
  public record Growth(String part, long bytes, double seconds, long rate, long least, long most) {
    private Growth with(UnaryOperator<String> names) {
      return new Growth(names.apply(part), bytes, seconds, rate, least, most);
    }
  }

  public Digest with(Target otherTarget, List<String> otherNotes, List<String> otherLimits) {
    return with(otherTarget, otherNotes, otherLimits, findings);
  }

  public Digest withNotes(List<String> more) {
    List<String> all = Stream.concat(notes.stream(), more.stream()).toList();
    return with(target, all, limits, findings);
  }

  /** The same, with other names of parts of resident memory, and other words in findings. */
  public Digest with(UnaryOperator<String> parts, UnaryOperator<String> sentences) {
    return with(
        target,
        notes,
        limits,
        findings.stream().map(finding -> finding.with(sentences)).toList(),
        memory.with(parts),
        holders == null ? null : holders.with(sentences));
  }

  public Digest with(Holders known) {
    return with(
        target,
        notes,
        limits,
        findings.stream().map(finding -> finding.with(known)).toList(),
        memory,
        known);
  }

  public Digest with(Memory otherMemory, List<Finding> otherFindings) {
    return with(target, notes, limits, otherFindings, otherMemory, holders);
  }

  /**
   * The same, with what the program ended with, if that is not 0, and was not recorded.
   *
   * @param wasFull whether the system killed a process of its control group for lack of memory
   */
  public Digest withEnd(int code, boolean wasFull) {
    List<Finding> others = EndFindings.withEnd(findings, code, wasFull, memory, target.isGo());
    if (others.size() == findings.size()) {
      return this;
    }
    List<String> otherLimits = new ArrayList<>(limits);
    otherLimits.add(others.getLast().title() + ".");
    return with(target, notes, otherLimits, others);
  }

  private Digest with(
      Target otherTarget,
      List<String> otherNotes,
      List<String> otherLimits,
      List<Finding> otherFindings) {
    return with(otherTarget, otherNotes, otherLimits, otherFindings, memory, holders);
  }

  private Digest with(
      Target otherTarget,
      List<String> otherNotes,
      List<String> otherLimits,
      List<Finding> otherFindings,
      Memory otherMemory,
      @Nullable Holders otherHolders) {
    return new Digest(
        complete,
        otherTarget,
        otherNotes,
        otherLimits,
        gaps,
        coverage,
        kinds,
        closeables,
        watchedClasses,
        sites,
        filled,
        handles,
        handleLeaks,
        pools,
        bufferPools,
        forcedCollections,
        finalizers,
        saved,
        loaders,
        otherMemory,
        otherFindings,
        series,
        maps,
        callers,
        otherHolders);
  }

  /** Whether the program's main method was called, as far as is known. */
  public boolean hasStarted() {
    return findings.stream().noneMatch(f -> f.what() == Finding.What.NOT_STARTED);
  }

  /**
   * Whether anything was counted that could have leaked: by the agent, or by Offcut's libraries in
   * the program.
   */
  public boolean isCounted() {
    return target.isGo()
        ? !coverage.watched().isEmpty()
        : !UNCOUNTED.contains(target.level()) || !handles.isEmpty() || !pools.isEmpty();
  }

  /** The findings that much of what is resident is open. */
  public List<Finding> open() {
    return findings.stream().filter(Finding::isOpen).toList();
  }

  /** The findings of what nobody will free, or the safety net alone did. */
  public List<Finding> leaks() {
    return findings.stream().filter(Finding::isLeak).toList();
  }
}
