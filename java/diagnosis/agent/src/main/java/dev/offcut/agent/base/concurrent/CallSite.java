package dev.offcut.agent.base.concurrent;

import dev.offcut.agent.base.Kind;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place of the program that opens resources of a kind: the frames of its stack, and what became
 * of those that left their stack there. As a key it is compared by its frames.
 *
 * <p>It refers to names only: the program's class loaders can go.
 */
final class CallSite {
  final int kind;

  /** Of each frame the class. */
  private final String[] classes;

  /** Of each frame the method and where in it, as numbers. */
  private final int[] places;

  /** As {@link Stack} has them. */
  final String started;

  final boolean isOfProgram;

  private final int hash;

  /** The kept frames, a line each; written before it is among the sites, as the next two. */
  String text = "";

  /** Which of them is the line of the program. */
  int line;

  /** That line; written likewise. */
  String own = "";

  /** The code sources between, a line each: what the program called to open it. */
  String through = "";

  /**
   * The stack with the JDK's frames, where a {@link Scope} asks for it. Plain: a list that does not
   * change, and who misses it makes an equal one.
   */
  @Nullable List<StackTraceElement> frames;

  /** Which of them is the line; written before them. */
  int lineInFrames;

  /** Whether openings here may belong to a scope: above 0 they may; 0: nobody was asked. Plain. */
  int isAsked;

  /** What its tokens begin with; written likewise. */
  int number;

  /**
   * The class whose constructor, called by the program, opened them: until its name is asked for.
   */
  @Nullable WeakReference<Class<?>> ownerType;

  /**
   * The class whose method the program called there, and its name: what it returns may own them.
   */
  @Nullable WeakReference<Class<?>> calledType;

  String called = "";

  private String owner = "\n\n";

  /** Whether a pool of the JDK opened them when it needed them; written as the text. */
  boolean isPooled;

  /** Whether they are connections that others opened; written as the text. */
  boolean isAccepted;

  /**
   * How many had not ended when; null: the kind has no such course. Written before it is among the
   * sites: each opening makes one to look for the one that is there.
   */
  private @Nullable OpenOverTime course;

  /** Those of a kind, opened to lost in units of {@link Samples}; and {@link Counts#SAMPLES}. */
  private final long[] numbers = new long[Counts.SAMPLES + 1];

  CallSite(int kind, Stack stack) {
    this.kind = kind;
    classes = stack.classes;
    places = stack.numbers;
    started = stack.started;
    isOfProgram = stack.isOfProgram;
    int frames = 31 * Arrays.hashCode(classes) + Arrays.hashCode(places);
    hash = 31 * (31 * frames + kind) + started.hashCode();
  }

  /** Before it is among the sites. */
  void begin() {
    course = kind >= Counts.FIRST_WATCHED && kind < Kind.FILLED ? new OpenOverTime() : null;
  }

  /** Adds to a number. */
  void add(int what, long delta) {
    Atomics.add(numbers, what, delta);
    OpenOverTime its = course;
    // What is lost still holds what it has.
    if (its != null && what < Counts.LOST) {
      its.add(what == Counts.OPENED ? delta : -delta);
    }
  }

  /** How many had not ended over time, as {@link OpenOverTime#points} has it; null: not known. */
  long @Nullable [] course() {
    OpenOverTime its = course;
    return its == null ? null : its.points();
  }

  /**
   * The class that owns what was opened, a method that ends it, and words: {@code returned} if the
   * class is that of what the program's call returned, {@code receiver} if it is that of the object
   * whose method the program called, {@code pool} if a pool opened them, {@code accepted} if others
   * did.
   */
  synchronized String owner() {
    Class<?> made = ownerType == null ? null : ownerType.get();
    Class<?> its = calledType == null ? null : calledType.get();
    Class<?> returned = its == null ? null : Owners.returned(its, called);
    Class<?> receiver =
        its == null || made != null || returned != null ? null : Owners.receiver(its, called);
    if (returned != null) {
      owner = Owners.text(returned) + (made == null ? "\nreturned " : "\n");
    } else if (made != null) {
      owner = Owners.text(made) + "\n";
    } else if (receiver != null) {
      owner = Owners.text(receiver) + "\nreceiver ";
    }
    ownerType = null;
    calledType = null;
    return owner + (isPooled ? "pool " : "") + (isAccepted ? "accepted" : "");
  }

  /**
   * As in {@link Counts}: opened to lost; bytes opened, freed, lost; stacks. What is open is
   * rounded, not what it is the difference of.
   */
  long[] numbers() {
    long[] copy = numbers.clone();
    long open = copy[Counts.OPENED];
    for (int what = Counts.CLOSED; what <= Counts.LOST; what++) {
      open -= copy[what];
    }
    copy[Counts.OPENED] = rounded(open);
    for (int what = Counts.CLOSED; what <= Counts.LOST; what++) {
      copy[what] = rounded(copy[what]);
      copy[Counts.OPENED] += copy[what];
    }
    return copy;
  }

  private static long rounded(long units) {
    return (units + Samples.UNIT / 2) >> Samples.UNIT_BITS;
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CallSite site
        && site.hash == hash
        && site.kind == kind
        && site.started.equals(started)
        && Arrays.equals(site.places, places)
        && Arrays.equals(site.classes, classes);
  }
}
