package dev.offcut.agent.base.concurrent;

import dev.offcut.agent.base.Kind;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All places that open resources, as far as stacks were taken.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
public final class Sites {
  /** What more of them open is in the sums only: a report is to be read. Tokens stay below 2^15. */
  private static final int MOST = 10_000;

  private static final Map<CallSite, CallSite> ALL = new ConcurrentHashMap<>();

  /** By number; 0 is none. Written under the lock; who has a token read it after that. */
  private static final CallSite[] NUMBERED = new CallSite[MOST + 1];

  private static int count;

  /** Threads that ask for names: one that is there asks for no more. */
  private static final Map<Thread, CallSite> NAMING = new ConcurrentHashMap<>();

  private Sites() {}

  /** Sets the loader of the agent's own classes, whose frames are left out. */
  public static void agent(@Nullable ClassLoader loader) {
    Origin.agent(loader);
  }

  /**
   * Sets what is known of the program.
   *
   * @param mainClass null: it is not known
   * @param location of the class; null: it is not known
   * @param isPacked whether libraries may be packed together with the class
   */
  public static void program(@Nullable String mainClass, @Nullable URL location, boolean isPacked) {
    Origin.program(mainClass, location, isPacked);
  }

  /** The stack of the caller, as {@link #all} has that of an opening; null: there is none. */
  public static Object @Nullable [] here() {
    try {
      Stack stack = new Stack();
      CallSite site = new CallSite(Kind.COUNT, stack);
      stack.name(site);
      return new Object[] {site.text, site.line, site.through};
    } catch (Throwable e) {
      return null; // no memory or no stack is left
    }
  }

  /** Takes the stack of an opening, which may stand for many; its token. */
  static int open(int kind, boolean many, long bytes) {
    if (Scope.isUsed()) {
      return openInScope(kind, bytes);
    }
    return reopen(kind, many, bytes);
  }

  /**
   * The same of a block that was allocated anew, which stays in the scope that it was opened in.
   */
  static int reopen(int kind, boolean many, long bytes) {
    int token = take(kind, many);
    opened(token, bytes);
    return token;
  }

  /** The same, where somebody tells the openings of one test from those of another. */
  private static int openInScope(int kind, long bytes) {
    try {
      Stack stack = new Stack();
      CallSite taken = new CallSite(kind, stack);
      CallSite known = ALL.get(taken);
      CallSite site = known != null ? known : name(taken, stack);
      int token = site == null ? 0 : site.number << 1;
      opened(token, bytes);
      if (site == null) {
        site = taken; // too many have a number, or it has no text: then it is what asks for names
      }
      if (site.frames == null && !site.text.isEmpty()) {
        stack.nameForScopes(site);
      }
      return Scope.token(token, site);
    } catch (Throwable e) {
      return 0; // as below
    }
  }

  /**
   * Takes the stack where an arena is filled whose opening left none. Its token, which does not
   * count before {@link #opened}. The call site is of the kind and {@link Kind#FILLED}.
   */
  public static int takeFilled(int kind) {
    return take(kind | Kind.FILLED, true);
  }

  private static int take(int kind, boolean many) {
    try {
      CallSite site = take(kind);
      if (site == null) {
        return 0;
      }
      return site.number << 1 | (many ? 1 : 0);
    } catch (Throwable e) {
      return 0; // no memory or no stack is left: then the program has other worries than ours
    }
  }

  /** What left its stack is open, and has so many bytes. */
  public static void opened(int token, long bytes) {
    if (isPlace(token)) {
      CallSite site = of(token);
      long weight = weight(site, token, bytes);
      site.add(Counts.SAMPLES, 1);
      site.add(Counts.OPENED, weight);
      site.add(Counts.OPENED_BYTES, weighted(bytes, weight));
    }
  }

  private static @Nullable CallSite take(int kind) {
    Stack stack = new Stack();
    CallSite taken = new CallSite(kind, stack);
    CallSite known = ALL.get(taken);
    return known != null ? known : name(taken, stack);
  }

