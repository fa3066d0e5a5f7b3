package dev.offcut.command.judge;

import static dev.offcut.command.read.Figures.bytes;
import static dev.offcut.command.read.Figures.count;
import static dev.offcut.command.read.Figures.seconds;

import dev.offcut.command.judge.Evidence.Filled;
import dev.offcut.command.judge.Evidence.Opened;
import dev.offcut.command.judge.Evidence.Related;
import dev.offcut.command.read.CallSite;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Figures;
import dev.offcut.command.read.Holders;
import dev.offcut.command.read.Kinds;
import dev.offcut.command.read.NativeCallers;
import dev.offcut.resident.Account;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A sentence for each {@link Evidence}; the part of {@link Sentences} that supports a finding. */
final class EvidenceText {
  private static final int MOST_NAMES = 3;

  /** How a function is written of which the library alone is known. */
  private static final String NAMELESS = "?(";

  private EvidenceText() {}

  static String of(Evidence of) {
    return switch (of) {
      case Opened its -> opened(its);
      case Evidence.Unplaced its -> unplaced(its);
      case Filled its ->
          "About %s of their memory was allocated %s."
              .formatted(
                  bytes(Math.min(its.all(), its.bytes()), its.margin(), its.all()),
                  its.at().atOwn());
      case Evidence.Most its -> "Most were " + its.done() + " " + its.at().atOwn() + ".";
      case Evidence.RecordedAt its ->
          its.others() == 0
              ? "All those recorded were opened " + its.at().atOwn() + "."
              : "Of those recorded, %s were opened %s, others at %s."
                  .formatted(
                      count(its.number()), its.at().atOwn(), count(its.others(), "more call site"));
      case Evidence.SampledAt its ->
          (its.isOnly() ? "All" : "Most")
              + " of those sampled were allocated "
              + its.at().atOwn()
              + ".";
      case Evidence.OfResident its ->
          "They are " + 100 * its.bytes() / its.resident() + " % of resident memory.";
      case Evidence.AtPeak its ->
          "At the end "
              + bytes(its.end())
              + " were."
              + (its.more().isEmpty()
                  ? ""
                  : " Near the peak there was more of: %s."
                      .formatted(
                          joined(
                              its.more(), part -> part.part() + " (" + bytes(part.bytes()) + ")")));
      case Evidence.LineAtPeak its ->
          "At its own peak, malloc memory that was allocated at %s had %s."
              .formatted(its.line(), bytes(its.bytes()));
      case Evidence.OfLimit its ->
          switch (its.bound().of()) {
            case THREADS -> "At the limit no thread can be started: OutOfMemoryError.";
            case INOTIFY ->
                "They are counted for the user, whose other processes may have more of them. At the"
                    + " limit no WatchService can be opened.";
            case CLASS_SPACE, METASPACE -> "At the limit no class can be loaded: OutOfMemoryError.";
            case DIRECT_MEMORY ->
                "At the limit each further buffer forces a collection, and if that frees nothing,"
                    + " OutOfMemoryError.";
            case MEMORY -> "At the limit the system kills a process of the container.";
          };
      case Evidence.OfJvm its ->
          switch (its.cause()) {
            case STRINGS ->
                "The JVM keeps each interned string in this table until nothing else refers to the"
                    + " string.";
            case SYMBOLS -> "The table has the names of classes, methods and fields.";
            case REFERENCES -> "Native code keeps each of them until it deletes it.";
            case TAGS -> "An agent of JVMTI tags objects.";
          };
      case Evidence.LeftOut its ->
          its.all().stream()
                  .limit(MOST_NAMES)
                  .map(one -> one.severity() + " " + one.title())
                  .collect(Collectors.joining("; "))
              + (its.all().size() > MOST_NAMES
                  ? "; and " + count(its.all().size() - MOST_NAMES) + " more."
                  : ".");
      case Evidence.GotWorse its ->
          "It is known, but got worse: %s has %s."
              .formatted(
                  its.file(),
                  Stream.of(
                          its.count() > 0 ? count(its.count()) : "",
                          its.bytes() > 0 ? bytes(its.bytes()) : "")
                      .filter(figure -> !figure.isEmpty())
                      .collect(Collectors.joining(" and ")));
      case Evidence.StuckIn its ->
          its.at().ownAt() == 0 ? "" : "It is in " + its.at().frames().getFirst() + ".";
      case Evidence.Rise its -> rise(its.growth(), its.isCount());
      case Evidence.InStep its ->
          "With them came %s."
              .formatted(
                  Figures.joined(
                      its.parts().stream()
                          .map(one -> count(one.open()) + " " + one.words() + at(one.at()))
                          .toList()));
      case Evidence.OpenAt its ->
          count(its.open()) + " " + its.words() + " opened " + its.at().atOwn() + " are open.";
      case Evidence.ClosedAtExit its ->
          its.byCollector()
              ? "The last garbage collection freed %s: nothing referred to them any more."
                  .formatted(count(its.number()))
              : count(its.number()) + " were closed only while the JVM shut down.";
      case Evidence.Ender its -> ""; // the advice has it
      case Evidence.More its ->
          "There are %s more than %s before, a rise of %s a minute."
              .formatted(
                  count(its.growth().bytes()),
                  seconds(its.growth().seconds()),
                  count(its.growth().rate()));
      case Evidence.Until its ->
          "At this rate the container's limit of %s is reached in %s."
              .formatted(bytes(its.limit()), seconds(its.seconds()));
      case Evidence.UntilFull its ->
          "At that rate the limit is reached in %s, and then the program cannot open anything."
              .formatted(seconds(its.seconds()));
      case Evidence.Now its ->
          "Now "
              + count(its.open())
              + " are open"
              + (its.bytes() < 0 ? "." : ", " + bytes(its.bytes()) + ".");
      case Evidence.NowHeld its ->
          "Now about " + bytes(its.bytes(), its.margin(), Long.MAX_VALUE) + " are held.";
      case Evidence.Holds its -> others(its.share());
      case Evidence.Suspects its ->
          "Open objects that may hold this memory: " + many(its.all()) + ".";
      case Evidence.KeptByMalloc its ->
          "Most likely malloc now keeps the memory that they held. `jcmd PID System.trim_native_heap`"
              + " returns this memory to the system at once.";
      case Evidence.Since its ->
          "Half of it has been there for " + seconds(its.seconds()) + " or longer.";
      case Evidence.HeldBy its -> heldBy(its.ways());
      case Evidence.Files its -> files(its.all());
      case Evidence.Dropped its ->
          "When memory is short, the system drops pages of files that were not changed.";
      case Evidence.ThreadNames its ->
          "Most are called %s; numbers in names are left out."
              .formatted(
                  its.names().stream()
                      .limit(MOST_NAMES)
                      .map(group -> group.name() + " (" + number(group, its.exact()) + ")")
                      .collect(Collectors.joining(", ")));
      case Evidence.Loaders its ->
          count(its.group().count(), "class loader")
              + " of the class "
              + its.group().name()
              + (its.group().count() == 1 ? " holds " : " hold ")
              + bytes(its.group().bytes())
              + ".";
      case Evidence.Uncollected its ->
          "Loaders that nothing refers to are among them until a garbage collection unloads their"
              + " classes; `jcmd PID GC.run` runs one.";
      case Related its -> related(its);
      case Evidence.Kinds its ->
          "Of them: "
              + its.kinds().stream()
                  .map(kind -> number(kind, its.exact()) + " " + descriptors(kind))
                  .collect(Collectors.joining(", "))
              + "."
              + (its.files().isEmpty()
                  ? ""
                  : " Files that are open several times: %s."
                      .formatted(
                          its.files().stream()
                              .map(
                                  file ->
                                      file.name() + " (" + number(file, its.exact()) + " times)")
                              .collect(Collectors.joining(", "))));
      case Evidence.OfCompiler its ->
          ("Of the malloc memory that was freed, most was the JVM's compiler's: %s in all."
                  + " It takes much for a very large method, and for many methods at once.")
              .formatted(bytes(its.bytes()));
      case Evidence.HandedOut its ->
          ("Its owners hold chunks of %s. Without a trim, memory goes back to the system in"
                  + " whole granules (64 KiB by default), so one small block keeps a granule.")
              .formatted(bytes(its.bytes()));
      case Evidence.Unreleased its ->
          count(its.count(), "buffer") + (its.count() == 1 ? " is" : " are") + " not released.";
      case Evidence.OwnMalloc its ->
          its.guessed() < 0
              ? "The JVM's own part is not included."
              : ("The JVM's own part is not known; %s, usual for a JVM of this size, were"
                      + " subtracted for it.")
                  .formatted(bytes(its.guessed()));
      case Evidence.Untouched its ->
          ("Another %s were allocated there that take no memory, since nobody has written"
                  + " to them yet.")
              .formatted(bytes(its.bytes()));
      case Evidence.FreedLate its ->
          "In all, about "
              + bytes(its.bytes())
              + " were freed so, on average "
              + seconds(its.seconds())
              + " after they were allocated"
              + (its.liberators().isEmpty()
                  ? "."
                  : ", by %s."
                      .formatted(
                          its.liberators().stream()
                              .limit(MOST_NAMES)
                              .collect(Collectors.joining(", "))));
      case Evidence.Functions its ->
          "The native functions that allocated most: " + functions(its.all()) + ".";
      case Evidence.Lines its ->
          "Most was allocated at %s."
              .formatted(
                  joined(its.most(), line -> line.name() + " (" + bytes(line.bytes()) + ")"));
      case Evidence.Taker its ->
          switch (its) {
            case GO ->
                "C code that the program calls by cgo allocated it, and no collection frees it.";
            case LIBRARIES ->
                "Native libraries allocate such memory for the Java objects that wrap them. NIO allocates"
                    + " it when a thread reads into or writes from a heap buffer;"
                    + " -Djdk.nio.maxCachedBufferSize limits that part.";
            case UNSEEN ->
                "The sampler of malloc did not see it: it was allocated before the sampler began, or by"
                    + " calls that the sampler does not see.";
          };
      case Evidence.Unaccounted its -> unaccounted(its);
      case Evidence.Metaspace its ->
          "%s class loaders have %s of committed metaspace."
              .formatted(count(its.loaders()), bytes(its.committed()));
      case Evidence.Reason its -> its.reason() + ". Nothing is known about its native memory.";
      case Evidence.End its -> ""; // the finding begins with it
      case Evidence.LastAccount its ->
          "In the last account of its memory, %s were resident: %s."
              .formatted(
                  bytes(its.resident()),
                  its.most().stream()
                      .map(part -> bytes(part.bytes()) + " " + part.part())
                      .collect(Collectors.joining("; ")));
    };
  }

