package dev.offcut.command.judge;

import static dev.offcut.command.read.Figures.bytes;
import static dev.offcut.command.read.Figures.count;
import static dev.offcut.command.read.Figures.seconds;

import dev.offcut.command.judge.Evidence.ClosedAtExit;
import dev.offcut.command.judge.Evidence.End;
import dev.offcut.command.judge.Evidence.FreedLate;
import dev.offcut.command.judge.Evidence.Holds;
import dev.offcut.command.judge.Evidence.KeptByMalloc;
import dev.offcut.command.judge.Evidence.Opened;
import dev.offcut.command.judge.Evidence.Rise;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Kinds;
import dev.offcut.resident.Bound;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The words of a finding: a title, what is known, and what to do. No other class has any, and none
 * reads them.
 */
public final class Sentences {
  /** What ends with a signal has 128 and its number. */
  private static final int ABORTED = 134;

  private static final int PANICKED = 2;
  private static final int BUS = 135;
  private static final int KILLED = 137;
  private static final int FAULT = 139;

  private static final String UNTOLD =
      "The counts are those that it published last, mostly less than a second before. Resources"
          + " that it closed later, or would have closed at its end, count as open.";

  private static final String NO_MISTAKE = "This is intended if they belong to a cache or a pool.";

  private Sentences() {}

