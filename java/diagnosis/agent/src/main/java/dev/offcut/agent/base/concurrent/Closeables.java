package dev.offcut.agent.base.concurrent;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Closeables by rule: objects of the program's classes, or of the JDK's, that somebody has to
 * close. Their classes are rewritten to call this:
 *
 * <pre>
 *   at the return of each constructor that calls super(…)     opened(this, its class, how)
 *   where a constructor that called this(…) throws            undone(this)
 *   at the begin of each closing method, also overriding ones closing(this)
 *   at the return of a method or constructor that opens,      reopened(this, its class, how)
 *     where not all constructors do                           and how is NOTHING above
 * </pre>
 *
 * <p><b>What counts.</b> An object counts when the constructor of its own class has returned, and
 * every class above it that is watched has been rewritten, too. So nothing is opened by a
 * constructor that throws, whichever, and no close is missed. An object of a class that was not
 * rewritten does not count: {@link #missed} has those classes.
 *
 * <p><b>The table.</b> An open object has an {@link OpenEntry}, a phantom reference, in a table by
 * identity, which is striped by the object's hash. A stripe is its own lock and its own queue;
 * under the lock there is no call that could fail halfway. What the collector found is taken from
 * the queue by those who open, a few at a time, so that a program that forgets everything does not
 * fill the heap with references, and by the agent's thread once a second.
 *
 * <p><b>A close before the opening</b>, in a constructor, leaves a closed account: an entry that
 * the opening finds. A second close leaves one, too, which goes with its object; most of them are
 * calls of {@code super.close()}, which the stripe knows by the hash of what it closed last.
 *
 * <p><b>An opening before the end of construction</b>, by a method, waits in an entry for the
 * constructor of the object's own class, unless that class is known already.
 *
 * <pre>   opened = closed + collected + lost + open</pre>
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing. It
 * refers to objects and classes of the program weakly only: class loaders can go.
 */
public final class Closeables extends ClassValue<Closeables.Type> implements Runnable {
  static final Closeables TYPES = new Closeables();
  private static final int STRIPES = stripes();

  private static final OpenStripe[] ALL = new OpenStripe[STRIPES];

  /** Found ones that an opening takes from the queue: more than one, so that the queue ends. */
  private static final int AT_ONCE = 4;

  /**
   * Kinds by number from {@link Counts#FIRST_WATCHED} on: name, and how an unreachable one ends.
   */
  private static volatile WatchedKind[] kinds = {};

  /** In the place of how an object ends: its constructor does not open it. */
  public static final int NOTHING = -1;

  /** Added to how an object ends: each opening leaves its stack, since few are many. */
  public static final int EXACTLY = 2;

  /** Classes below watched ones of which objects came that do not count. */
  private static final List<Type> MISSED = new ArrayList<>();

  /** Classes that are kept in mind, at most. */
  private static final int MOST_MISSED = 1_000;

  /** Whether an opening ever waited for a constructor. Plain: the same thread asks. */
  private static boolean waits;

  static {
    for (int i = 0; i < STRIPES; i++) {
      ALL[i] = new OpenStripe();
    }
    Counts.drainWatched = TYPES;
  }

  private Closeables() {}

  private static int stripes() {
    int threads = 8 * Runtime.getRuntime().availableProcessors();
    int stripes = 16;
    while (stripes < threads && stripes < 256) {
      stripes *= 2;
    }
    return stripes;
  }

  /** What is watched from now on; the classes are rewritten after that. */
  public static void watch(String[] ofRoots, String[] ofWrappers) {
    WatchedNames.wrappers = ofWrappers.clone();
    WatchedNames.roots = ofRoots.clone();
    synchronized (Closeables.class) {
      kind(WatchedNames.roots[0], Counts.LOST); // while there is room
    }
  }

  /** Objects of a class of this name do not count: none was opened yet. */
  public static void leaveOut(String name) {
    WatchedNames.leaveOut(name);
  }

  /** A kind: the name of a class, whichever loader it is of. */
  private static final class WatchedKind {
    final String name;

    /** What becomes of one that is unreachable: {@link Counts#LOST} or another. */
    final int how;

    final boolean isExact;

    WatchedKind(String name, int how) {
      this.name = name;
      this.isExact = how > Counts.LOST;
      this.how = isExact ? how - EXACTLY : how;
    }
  }

  /** What is known of a class. */
  static final class Type {
    /** Kinds of a class whose objects are not counted, and of one that has none yet. */
    static final int NOT_COUNTED = -1;

    static final int UNDECIDED = 0;

    final String name;
    final WeakReference<Class<?>> type;

    /** Whether one of its own constructors has reported. Plain: whoever misses it asks again. */
    boolean reported;

    /** Whether it, and all above it that are watched, report. */
    boolean sound;

    /** Whether none above it is watched. */
    boolean top;

    /** Its number, or one of those above. Plain: it is decided once, and again by who misses it. */
    int kind;

    /** About how many of its objects do not count. A race misses some. */
    int missed;

    /**
     * The {@link WatchedNames#roots} by which it is not watched, though a class above it is: a
     * wrapper. Plain: who misses it asks again.
     */
    String @Nullable [] leftAloneBy;

    /** Whether it is, or was, among those that are missed. */
    boolean isListed;

    /**
     * The fields that say whether its objects are open, if it counts by its shape, and how many
     * such classes there were when it was asked. Plain: who misses it asks again.
     */
    @Nullable Guards guards;

    int guardsOf;

    Type(Class<?> type) {
      this.name = type.getName();
      this.type = new WeakReference<>(type);
    }
  }

  @Override
  protected Type computeValue(Class<?> type) {
    return new Type(type);
  }

  /**
   * A constructor of a class returns.
   *
   * @param type its class
   * @param how what becomes of one that is unreachable: {@link Counts#LOST} or another; {@link
   *     #NOTHING}: it does not open
   */
  public static void opened(Object object, Class<?> type, int how) {
    try {
      if (object.getClass() != type) {
        above(object.getClass(), type);
        return;
      }
      Type its = TYPES.get(type);
      if (how == NOTHING) {
        made(object, its, type);
      } else if (its.kind > 0 || decide(its, type, how)) {
        register(object, its, false);
      }
    } catch (Throwable e) {
      // no memory or no stack is left: then it does not count
    }
  }

  /** The constructor of a class above the object's own returns. */
  private static void above(Class<?> own, Class<?> type) {
    Type said = TYPES.get(type);
    if (!said.reported) {
      report(said, type);
    }
    if (said.top) {
      Type its = TYPES.get(own);
      String[] now = WatchedNames.roots;
      if (!its.reported && its.leftAloneBy != now) {
        if (WatchedNames.isWatched(own)) {
          miss(its);
        } else {
          its.leftAloneBy = now;
        }
      }
    }
  }

  /** Construction ends of an object that is opened by a method, if that was not before. */
  private static void made(Object object, Type its, Class<?> type) {
    if (!its.reported) {
      report(its, type);
    }
    if (!waits) {
      return;
    }
    int hash = System.identityHashCode(object);
    OpenStripe stripe = stripe(hash);
    int what = 0;
    synchronized (stripe) {
      OpenEntry open = stripe.find(hash, object);
      if (open != null && open.what < 0) {
        what = open.what;
        stripe.remove(open);
      }
    }
    if (what < 0 && (its.kind > 0 || decide(its, type, -1 - what))) {
      register(object, its, false);
    }
  }

  /** The kind of objects that count whatever their class; below 1: they do not count. */
  static int kindOf(Class<?> root, int how) {
    Type its = TYPES.get(root);
    return its.kind > 0 || decide(its, root, how) ? its.kind : 0;
  }

  /** The same of a kind without rewritten classes. */
  static synchronized int newKind(Class<?> root, int how) {
    return kind(root.getName(), how);
  }

  /** Counts an open one whatever its class, which is not in the table. {@code hash}: its place. */
  static void begin(Object object, int hash, int kind) {
    if (OwnBuffers.isOwn(Thread.currentThread())) {
      return;
    }
    OpenStripe stripe = stripe(hash);
    OpenEntry open = new OpenEntry(object, stripe, hash);
    open.what = kind << 16 | opened(kind);
    synchronized (stripe) {
      stripe.add(open);
    }
    drain(stripe, AT_ONCE);
  }

  /** Counts an object as ended, if it is open. */
  static void end(Object object) {
    int what = take(object);
    if (what > 0) {
      ended(what >>> 16, what & 0xffff, how());
    }
  }

  /** How what ends now ends. */
  private static int how() {
    return CollectorThreads.isOne() ? Counts.COLLECTED : Counts.CLOSED;
  }

  /** The place where an object was opened that is open; null: it is not known. */
  static @Nullable CallSite siteOf(Object object) {
    int hash = System.identityHashCode(object);
    OpenStripe stripe = stripe(hash);
    int what;
    synchronized (stripe) {
      OpenEntry open = stripe.find(hash, object);
      what = open == null ? 0 : open.what;
    }
    return what > 0 ? Sites.ofToken(what & 0xffff) : null;
  }

  /** Takes the entry of an object out; what it was. */
  private static int take(Object object) {
    int hash = System.identityHashCode(object);
    OpenStripe stripe = stripe(hash);
    synchronized (stripe) {
      OpenEntry open = stripe.find(hash, object);
      if (open == null) {
        return 0;
      }
      stripe.remove(open);
      return open.what;
    }
  }

  /** A method that opens, or opens again, returns. */
  public static void reopened(Object object, Class<?> type, int how) {
    try {
      Class<?> own = object.getClass();
      Type its = TYPES.get(own);
      if (its.kind > 0 || (its.reported && decide(its, own, how))) {
        register(object, its, true);
      } else if (!its.reported) {
        waits = true;
        await(object, -1 - how);
      }
    } catch (Throwable e) {
      // likewise
    }
  }

  private static void await(Object object, int what) {
    int hash = System.identityHashCode(object);
    OpenStripe stripe = stripe(hash);
    OpenEntry open = new OpenEntry(object, stripe, hash);
    open.what = what;
    synchronized (stripe) {
      if (stripe.find(hash, object) == null) {
        stripe.add(open);
      }
    }
    drain(stripe, AT_ONCE);
  }

  private static void report(Type its, Class<?> type) {
    Class<?> above = type.getSuperclass();
    its.top = above == null || !WatchedNames.isWatched(above);
    its.sound =
        WatchedNames.isWatched(type)
            && (its.top || TYPES.get(above).sound)
            && !WatchedNames.isLeftOut(its.name);
    its.missed = 0; // of the first one it was not known before
    its.reported = true;
  }

  /** Objects of exactly this class count from now on, if there is room. */
  static void decide(Type its, int how) {
    synchronized (Closeables.class) {
      if (its.kind == Type.UNDECIDED) {
        int number = kind(its.name, how);
        its.kind = number > 0 ? number : Type.NOT_COUNTED;
      }
    }
  }

  /** Whether objects of a class count from now on. */
  private static boolean decide(Type its, Class<?> type, int how) {
    synchronized (Closeables.class) {
      if (!its.reported) {
        report(its, type);
      }
      if (its.kind == Type.UNDECIDED) {
        its.kind = its.sound ? kind(WatchedNames.shown(type), how) : Type.NOT_COUNTED;
      }
    }
    if (its.kind < 0) {
      miss(its);
    }
    return its.kind > 0;
  }

  private static void miss(Type its) {
    its.missed++;
    if (!its.isListed) {
      synchronized (MISSED) {
        if (!its.isListed && MISSED.size() < MOST_MISSED) {
          MISSED.add(its);
        }
        its.isListed = true;
      }
    }
  }

  private static int kind(String name, int how) {
    WatchedKind[] all = kinds;
    for (int i = 0; i < all.length; i++) {
      if (all[i].name.equals(name)) {
        return Counts.FIRST_WATCHED + i;
      }
    }
    WatchedKind[] more = new WatchedKind[all.length + 1];
    System.arraycopy(all, 0, more, 0, all.length);
    more[all.length] = new WatchedKind(name, how);
    int number =
        Counts.addWatched(name.equals(WatchedNames.roots[0]) ? Long.MAX_VALUE : Samples.first());
    if (number > 0) {
      kinds = more;
    }
    return number;
  }

  private static OpenStripe stripe(int hash) {
    return ALL[hash & (STRIPES - 1)];
  }

  /** Counts one that may be open already if {@code again}. */
  static void register(Object object, Type its, boolean again) {
    int kind = its.kind;
    if (OwnBuffers.isOwn(Thread.currentThread()) && !isProbe(kind)) {
      return;
    }
    if (OwnBuffers.isDroppedByRecorder(its.name)) {
      return;
    }
    int hash = System.identityHashCode(object);
    OpenStripe stripe = stripe(hash);
    if (again) {
      synchronized (stripe) {
        OpenEntry known = stripe.find(hash, object);
        if (known != null && known.what > 0) {
          return;
        }
        if (known != null) {
          stripe.remove(known);
        }
      }
    }
    OpenEntry open = new OpenEntry(object, stripe, hash);
    int token = opened(kind);
    open.what = kind << 16 | token;
    boolean isClosed = false;
    boolean isOpen = false;
    synchronized (stripe) {
      OpenEntry known = stripe.find(hash, object);
      if (known == null) {
        stripe.add(open);
      } else if (known.what > 0) {
        isOpen = true; // a method, or another thread, opened it meanwhile
      } else {
        stripe.remove(known); // closed before it was opened
        isClosed = true;
      }
    }
    if (isClosed) {
      ended(kind, token, Counts.CLOSED);
    } else if (isOpen) {
      withdraw(kind, token);
    }
    drain(stripe, AT_ONCE);
  }

  private static int opened(int kind) {
    return of(kind).isExact ? Samples.openedExactly(kind) : Samples.opened(kind, 0);
  }

  private static WatchedKind of(int kind) {
    return kinds[kind - Counts.FIRST_WATCHED];
  }

  private static boolean isProbe(int kind) {
    return of(kind).name.equals(WatchedNames.roots[0]);
  }

  private static void ended(int kind, int token, int how) {
    Counts.ended(kind, how, 0);
    Sites.ended(token, how, 0);
  }

  /** A method that closes begins. */
  public static void closing(Object object) {
    try {
      if (TYPES.get(object.getClass()).kind == Type.NOT_COUNTED) {
        return;
      }
      int hash = System.identityHashCode(object);
      OpenStripe stripe = stripe(hash);
      int what;
      synchronized (stripe) {
        OpenEntry open = stripe.find(hash, object);
        if (open == null) {
          if (stripe.closedLast != hash) {
            stripe.closedLast = hash;
            stripe.add(new OpenEntry(object, stripe, hash));
          }
          return;
        }
        what = open.what;
        if (what <= 0) {
          open.what = 0;
          return;
        }
        stripe.remove(open);
        stripe.closedLast = hash;
      }
      ended(what >>> 16, what & 0xffff, how());
    } catch (Throwable e) {
      // no memory or no stack is left: then it counts as open until it is found
    }
  }

  /** A constructor throws after another one of the same class has returned. */
  public static void undone(Object object) {
    try {
      int what = take(object);
      if (what > 0) {
        withdraw(what >>> 16, what & 0xffff);
      }
    } catch (Throwable e) {
      // no stack is left: then it counts as lost
    }
  }

  private static void withdraw(int kind, int token) {
    Counts.add(kind, Counts.cell(kind), Counts.OPENED, -1);
    Sites.withdrawn(token, 0);
  }

  /** Counts what the collector has found until now. */
  @Override
  public void run() {
    for (OpenStripe stripe : ALL) {
      drain(stripe, Integer.MAX_VALUE);
    }
  }

  private static void drain(OpenStripe stripe, int most) {
    for (int i = 0; i < most; i++) {
      OpenEntry found = (OpenEntry) stripe.poll();
      if (found == null) {
        return;
      }
      boolean was;
      synchronized (stripe) {
        was = stripe.remove(found);
      }
      if (was && found.what > 0) {
        int kind = found.what >>> 16;
        ended(kind, found.what & 0xffff, of(kind).how);
      }
    }
  }

  /** The names of all kinds, by number from the first on; the first is the agent's own. */
  public static String[] names() {
    WatchedKind[] all = kinds;
    String[] names = new String[all.length];
    for (int i = 0; i < all.length; i++) {
      names[i] = all[i].name;
    }
    return names;
  }

  /**
   * Classes below watched ones whose objects came and do not count: of each its name, how many came
   * at least, the class if it is still there, and why, or null if no constructor of it reported.
   */
  public static List<Object[]> missed() {
    List<Object[]> all = new ArrayList<>();
    synchronized (MISSED) {
      for (int i = MISSED.size() - 1; i >= 0; i--) {
        Type type = MISSED.get(i);
        if (type.reported && type.sound && type.kind != Type.NOT_COUNTED) {
          MISSED.remove(i);
        } else {
          all.add(new Object[] {type.name, type.missed, type.type.get(), why(type)});
        }
      }
    }
    return all;
  }

  private static @Nullable String why(Type type) {
    String why = type.sound ? "too many classes are counted" : "a class above it is not counted";
    return type.reported ? why : null;
  }
}