  private static String opened(Opened its) {
    String about = its.exact() ? "" : "About ";
    if (its.isBytes()) {
      return about
          + bytes(its.number(), its.margin(), its.all())
          + " of that were opened "
          + its.at().atOwn()
          + ", the rest at "
          + count(its.others(), "more call site")
          + ".";
    }
    if (its.others() == 0 && !its.exact()) {
      return "All those sampled were opened " + its.at().atOwn() + ".";
    }
    return about
        + count(Math.min(its.all(), its.number()), its.margin(), its.all())
        + " were opened "
        + its.at().atOwn()
        + (its.others() > 0 ? ", others at " + count(its.others(), "more call site") : "")
        + ".";
  }

  private static String unplaced(Evidence.Unplaced why) {
    return switch (why) {
      case SOON -> "Call sites are reported every two seconds.";
      case NOT_SAMPLED -> "None of their openings was sampled; --level full records every stack.";
      case NOT_RECORDED -> "No stack of theirs was recorded.";
      case NOT_ASKED -> "--level sample or full records where they were opened.";
      case NOT_ASKED_OF_HANDLES ->
          "-Doffcut.handle.detection=sample or full records where they were opened.";
      case NONE_OF_THEIRS -> "None of their stacks was recorded; --level full records every stack.";
    };
  }