  static String title(Finding of) {
    return switch (of.what()) {
      case NOT_STARTED -> "The program did not start";
      case ENDED -> "The program ended with " + exit(of);
      case STUCK -> stuck(of);
      case LOST_KIND ->
          "%s %s lost%s"
              .formatted(
                  count(of.count()),
                  words(of, of.count()),
                  of.first(Holds.class)
                      .map(its -> ", and " + EvidenceText.phrase(its.share()))
                      .orElse(of.bytes() > 0 ? ": " + bytes(of.bytes()) + " never freed" : ""));
      case LOST_OBJECTS ->
          count(of.count())
              + " "
              + ofOwner(of, of.count())
              + openedAt(of)
              + (of.count() == 1 ? " was" : " were")
              + " never closed and can no longer be closed"
              + mostLikely(of, of.count() == 1 ? "it holds " : "they hold ");
      case LATE ->
          "%s of %s %s%s left to the collector%s%s%s"
              .formatted(
                  count(of.count()),
                  count(of.of()),
                  ofOwner(of, of.of()),
                  openedAt(of),
                  of.first(FreedLate.class)
                      .map(
                          its -> ": up to " + bytes(of.bytes()) + " of malloc memory waited for it")
                      .orElse(""),
                  of.first(Evidence.Dropped.class)
                      .map(its -> ": up to " + bytes(of.bytes()) + " of mapped files waited for it")
                      .orElse(""),
                  of.first(KeptByMalloc.class)
                      .map(its -> "; malloc keeps " + bytes(its.bytes()))
                      .orElse(""));
      case GROWING_KIND -> words(of, 2) + aMinute(of);
      case GROWING_OBJECTS, KEPT_OBJECTS ->
          count(of.count())
              + " "
              + ofOwner(of, of.count())
              + of.first(Opened.class).map(its -> " opened " + its.at().atLine()).orElse("")
              + (of.first(ClosedAtExit.class).isPresent() ? " were open at the end" : " are open")
              + aMinute(of)
              + mostLikely(of, "they hold ");
      case GROWING_PART -> of.subject() + aMinute(of);
      case OPEN_KIND ->
          count(of.count()) + " " + words(of, of.count()) + " open: " + bytes(of.bytes());
      case OPEN_OBJECTS ->
          "%s %s%s%s open%s%s"
              .formatted(
                  count(of.count()),
                  ofOwner(of, of.count()),
                  openedAt(of),
                  are(of.count()),
                  aMinute(of),
                  mostLikely(of, "they hold "));
      case FORGOTTEN_HANDLES ->
          count(of.count()) + " of " + count(of.of(), of.subject() + " handle") + " forgotten";
      case OPEN_HANDLES ->
          count(of.count(), of.subject() + " handle")
              + are(of.count())
              + " open"
              + (of.bytes() > 0 ? ": at least " + bytes(of.bytes()) : "");
      case LOST_POOL ->
          "the pool " + of.subject() + " is lost: " + bytes(of.bytes()) + " never freed";
      case FORGOTTEN_ARENAS ->
          count(of.count(), "arena") + " of the pool " + of.subject() + " forgotten";
      case FORCED_COLLECTIONS -> count(of.count(), "collection") + " forced by direct memory";
      case UNFORCED_COLLECTIONS -> "System.gc() was called";
      case FINALIZERS -> count(of.count()) + " objects of " + of.subject() + " have a finalizer";
      case KNOWN ->
          count(of.count(), "known finding") + are(of.count()) + " left out (" + of.subject() + ")";
      case UNUSED_METASPACE -> bytes(of.of()) + " of metaspace are committed but not used";
      case UNEXPLAINED -> bytes(of.of()) + " of resident memory are unexplained";
      case FREE_HEAP -> bytes(of.of()) + " of free Java heap stay resident";
      case PEAK ->
          "%s were resident %s after the first measurement%s"
              .formatted(
                  bytes(of.of()),
                  of.first(Evidence.AtPeak.class).map(its -> seconds(its.seconds())).orElse(""),
                  of.first(Evidence.OfCompiler.class)
                      .map(its -> ", most likely for the JVM's compiler")
                      .orElse(""));
      case MAPPED_FILES -> bytes(of.bytes()) + " of mapped files are resident";
      case THREADS -> count(of.count(), "thread") + " have " + bytes(of.bytes()) + " of stacks";
      case DESCRIPTORS ->
          count(of.count(), "file descriptor")
              + are(of.count())
              + " open"
              + (of.of() > 0 ? "; the limit is " + count(of.of()) : "");
      case LIMIT -> of.first(Evidence.OfLimit.class).map(its -> near(its.bound())).orElse("");
      case LOADERS ->
          "%s class loaders of the class %s hold %s of metaspace"
              .formatted(count(of.count()), of.subject(), bytes(of.bytes()));
      case IDLE_POOL ->
          "pool %s holds %s, %s of it in use"
              .formatted(of.subject(), bytes(of.of()), bytes(of.of() - of.bytes()));
      case IDLE_BUFFERS ->
          "%s keeps %s, %s of it in buffers in use"
              .formatted(
                  of.subject(), Kinds.inChunks(of.of(), of.count()), bytes(of.of() - of.bytes()));
      case MALLOC ->
          "about %s of malloc memory in use, taken by code that is not tracked"
              .formatted(bytes(of.bytes()));
      case ALLOCATOR ->
          (of.of() > of.bytes() ? "about " : "")
              + bytes(of.bytes())
              + (of.count() > 0 ? " belong to " : " may belong to ")
              + of.subject();
      case KEPT ->
          bytes(of.bytes())
              + " of free memory that malloc keeps"
              + (of.first(Evidence.OfCompiler.class).isPresent()
                  ? ", most likely of the JVM's compiler"
                  : "");
      case NATIVE_LINE ->
          of.severity() == Finding.Severity.GROWING
              ? what(of) + " allocated at " + of.subject() + aMinute(of)
              : held(of) + " of " + what(of) + " still held, allocated at " + of.subject();
      case NATIVE_LATE ->
          "up to "
              + bytes(of.bytes())
              + " of malloc memory waited for the garbage collector, allocated at "
              + of.subject()
              + (of.severity() == Finding.Severity.GROWING ? "," + aMinute(of) : "");
      case NATIVE_MAPPED ->
          bytes(of.bytes()) + " of memory mapped by a native library, taken at " + of.subject();
      case NATIVE_LINES ->
          "%s of malloc memory still held, allocated at %s"
              .formatted(held(of), count(of.count(), of.of() > of.count() ? "more line" : "line"));
    };
  }

  private static String stuck(Finding of) {
    return "the thread "
        + of.subject()
        + " has been in "
        + of.at().own()
        + " for "
        + of.first(Evidence.StuckIn.class).map(its -> seconds(its.seconds())).orElse("long")
        + (of.count() == 0
            ? ""
            : "; "
                + count(of.count(), "object")
                + (of.count() == 1 ? " waits" : " wait")
                + " behind it"
                + (of.bytes() > 0 ? ", with " + bytes(of.bytes()) : ""));
  }

  /** {@code exit code N}, with the signal that it stands for. */
  public static String exit(Finding end) {
    return "exit code %s%s"
        .formatted(
            end.count(),
            switch ((int) end.count()) {
              case ABORTED -> " (SIGABRT)";
              case BUS -> " (SIGBUS)";
              case KILLED -> " (SIGKILL)";
              case FAULT -> " (SIGSEGV)";
              default -> "";
            });
  }

