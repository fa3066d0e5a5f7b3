package dev.offcut.agent.base.concurrent;

import dev.offcut.agent.base.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The openings of one part of the program, such as a test, told apart from those of others that run
 * at the same time. {@code dev.offcut.junit} finds this class by its name in java.base. It works
 * only where each opening leaves its stack: at the level full.
 *
 * <p>An opening that a finder gives a scope has a {@link Slot}, by scope and call site, and the
 * slot's number as its token, with the bit of {@link Probes#TOKEN} set. The slot knows the token
 * that the opening would have otherwise, and passes on what happens to it: so the counts of call
 * sites are what they are without scopes. A slot of a scope that has {@linkplain #end ended} is
 * free for another one when nothing of it is open.
 *
 * <p>Unlike other helpers it has a static reference to an object of the program: the finder, in a
 * JVM that runs tests. It throws nothing, whatever the finder does.
 */
public final class Scope {
  /** Slots; 0 is none, so that no token is that of a probe. */
  private static final int MOST = Probes.TOKEN;

  private static volatile @Nullable Function<List<StackTraceElement>, Object> finder;

  /** Set before the finder. */
  private static volatile @Nullable BiFunction<String, List<StackTraceElement>, Boolean> counting;

  /**
   * By number; made with the finder. Elements are written under the class's lock and read plainly:
   * a slot is there before its token is, and who has the token has it from who opened.
   */
  private static volatile Slot[] slots = {};

  /** Numbers that are free again, and how many were ever used; under the class's lock. */
  private static final ArrayDeque<Integer> FREED = new ArrayDeque<>();

  private static int used;

  private static volatile @Nullable Supplier<String[][]> unseen;

  /** Kinds that are counted wrongly on this JDK, as bits. */
  private static volatile long leftOut;

  // All under the class's lock.
  private final Map<CallSite, Slot> own = new HashMap<>();
  private boolean ended;

  /** Openings that are not here: no slot was free, or no memory. */
  private long missed;

  /** Makes one without openings. */
  public Scope() {}

  /** Openings of a scope at a call site. */
  private static final class Slot {
    final Scope scope;
    final CallSite site;

    /** What the opening's token is without scopes. */
    final int token;

    final int number;

    /** How many are open, and how many the collector has found; under the class's lock. */
    long open;

    long found;

    Slot(Scope scope, CallSite site, int token, int number) {
      this.scope = scope;
      this.site = site;
      this.token = token;
      this.number = number;
    }
  }

  /** Whether each opening leaves its stack. */
  public static boolean isFull() {
    return Samples.EVERY == 1;
  }

  /**
   * Sets who says to which scope an opening belongs.
   *
   * @param counts asked once for each call site, with the kind's name and the stack, innermost
   *     frame first and the JDK's frames among them: whether openings there may belong to a scope
   * @param scopes asked at each opening, on its thread, with the same stack: the scope, or null
   */
  public static void findBy(
      BiFunction<String, List<StackTraceElement>, Boolean> counts,
      Function<List<StackTraceElement>, Object> scopes) {
    synchronized (Scope.class) {
      slots = slots.length == 0 ? new Slot[MOST] : slots;
    }
    counting = counts;
    finder = scopes;
  }

  /** Sets who knows what is in no scope, since nobody counts it. */
  public static void unseenBy(Supplier<String[][]> agent) {
    unseen = agent;
  }

  /**
   * What nobody counts now, so that no scope has it: why a kind is not tracked, a sentence each;
   * which kinds are switched off; and what of that the user has asked for, a sentence each.
   */
  public static String[][] unseen() {
    Supplier<String[][]> agent = unseen;
    return agent == null ? new String[3][0] : agent.get();
  }

  static boolean isUsed() {
    return finder != null && isFull();
  }

  /** Openings of a kind belong to no scope from now on. */
  public static void leaveOut(int kind) {
    synchronized (Scope.class) {
      leftOut |= 1L << kind;
    }
  }

  private static boolean isLeftOut(int kind) {
    // A cleaner's registration needs no end of its own.
    return kind == Kind.CLEANER || (kind < Kind.COUNT && (leftOut & 1L << kind) != 0);
  }

  /** The token of an opening that has one without scopes; the same, or that of its scope. */
  static int token(int token, CallSite site) {
    Function<List<StackTraceElement>, Object> scopes = finder;
    BiFunction<String, List<StackTraceElement>, Boolean> counts = counting;
    List<StackTraceElement> frames = site.frames;
    if (scopes == null || counts == null || frames == null || isLeftOut(site.kind)) {
      return token;
    }
    try {
      if (site.isAsked == 0) {
        site.isAsked = counts.apply(name(site.kind), frames) ? 1 : -1;
      }
      if (site.isAsked > 0 && scopes.apply(frames) instanceof Scope scope) {
        return scope.open(site, token);
      }
    } catch (Throwable e) {
      // no memory or no stack is left, or the finder fails
    }
    return token;
  }

  private int open(CallSite site, int token) {
    synchronized (Scope.class) {
      try {
        Slot slot = own.get(site);
        if (slot == null) {
          if (FREED.isEmpty() && used + 1 == MOST) {
            missed++;
            return token;
          }
          int number = FREED.isEmpty() ? ++used : FREED.pop();
          slot = new Slot(this, site, token, number);
          slots[number] = slot;
          own.put(site, slot);
        }
        slot.open++;
        return Probes.TOKEN | slot.number;
      } catch (Throwable e) {
        missed++;
        return token;
      }
    }
  }

  private void giveBackIfEnded(Slot slot) {
    if (ended && slot.open == 0 && slot.found == 0) {
      own.remove(slot.site);
      FREED.push(slot.number);
    }
  }

  /** Whether a token is that of a slot. */
  static boolean has(int token) {
    return token > Probes.TOKEN;
  }

  private static Slot slot(int token) {
    return slots[token & (Probes.TOKEN - 1)];
  }

  /** What a slot's token is without scopes. */
  static int inner(int token) {
    return slot(token).token;
  }

  /** What was opened with a slot's token has ended, as {@link Counts#CLOSED} or another. */
  static void ended(int token, int how) {
    Slot slot = slot(token);
    int kind = slot.site.kind;
    // These have no close: who leaves them to the collector has not forgotten one.
    boolean isCollectors = kind == Kind.AUTOMATIC || kind == Kind.BUFFER;
    synchronized (Scope.class) {
      if (slot.open > 0) {
        slot.open--;
        slot.found += how != Counts.CLOSED && !isCollectors ? 1 : 0;
        slot.scope.giveBackIfEnded(slot);
      }
    }
  }

  /**
   * What was opened and not closed: of each call site the kind's name, how many are open, how many
   * the collector has found, the stack, as the finder got it, and which of its frames is the line.
   */
  public List<Object[]> left() {
    List<Object[]> left = new ArrayList<>();
    synchronized (Scope.class) {
      for (Slot slot : own.values()) {
        if (slot.open > 0 || slot.found > 0) {
          left.add(
              new Object[] {
                name(slot.site.kind),
                slot.open,
                slot.found,
                slot.site.frames,
                slot.site.lineInFrames
              });
        }
      }
    }
    return left;
  }

  /** A kind's name, as in recordings: that of a watched class is behind a colon. */
  private static String name(int kind) {
    if (kind < Kind.COUNT) {
      return TrackingSettings.KINDS[kind];
    }
    return kind < Counts.FIRST_WATCHED
        ? "" // of the agent's own probes
        : "closeable:" + Closeables.names()[kind - Counts.FIRST_WATCHED];
  }

  /** How many openings are not among those: too many were open. */
  public long missed() {
    synchronized (Scope.class) {
      return missed;
    }
  }

  /** Nobody asks for what was closed: its place is for others from now on. */
  public void end() {
    synchronized (Scope.class) {
      ended = true;
      for (Slot slot : List.copyOf(own.values())) {
        giveBackIfEnded(slot);
      }
    }
  }
}
