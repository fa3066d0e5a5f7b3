package dev.offcut.command.judge;

import dev.offcut.command.read.CallSite;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Holders;
import dev.offcut.command.read.JvmCause;
import dev.offcut.command.read.NativeCallers;
import dev.offcut.resident.Account;
import dev.offcut.resident.Bound;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What supports a finding, in figures; {@link EvidenceText} has a sentence for each. */
public sealed interface Evidence {
  /** The same with other names of files. */
  default Evidence with(UnaryOperator<String> names) {
    return this;
  }

  /**
   * Where most were opened.
   *
   * @param number of so many
   * @param margin how far off that may be
   * @param all there are so many
   * @param others at so many more places
   * @param exact whether the number is a count
   * @param isBytes whether it is bytes, and no number of objects
   */
  record Opened(
      CallSite at, long number, long margin, long all, long others, boolean exact, boolean isBytes)
      implements Evidence {}

  /** Why no place is known. */
  enum Unplaced implements Evidence {
    SOON,
    NOT_SAMPLED,
    NOT_RECORDED,
    NOT_ASKED,
    NOT_ASKED_OF_HANDLES,
    NONE_OF_THEIRS
  }

  /** Where most of the memory of arenas was allocated. */
  record Filled(CallSite at, long bytes, long margin, long all) implements Evidence {}

  /** Where a thread is that does not come back, and for how long. */
  record StuckIn(CallSite at, double seconds) implements Evidence {}

  /** Where most were opened or forced, without figures. {@code done}: what was done there. */
  record Most(String done, CallSite at) implements Evidence {}

  /** Where most of those were opened whose stacks were recorded. */
  record RecordedAt(CallSite at, long number, long others) implements Evidence {}

  /** Where those were allocated that were sampled. */
  record SampledAt(CallSite at, boolean isOnly) implements Evidence {}

  /** How fast something rose. {@code isCount}: objects and no bytes. */
  record Rise(Digest.Growth growth, boolean isCount) implements Evidence {}

  /** What rose in step, or at the same line. */
  record InStep(List<OpenAt> parts) implements Evidence {}

  /** So many are open, of what is called so, opened there. */
  record OpenAt(long open, String words, CallSite at) implements Evidence {}

  /** The public method that ends the object to which they belong. */
  record Ender(String owner, String method) implements Evidence {}

  /** How many were closed only while the JVM shut down, or freed by the last collection. */
  record ClosedAtExit(long number, boolean byCollector) implements Evidence {}

  /** How many more there are than some time before. */
  record More(Digest.Growth growth) implements Evidence {}

  /** When the container's limit is reached at that rate. */
  record Until(long limit, double seconds) implements Evidence {}

  /** When the limit of file descriptors is reached at that rate. */
  record UntilFull(double seconds) implements Evidence {}

  /** Which limit is near. */
  record OfLimit(Bound bound) implements Evidence {
    /** Whether at most a tenth is left of something whose bytes no other finding tells. */
    boolean isFull() {
      return switch (bound.of()) {
        case THREADS, INOTIFY, CLASS_SPACE -> bound.used() >= bound.limit() - bound.limit() / 10;
        case METASPACE, DIRECT_MEMORY, MEMORY -> false;
      };
    }
  }

  /** How many are open now. {@code bytes}: negative if they are not known. */
  record Now(long open, long bytes) implements Evidence {}

  /** How much is held now. */
  record NowHeld(long bytes, long margin) implements Evidence {}

  /** Memory that nothing claims, and that the objects most likely have. */
  record Holds(Unclaimed.Share share) implements Evidence {
    @Override
    public Evidence with(UnaryOperator<String> names) {
      return new Holds(share.with(names));
    }
  }

  /** Few objects that may have the memory. */
  record Suspects(List<Unclaimed.Many> all) implements Evidence {}

  /** What malloc most likely keeps of it. */
  record KeptByMalloc(long bytes) implements Evidence {}

  /** How long half of it has been there. */
  record Since(double seconds) implements Evidence {}

  /** What holds the objects, those that hold most first. */
  record HeldBy(List<Holders.Held> ways) implements Evidence {
    @Override
    public Evidence with(UnaryOperator<String> names) {
      return new HeldBy(ways.stream().map(way -> way.with(names)).toList());
    }
  }

  /** The largest files that are mapped. */
  record Files(List<File> all) implements Evidence {}

  /** The system drops pages of files when memory is short. */
  record Dropped() implements Evidence {}

  /** A file, without its folder. */
  record File(String name, long bytes, boolean isDeleted) {}