  /** Nothing of code that the JDK alone called. */
  private static String at(CallSite at) {
    return at.isJdks() ? "" : " " + at.atLine();
  }

  private static String rise(Digest.Growth growth, boolean isCount) {
    Function<Long, String> figure = isCount ? Figures::count : Figures::bytes;
    return (isCount ? "The number of open objects" : "It")
        + " rose by "
        + figure.apply(growth.bytes())
        + " in "
        + seconds(growth.seconds())
        + (isCount ? ", by " : ". Between two measurements it mostly rose by ")
        + figure.apply(growth.least())
        + " to "
        + figure.apply(growth.most())
        + " a minute.";
  }

  private static String heldBy(List<Holders.Held> ways) {
    if (ways.isEmpty()) {
      return "When the heap was dumped, none of them was in it any more.";
    }
    List<String> most = new ArrayList<>();
    for (Holders.Held held : ways.subList(0, Math.min(MOST_NAMES, ways.size()))) {
      most.add(held.by() + ": " + count(held.count()));
    }
    if (ways.size() > MOST_NAMES) {
      List<Holders.Held> rest = ways.subList(MOST_NAMES, ways.size());
      most.add(count(rest.size(), "other path") + ": " + count(Holders.sum(rest)));
    }
    return "What holds them: " + String.join("; ", most) + ".";
  }

  private static String files(List<Evidence.File> all) {
    List<Evidence.File> deleted = all.stream().filter(Evidence.File::isDeleted).toList();
    long bytes = deleted.stream().mapToLong(Evidence.File::bytes).sum();
    return (all.size() == 1 ? "The largest is " : "The largest are ")
        + joined(
            all.stream()
                .limit(MOST_NAMES)
                .map(file -> new NativeCallers.Function(file.name(), file.bytes()))
                .toList(),
            file -> file.name() + " (" + bytes(file.bytes()) + ")")
        + (all.size() > MOST_NAMES
            ? "; " + count(all.size() - MOST_NAMES) + " more files have at least 1 MiB."
            : ".")
        + (deleted.isEmpty()
            ? ""
            : " "
                + count(deleted.size())
                + (deleted.size() == 1
                    ? " of these files was deleted and is still mapped: "
                    : " of these files were deleted and are still mapped: ")
                + bytes(bytes)
                + ". Their room on the disk is not free either.");
  }