  private static String what(Finding of) {
    return of.first(Evidence.OfJvm.class).map(its -> its.cause().words()).orElse("malloc memory");
  }

  private static String held(Finding of) {
    return "about " + bytes(of.bytes(), of.margin(), Long.MAX_VALUE);
  }

  private static String near(Bound its) {
    String numbers = count(its.used()) + " of at most " + count(its.limit());
    String sizes = bytes(its.used()) + " of at most " + bytes(its.limit());
    return switch (its.of()) {
      case THREADS -> "the container has " + numbers + " threads and processes";
      case INOTIFY -> "the process has " + numbers + " instances of inotify";
      case CLASS_SPACE -> "class space has " + sizes;
      case METASPACE -> "metaspace has " + sizes;
      case DIRECT_MEMORY -> "direct buffers have " + sizes;
      case MEMORY -> "the container has " + sizes + " of memory";
    };
  }

  private static String aMinute(Finding of) {
    return of.first(Rise.class)
        .map(its -> its.isCount() ? count(its.growth().rate()) : bytes(its.growth().rate()))
        .map(rate -> ": " + rate + " more a minute")
        .orElse("");
  }

  private static String mostLikely(Finding of, String theyHold) {
    return of.first(Holds.class)
        .map(its -> "; most likely " + theyHold + EvidenceText.phrase(its.share()))
        .orElse("");
  }

  /** The line, if all, or most, were opened there. */
  private static String openedAt(Finding of) {
    return of.first(Opened.class)
        .map(
            its ->
                its.others() == 0
                    ? " opened " + its.at().atLine()
                    : its.number() > its.all() / 2
                        ? ", most opened " + its.at().atLine() + ","
                        : "")
        .orElse("");
  }

  private static String words(Finding of, long count) {
    Digest.Closeable rule = of.rule();
    if (rule == null) {
      return Kinds.words(String.valueOf(of.kind()), count);
    }
    return rule.words(count)
        + (rule.library().startsWith("--")
                || rule.library().isEmpty()
                || rule.library().equals("the JDK")
            ? ""
            : " of " + rule.library());
  }

  private static String ofOwner(Finding of, long count) {
    Digest.Closeable rule = of.rule();
    String one = rule == null ? "" : rule.words(1).replace(" ", "");
    return of.subject().isEmpty() || one.equalsIgnoreCase(of.subject())
        ? words(of, count)
        : (rule == null ? words(of, count) : rule.words(count)) + " of " + of.subject();
  }

  private static String are(long count) {
    return count == 1 ? " is" : " are";
  }

  static String text(Finding of) {
    List<String> all = new ArrayList<>();
    all.add(lead(of));
    of.evidence().forEach(one -> all.add(EvidenceText.of(one)));
    String advice = advice(of);
    if (advice != null) {
      all.add("To do: " + advice);
    }
    return all.stream().filter(one -> !one.isEmpty()).collect(Collectors.joining(" "));
  }