  /** What most threads are called. */
  record ThreadNames(List<Account.Group> names, boolean exact) implements Evidence {}

  /** The class of whose loaders there are most. */
  record Loaders(Account.Group group) implements Evidence {}

  /** Nobody has collected yet: loaders that nothing refers to are among them. */
  record Uncollected() implements Evidence {}

  /**
   * A kind that may have to do with it.
   *
   * @param why what it says of that
   * @param number how many are open, or how many bytes it had at its peak
   * @param at where most of them were opened, if that is known
   * @param isOne whether only one ever was
   */
  record Related(Why why, String kind, long number, CallSite at, boolean isOne)
      implements Evidence {
    enum Why {
      ARENAS_FOR_FILES,
      HAD_AT_PEAK
    }
  }

  /** What file descriptors are of, and which files are open several times. */
  record Kinds(List<Account.Group> kinds, List<Account.Group> files, boolean exact)
      implements Evidence {}

  /** How much the JVM's compiler took and freed. */
  record OfCompiler(long bytes) implements Evidence {}

  /** What a pool's owners hold. */
  record HandedOut(long bytes) implements Evidence {}

  /** How many buffers of a pool are not released. */
  record Unreleased(long count) implements Evidence {}

  /** How much of malloc was taken for the JVM's own part; negative if that part is known. */
  record OwnMalloc(long guessed) implements Evidence {}

  /** Bytes that were allocated besides, and nobody has written to. */
  record Untouched(long bytes) implements Evidence {}

  /**
   * What threads that wait for the collector freed, in bytes.
   *
   * @param seconds how long it waited, on average, from its taking on
   * @param liberators what these threads run
   */
  record FreedLate(long bytes, double seconds, List<String> liberators) implements Evidence {
    /** What was taken at a line. */
    static FreedLate of(NativeCallers.Line line) {
      return new FreedLate(line.late(), line.lateMillis() / 1000, line.liberators());
    }
  }

  /** How much of what is resident it is. */
  record OfResident(long bytes, long resident) implements Evidence {}

  /**
   * When most was resident.
   *
   * @param seconds after the first account
   * @param end what was resident at the end
   * @param more what had more then than at the end
   */
  record AtPeak(double seconds, long end, List<Digest.Part> more) implements Evidence {}

  /** A line that held so much once, which need not be when most was resident. */
  record LineAtPeak(String line, long bytes) implements Evidence {}

  /** It is in a table of the JVM, which the program fills. */
  record OfJvm(JvmCause cause) implements Evidence {}

  /** The native functions that took most. */
  record Functions(List<NativeCallers.Function> all) implements Evidence {}

  /** The lines that took most. */
  record Lines(List<NativeCallers.Function> most) implements Evidence {}

  /** Who takes what malloc has, and why nobody saw it. */
  enum Taker implements Evidence {
    GO,
    LIBRARIES,
    UNSEEN
  }

  /** Whether other things account for it: of a Go program, and by what is known. */
  record Unaccounted(boolean isGo) implements Evidence {}

  /** How many there are, and what they have. */
  record Metaspace(long loaders, long committed) implements Evidence {}

  /** Why the program did not start. */
  record Reason(String reason) implements Evidence {
    @Override
    public Evidence with(UnaryOperator<String> names) {
      return new Reason(names.apply(reason));
    }
  }

  /**
   * How the program ended.
   *
   * @param thrown the class of what its main method threw; or empty
   * @param isRecorded whether the program itself said so, with all its counts
   * @param wasFull whether its container was full meanwhile
   * @param limit of that; null if it is not known
   */
  record End(String thrown, boolean isRecorded, boolean isGo, boolean wasFull, @Nullable Long limit)
      implements Evidence {}

  /** Findings that a file has. */
  record LeftOut(List<Finding> all) implements Evidence {
    @Override
    public Evidence with(UnaryOperator<String> names) {
      return new LeftOut(all.stream().map(one -> one.with(names)).toList());
    }
  }

  /** What a file has of the same finding; 0: it is not known. */
  record GotWorse(String file, long count, long bytes) implements Evidence {
    @Override
    public Evidence with(UnaryOperator<String> names) {
      return new GotWorse(names.apply(file), count, bytes);
    }
  }

  /** Who had memory when that was last looked at. */
  record LastAccount(long resident, List<Digest.Part> most) implements Evidence {
    @Override
    public Evidence with(UnaryOperator<String> names) {
      return new LastAccount(
          resident,
          most.stream()
              .map(part -> new Digest.Part(names.apply(part.part()), part.bytes()))
              .toList());
    }
  }
}