  private static String related(Related its) {
    String words = Kinds.words(its.kind(), its.why() == Related.Why.HAD_AT_PEAK ? 2 : its.number());
    boolean isOne = its.number() == 1;
    String what =
        switch (its.why()) {
          case ARENAS_FOR_FILES ->
              count(its.number())
                  + " "
                  + words
                  + (isOne ? " is" : " are")
                  + " open without bytes of "
                  + (isOne
                      ? "its own, so files may be mapped into it"
                      : "their own, so files may be mapped into them");
          case HAD_AT_PEAK -> "At their peak " + words + " had " + bytes(its.number());
        };
    return what
        + (its.at().isKnown()
            ? (its.isOne() ? "; it was opened " : "; most were opened ") + its.at().atOwn()
            : "")
        + ".";
  }

  private static String number(Account.Group group, boolean exact) {
    return (exact ? "" : "about ") + count(group.count());
  }

  private static String descriptors(Account.Group kind) {
    return kind.name().equals("other") || kind.count() == 1 ? kind.name() : kind.name() + "s";
  }

  private static String unaccounted(Evidence.Unaccounted its) {
    return its.isGo()
        ? "This anonymous memory does not belong to the Go heap, to malloc, to a thread's stack or to"
            + " a pool. The program, or a C library, may have mapped it for itself."
        : "This anonymous memory does not belong to the JVM, to malloc, to a thread's stack or to a"
            + " pool. A native library may have mapped it for itself.";
  }

  private static <T> String joined(List<T> all, Function<T, String> text) {
    return all.stream().map(text).collect(Collectors.joining(", "));
  }

  /** Native functions with what they hold. */
  static String functions(List<NativeCallers.Function> all) {
    return joined(all, one -> called(one.name()) + ": " + bytes(one.bytes()));
  }

  private static String called(String function) {
    return function.startsWith(NAMELESS)
        ? "functions without a symbol in "
            + function.substring(NAMELESS.length(), function.length() - 1)
        : function;
  }

  /** Memory that objects most likely have, to stand behind a comma. */
  static String phrase(Unclaimed.Share its) {
    String bytes = bytes(its.bytes(), its.margin(), Long.MAX_VALUE);
    return switch (its.source()) {
      case MALLOC -> "about " + bytes + " of malloc memory";
      case SAMPLED -> "about " + bytes + " of " + its.name() + " memory";
      case ALLOCATOR -> "about " + bytes + " of " + its.name();
      case KIND -> bytes + " of " + its.name();
      case POOL -> bytes + " of " + its.name() + " in their pool";
      case POOL_IN_USE ->
          bytes(its.used()) + " of the " + bytes(its.kept()) + " that their pool keeps";
      case FILES -> bytes + " of mapped files are resident";
    };
  }

  /** Who else may have it. */
  private static String others(Unclaimed.Share its) {
    String claim =
        switch (its.source()) {
          case FILES ->
              "They have no bytes of their own, so most likely files are mapped into them."
                  + (its.files().isEmpty() ? "" : " " + files(its.files()));
          case SAMPLED ->
              "The native functions that allocated that memory: %s."
                  .formatted(functions(its.functions()));
          case MALLOC, ALLOCATOR ->
              "No other counted resource accounts for this memory. These objects most likely hold it";
          case KIND -> "These objects most likely hold that memory";
          case POOL, POOL_IN_USE -> "These objects hold parts of that pool";
        };
    return its.source() == Unclaimed.Source.FILES || its.source() == Unclaimed.Source.SAMPLED
        ? claim
        : claim
            + (its.others().isEmpty() ? "" : ", together with " + many(its.others()))
            + ". It is not known how much each of them holds.";
  }

  private static String many(List<Unclaimed.Many> all) {
    List<String> names = new ArrayList<>();
    for (Unclaimed.Many one : all.subList(0, Math.min(MOST_NAMES, all.size()))) {
      names.add(
          count(one.number())
              + " "
              + one.rule().words(one.number())
              + (one.isLost() ? " that are lost" : ""));
    }
    if (all.size() > MOST_NAMES) {
      names.add("objects of " + count(all.size() - MOST_NAMES) + " more classes");
    }
    return Figures.joined(names);
  }
}