  private static String lead(Finding of) {
    return switch (of.what()) {
      case ENDED -> of.first(End.class).map(end -> ended(of.count(), end)).orElse("");
      case LOST_KIND ->
          "The program dropped the last reference without closing them. Nothing frees them before the"
              + " program ends.";
      case LOST_OBJECTS -> "The program dropped the last reference to them.";
      case LATE -> "The program did not close them. " + liberator(of) + " freed them later.";
      case KEPT_OBJECTS ->
          "They came after the program had started, and hardly any was closed. " + NO_MISTAKE;
      case OPEN_KIND, OPEN_OBJECTS ->
          "The program still holds them" + share(of) + ". " + NO_MISTAKE;
      case FORGOTTEN_HANDLES -> "The program did not close them; the safety net released them.";
      case OPEN_HANDLES -> "They are reachable, or no collection has found them yet. " + NO_MISTAKE;
      case LOST_POOL ->
          "The program dropped the last reference to the pool without closing it. Nothing frees its"
              + " memory before the program ends.";
      case FORGOTTEN_ARENAS -> "The program did not close them; a cleanup freed them.";
      case FORCED_COLLECTIONS ->
          "Direct buffers reached -XX:MaxDirectMemorySize, so the JDK collected the whole heap to free"
              + " unused buffers.";
      case UNFORCED_COLLECTIONS ->
          "The agent saw no garbage collection that direct memory forced. It is not proven that the"
              + " agent can see such collections on this JDK.";
      case FINALIZERS ->
          "Each of them survives one more collection, and one thread finalizes all of them.";
      case IDLE_BUFFERS ->
          "Netty frees a chunk only if no part of it is in use or in a thread's cache.";
      case ALLOCATOR ->
          (of.count() > 0
                  ? "The allocator's own tables say so."
                  : "A native library contains this allocator, whose tables could not be read, and"
                      + " nothing else claims the memory.")
              + " It is not known which code uses it, and how much of it is free.";
      case KEPT ->
          (of.first(Evidence.OfCompiler.class).isPresent() ? "The JVM" : "The program")
              + " freed this memory, but malloc did not give it back to the system.";
      case NATIVE_LINE ->
          of.severity() == Finding.Severity.GROWING
              ? ""
              : of.first(Evidence.OfJvm.class).isPresent()
                  ? ""
                  : ("Native code that this line called has not freed this memory%s. This is intended"
                          + " if the memory belongs to a cache.")
                      .formatted(share(of));
      case NATIVE_LATE ->
          "The program did not free it; threads that wait for the garbage collector did.";
      case NATIVE_MAPPED ->
          "The library has it from the system, and not from malloc: most likely for an allocator of"
              + " its own.";
      case NATIVE_LINES ->
          of.severity() == Finding.Severity.GROWING
              ? ""
              : "None of these lines has much by itself.";
      case STUCK ->
          "It frees what became unreachable, one object after the other. Until it comes back, nothing"
              + " of that is freed.";
      case NOT_STARTED,
          GROWING_KIND,
          GROWING_OBJECTS,
          GROWING_PART,
          UNUSED_METASPACE,
          KNOWN,
          UNEXPLAINED,
          FREE_HEAP,
          PEAK,
          MAPPED_FILES,
          THREADS,
          DESCRIPTORS,
          LIMIT,
          LOADERS,
          IDLE_POOL,
          MALLOC ->
          "";
    };
  }

  /** What was asked for need not be resident; and what was is told of some seconds before. */
  private static String share(Finding of) {
    return of.share() == 0
        ? ""
        : "; the requested bytes equal " + Math.round(100 * of.share()) + " % of resident memory";
  }

  private static String liberator(Finding of) {
    Digest.Closeable rule = of.rule();
    return rule == null ? "The garbage collector" : rule.liberator();
  }

  private static String ended(long code, End end) {
    String covered = "This report covers what it did until then.";
    if (end.isRecorded()) {
      return (end.thrown().isEmpty() ? "" : "Its main method threw " + end.thrown() + ". ")
          + covered;
    }
    return switch ((int) code) {
      case KILLED -> killed(end) + UNTOLD;
      case ABORTED, BUS, FAULT ->
          (end.isGo()
                  ? "It crashed; what the Go runtime wrote to stderr says where. "
                  : "It crashed; the file hs_err_pid… of the JVM says where. ")
              + UNTOLD;
      case PANICKED ->
          end.isGo()
              ? "A Go program ends so after a panic or a fatal error; its stderr then says where. "
                  + UNTOLD
              : covered;
      default -> covered;
    };
  }

  /** Whether the program could not tell its last counts when it ended so. */
  static boolean isUntold(int code, boolean isGo) {
    return code == KILLED
        || code == ABORTED
        || code == BUS
        || code == FAULT
        || (code == PANICKED && isGo);
  }

  private static String killed(End end) {
    Long limit = end.limit();
    return end.wasFull()
        ? "While it ran, its container reached its memory limit"
            + (limit == null ? "" : " of " + bytes(limit))
            + ", and the system killed a process in it: most likely this one. "
        : "A user killed it, or the system killed it because memory was used up. In the second case"
            + " the kernel's log says so (`dmesg`). ";
  }

  static @Nullable String advice(Finding of) {
    if (of.advice().isEmpty()) {
      return null;
    }
    Digest.Closeable rule = of.rule();
    StringBuilder text = new StringBuilder();
    for (Advice one : of.advice()) {
      text.append(
          one == Advice.OWNER
              ? of.first(Evidence.Ender.class)
                  .map(its -> "end each " + its.owner() + " with " + its.method() + "().")
                  .orElse("")
              : one != Advice.OF_KIND
                  ? one.text()
                  : (rule == null ? Kinds.remedy(String.valueOf(of.kind())) : rule.advice()) + ".");
    }
    return text.toString();
  }
}