  /** Asks for names, which may load classes, and so open what a place would be asked for. */
  private static @Nullable CallSite name(CallSite site, Stack stack) {
    Thread thread = Thread.currentThread();
    if (NAMING.putIfAbsent(thread, site) != null) {
      return null;
    }
    try {
      stack.name(site);
      return add(site);
    } finally {
      NAMING.remove(thread);
    }
  }

  private static @Nullable CallSite add(CallSite site) {
    synchronized (Sites.class) {
      CallSite known = ALL.get(site);
      if (known != null) {
        return known;
      }
      if (count == MOST) {
        return null;
      }
      count++;
      site.number = count;
      site.begin();
      NUMBERED[count] = site;
      ALL.put(site, site);
      return site;
    }
  }

  /** The site of a token that is not 0. */
  static CallSite of(int token) {
    return NUMBERED[token >>> 1];
  }

  /** The site of a token; null: it has none. */
  static @Nullable CallSite ofToken(int token) {
    int its = Scope.has(token) ? Scope.inner(token) : token;
    return isPlace(its) ? of(its) : null;
  }

  /** Whether it is a site's own token, and neither a probe's nor that of a {@link Scope}. */
  private static boolean isPlace(int token) {
    return token != 0 && token < Probes.TOKEN;
  }

  /** In units of {@link Samples}. */
  private static long weight(CallSite site, int token, long bytes) {
    if ((token & 1) == 0) {
      return Samples.UNIT;
    }
    if ((site.kind & Kind.FILLED) != 0) {
      return Samples.filledWeight(bytes);
    }
    // An arena is opened without bytes: what it gets later changes no chance of its opening.
    return Samples.weight(site.kind <= Kind.AUTOMATIC ? 0 : bytes);
  }

  /** The same of the same bytes, so that what is added is what is taken away. */
  private static long weighted(long bytes, long weight) {
    return weight == Samples.UNIT ? bytes : Math.round((double) bytes * weight / Samples.UNIT);
  }

  /** What was opened with a token ended: as {@link Counts#CLOSED} or another. */
  public static void ended(int token, int how, long bytes) {
    if (Scope.has(token)) {
      int inner = Scope.inner(token); // first: then another opening may get the token
      Scope.ended(token, how);
      ended(inner, how, bytes);
    } else if (isPlace(token)) {
      CallSite site = of(token);
      long weight = weight(site, token, bytes);
      site.add(how, weight);
      site.add(
          how == Counts.LOST ? Counts.LOST_BYTES : Counts.FREED_BYTES, weighted(bytes, weight));
    }
  }

  /** What was opened with a token was not opened after all, or is at another place from now on. */
  static void withdrawn(int token, long bytes) {
    if (Scope.has(token)) {
      int inner = Scope.inner(token);
      Scope.ended(token, Counts.CLOSED);
      withdrawn(inner, bytes);
    } else if (isPlace(token)) {
      CallSite site = of(token);
      long weight = weight(site, token, bytes);
      site.add(Counts.SAMPLES, -1);
      site.add(Counts.OPENED, -weight);
      site.add(Counts.OPENED_BYTES, -weighted(bytes, weight));
    }
  }

  /** An arena, or what a {@link Scope} watches, has other bytes now than before. */
  public static void resized(int token, long before, long after) {
    if (Scope.has(token)) {
      resized(Scope.inner(token), before, after);
    } else if (isPlace(token)) {
      CallSite site = of(token);
      long weight = weight(site, token, before);
      long then = weight(site, token, after);
      if (then != weight) {
        site.add(Counts.OPENED, then - weight);
      }
      site.add(Counts.OPENED_BYTES, weighted(after, then) - weighted(before, weight));
    }
  }

  /**
   * Each with its kind, its frames, its {@linkplain CallSite#numbers numbers}, which of the frames
   * is the line, the code sources between, the {@linkplain CallSite#owner owner}, and how many were
   * {@linkplain CallSite#course open over time}. Without a lock: a new place never waits for a
   * reader, who sees it the next time.
   */
  public static List<Object[]> all() {
    List<Object[]> all = new ArrayList<>();
    for (CallSite site : ALL.keySet()) {
      all.add(
          new Object[] {
            site.kind,
            site.text,
            site.numbers(),
            site.line,
            site.through,
            site.owner(),
            site.course()
          });
    }
    return all;
  }
}
