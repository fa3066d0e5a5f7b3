package dev.offcut.command.judge;

import dev.offcut.command.read.CallSite;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.GrowthRates;
import dev.offcut.command.read.Holders;
import dev.offcut.command.read.NativeCallers;
import dev.offcut.rules.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Something to act on, or to know: what a rule found, in figures. {@link Sentences} says it.
 *
 * @param what the rule that found it
 * @param kind of resources; null if it is not about one
 * @param rule of the kind, if that is a class
 * @param subject the name of what it is about, if that is no kind; or empty
 * @param site which of the sites; null if none is known
 * @param at a place that is none of the sites
 * @param count how many objects it is about; 0 if they are not counted
 * @param of of so many
 * @param bytes that are held, or were; 0 if it is not known, or nothing is
 * @param margin how far off the bytes may be
 * @param share the bytes as a share of what is resident; 0 if that is not known
 * @param evidence what supports it, and where and how fast it came
 * @param advice what to do
 */
public record Finding(
    Severity severity,
    What what,
    @Nullable String kind,
    Digest.@Nullable Closeable rule,
    String subject,
    @Nullable Integer site,
    CallSite at,
    long count,
    long of,
    long bytes,
    long margin,
    double share,
    List<Evidence> evidence,
    List<Advice> advice) {
  /** An object whose bytes are not known counts as so many when findings are sorted. */
  private static final long NOMINAL = 16L << 10;

  /** One of a heavy kind, such as a thread or a class loader. */
  private static final long NOMINAL_HEAVY = 16L * NOMINAL;

  /** A rise of the Java heap, which has no line, counts one part in so many. */
  private static final int HEAP_SHARE = 4;

  /** What it is; of two with as many bytes, the one that stands first here comes first. */
  public enum Severity {
    /** Never freed, and nobody can free it any more. */
    LOST,
    /** Not closed by the program; a net released it. */
    FORGOTTEN,
    /** A part of resident memory, or a kind of resources, that rose over the run. */
    GROWING,
    /** Left to the collector. */
    LATE,
    /** Held, and much of what is resident. */
    OPEN,
    /** Much of what is resident are mapped files. */
    MAPPED,
    /** Many threads, whose stacks are much of what is resident. */
    THREADS,
    /** Many class loaders of one class, whose classes are much of what is resident. */
    LOADERS,
    /** Many file descriptors: near their limit, or more and more. */
    DESCRIPTORS,
    /** Another limit is near. */
    LIMIT,
    /** Nothing is wrong, but it costs. */
    COST,
    /** Free, but malloc did not give it back. */
    KEPT,
    /** A pool holds much more than is in use. */
    POOLED,
    /** Good to know. */
    NOTE;

    /** Whether something is to be done, rather than to be known. */
    public boolean isAlarm() {
      return this != COST && this != NOTE;
    }
  }

  /** What a rule looks for. */
  public enum What {
    NOT_STARTED,
    ENDED,
    STUCK,
    LOST_KIND,
    LOST_OBJECTS,
    LATE,
    GROWING_KIND,
    GROWING_OBJECTS,
    KEPT_OBJECTS,
    GROWING_PART,
    OPEN_KIND,
    OPEN_OBJECTS,
    FORGOTTEN_HANDLES,
    OPEN_HANDLES,
    LOST_POOL,
    FORGOTTEN_ARENAS,
    FORCED_COLLECTIONS,
    UNFORCED_COLLECTIONS,
    FINALIZERS,
    UNUSED_METASPACE,
    UNEXPLAINED,
    FREE_HEAP,
    PEAK,
    MAPPED_FILES,
    THREADS,
    DESCRIPTORS,
    LIMIT,
    LOADERS,
    IDLE_POOL,
    IDLE_BUFFERS,
    MALLOC,
    ALLOCATOR,
    KEPT,
    NATIVE_LINE,
    NATIVE_LATE,
    NATIVE_MAPPED,
    NATIVE_LINES,
    KNOWN
  }

  /** How a finding's figure is known. */
  public enum Confidence {
    /** Each one was counted. */
    COUNTED,
    /** It was resident when somebody looked. */
    MEASURED,
    /** Computed from other figures. */
    ESTIMATED,
    /** There is no figure. */
    NONE
  }

  /** What it is, in a line. */
  public String title() {
    return Sentences.title(this);
  }

  /** All that is known of it, what to do included. */
  public String text() {
    return Sentences.text(this);
  }

  /** What to do, a sentence; null if that is not known. */
  public @Nullable String next() {
    return Sentences.advice(this);
  }

  /** The first evidence of a type. */
  <E extends Evidence> Optional<E> first(Class<E> type) {
    return evidence.stream().filter(type::isInstance).map(type::cast).findFirst();
  }

  /** Whether it is that much of what is resident is open. */
  public boolean isOpen() {
    return severity == Severity.OPEN || (severity == Severity.GROWING && kind != null);
  }

  /** Whether it is of what nobody will free, or the safety net alone did. */
  public boolean isLeak() {
    return severity.compareTo(Severity.FORGOTTEN) <= 0;
  }

  /** The known findings that stand behind this one; none if it is not about them. */
  public List<Finding> leftOut() {
    return first(Evidence.LeftOut.class).map(Evidence.LeftOut::all).orElse(List.of());
  }

  /** Whether it tells that a part of resident memory, or a kind of resources, rises. */
  public boolean isRiseOf(String part) {
    return first(Evidence.Rise.class).filter(its -> its.growth().part().equals(part)).isPresent();
  }

  /** Whether memory, or objects, are held. */
  boolean isHeld() {
    return severity.compareTo(Severity.COST) < 0;
  }

  /** What it counts as when findings are sorted. */
  long weight() {
    if (what == What.STUCK) {
      return Long.MAX_VALUE; // it is why others are held
    }
    if (first(Evidence.OfLimit.class).filter(Evidence.OfLimit::isFull).isPresent()) {
      return Long.MAX_VALUE; // what comes next fails
    }
    if (subject.equals(GrowthRates.HEAP)) {
      return bytes / HEAP_SHARE;
    }
    boolean isOfObjects =
        what == What.LOST_OBJECTS || what == What.GROWING_OBJECTS || what == What.KEPT_OBJECTS;
    long nominal = rule != null && Rule.isHeavy(rule.holds()) ? NOMINAL_HEAVY : NOMINAL;
    return Math.max(bytes, isOfObjects ? count * nominal : 0);
  }

  /** How sure its bytes are. */
  public Confidence confidence() {
    if (bytes == 0) {
      return Confidence.NONE;
    }
    if (rule != null) {
      return Confidence.ESTIMATED; // objects are counted, what they have is not
    }
    return switch (severity) {
      case LOST, FORGOTTEN -> Confidence.COUNTED;
      case GROWING -> kind == null ? Confidence.MEASURED : ofKind();
      case OPEN -> kind == null ? Confidence.ESTIMATED : ofKind();
      case KEPT, POOLED, MAPPED, THREADS, LOADERS, DESCRIPTORS, LIMIT -> Confidence.MEASURED;
      case LATE, COST, NOTE -> Confidence.ESTIMATED;
    };
  }

  private Confidence ofKind() {
    return NativeCallers.KIND.equals(kind) ? Confidence.ESTIMATED : Confidence.COUNTED;
  }

  /** With other names of files. */
  public Finding with(UnaryOperator<String> names) {
    return with(names.apply(subject), evidence.stream().map(one -> one.with(names)).toList());
  }

  /** If it is about what is open: the same, with what holds that. */
  public Finding with(Holders holders) {
    if (kind == null
        || (severity != Severity.OPEN && severity != Severity.GROWING)
        || !holders.isKnown()
        || !Holders.isLookedFor(kind)) {
      return this;
    }
    return with(new Evidence.HeldBy(holders.of(kind)));
  }

  /** The same, with more evidence. */
  Finding with(Evidence more) {
    List<Evidence> all = new ArrayList<>(evidence);
    all.add(more);
    return with(subject, List.copyOf(all));
  }

  private Finding with(String name, List<Evidence> known) {
    return new Finding(
        severity, what, kind, rule, name, site, at, count, of, bytes, margin, share, known, advice);
  }

  /** Begins one. */
  static Draft of(Severity severity, What what) {
    return new Draft(severity, what);
  }

  /** One that is not finished. What is not said is not known. */
  static final class Draft {
    private final Severity severity;
    private final What what;
    private @Nullable String kind;
    private Digest.@Nullable Closeable rule;
    private String subject = "";
    private @Nullable Integer site;
    private CallSite at = CallSite.UNKNOWN;
    private long count;
    private long of;
    private long bytes;
    private long margin;
    private double share;
    private final List<Evidence> evidence = new ArrayList<>();
    private List<Advice> advice = List.of();

    private Draft(Severity severity, What what) {
      this.severity = severity;
      this.what = what;
    }

    Draft kind(@Nullable String its, Digest.@Nullable Closeable itsRule) {
      kind = its;
      rule = itsRule;
      return this;
    }

    Draft subject(String name) {
      subject = name;
      return this;
    }

    Draft site(@Nullable Integer its) {
      site = its;
      return this;
    }

    Draft at(CallSite place) {
      at = place;
      return this;
    }

    Draft count(long number, long all) {
      count = number;
      of = all;
      return this;
    }

    Draft bytes(long its) {
      bytes = its;
      return this;
    }

    Draft margin(long its) {
      margin = its;
      return this;
    }

    /** What was asked for need not be resident: then the share is not known. */
    Draft share(long resident) {
      share = resident < bytes || resident == 0 ? 0 : (double) bytes / resident;
      return this;
    }

    /** Adds what is known; null adds nothing. */
    Draft because(@Nullable Evidence... all) {
      for (Evidence one : all) {
        if (one != null) {
          evidence.add(one);
        }
      }
      return this;
    }

    Draft because(List<? extends Evidence> all) {
      evidence.addAll(all);
      return this;
    }

    Finding advise(Advice... all) {
      advice = List.of(all);
      return done();
    }

    Finding advise(List<Advice> all) {
      advice = List.copyOf(all);
      return done();
    }

    Finding done() {
      return new Finding(
          severity,
          what,
          kind,
          rule,
          subject,
          site,
          at,
          count,
          of,
          bytes,
          margin,
          share,
          List.copyOf(evidence),
          advice);
    }
  }
}
