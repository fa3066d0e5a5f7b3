package dev.offcut.handle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The openings of one part of the program, told apart from those of other parts that run at the
 * same time. For tests: a scope answers what a test has opened and not closed.
 *
 * <p>A {@linkplain #findBy finder} says for each opening to which scope it belongs. Openings have a
 * scope if their stack is recorded, so at {@link Detection#FULL} all of them have one.
 *
 * <p>The answer needs no garbage collection: a handle that is unreachable and not closed is one
 * that is still open, or one that the net has released. All methods may be called by any thread.
 */
public final class HandleScope {
  /** The same order in each run. */
  private static final Comparator<Left> BY_SITE =
      Comparator.comparing((Left left) -> left.site().toString()).thenComparing(Left::type);

  private static volatile @Nullable Function<List<StackTraceElement>, @Nullable HandleScope> finder;

  /** What the names of classes begin with that call the parts of the program; empty: no name. */
  private static volatile String callers = "";

  /** By type and stack: equal stacks of two scopes are two sites. */
  private final ConcurrentHashMap<List<Object>, Site> sites = new ConcurrentHashMap<>();

  /** Makes a scope without openings. */
  public HandleScope() {}

  /**
   * Sets the function that the library asks at each opening whose stack it records. The function
   * runs on the thread that opens, gets the recorded stack, innermost frame first, and returns the
   * scope, or null if the opening belongs to none. It must not open handles and must not throw: the
   * opening would fail. Of a handle in a scope the library does not record where it is closed,
   * unless the program was started at {@link Detection#FULL}.
   *
   * @param finder the function, in the place of the one before; null: no opening has a scope
   * @param calledBy what the names of the classes begin with that call the parts of the program,
   *     such as {@code org.junit.platform.}: a recorded stack ends before them. A short stack costs
   *     less
   */
  public static void findBy(
      @Nullable Function<List<StackTraceElement>, @Nullable HandleScope> finder, String calledBy) {
    callers = calledBy;
    HandleScope.finder = finder;
  }

  /**
   * Notes that the caller opens something that is no handle, such as an owner of a pool. For
   * libraries on handles: what they note here is found by tests as handles are. If no finder is
   * set, the call costs one read.
   *
   * @param type what is opened, in a word
   * @param through the package of the library: the recorded call site begins outside of it
   * @return what the caller closes when that ends; null if the opening belongs to no scope
   */
  public static @Nullable Opening opened(String type, String through) {
    Site site = Site.inScope(type, List.of(through));
    return site == null ? null : new Opening(site);
  }

  /** Something open that is no handle. Any thread may close it. */
  public static final class Opening {
    private final Site site;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Opening(Site site) {
      this.site = site;
      site.noteOpened();
    }

    /** Notes that it is not open any more. Further calls do nothing. */
    public void close() {
      if (closed.compareAndSet(false, true)) {
        Site.noteClosed(site);
      }
    }
  }

  /** {@return whether nothing was opened in this scope so far, or tried to be opened} */
  public boolean isEmpty() {
    return sites.isEmpty();
  }

  /**
   * Handles of a scope that were not closed, by type and call site; or {@linkplain #opened others}.
   *
   * @param type the name of their type
   * @param open how many are open: reachable, or not found by the net yet
   * @param forgotten how many the net has released
   * @param site the stack of the opening, innermost frame first
   */
  public record Left(String type, long open, long forgotten, List<StackTraceElement> site) {
    /** Copies the list. */
    public Left {
      site = List.copyOf(site);
    }
  }

  /**
   * Returns what was opened in this scope and not closed. The time of the call is proportional to
   * the number of call sites.
   *
   * @return an entry for each type and call site, in the order of the lines; empty if everything
   *     was closed
   */
  public List<Left> left() {
    List<Left> left = new ArrayList<>();
    for (Site site : sites.values()) {
      long forgotten = site.forgotten(); // first: what is forgotten meanwhile counts as open
      long unclosed = site.unclosed();
      if (unclosed > 0) {
        left.add(new Left(site.type, unclosed - forgotten, forgotten, site.frames));
      }
    }
    left.sort(BY_SITE);
    return left;
  }

  /** Whether a class calls the parts of the program: its frames tell nothing. */
  static boolean isCaller(Class<?> type) {
    String prefix = callers;
    return !prefix.isEmpty() && type.getName().startsWith(prefix);
  }

  /** The scope of an opening in progress with this stack; null if there is none. */
  static @Nullable HandleScope of(List<StackTraceElement> frames) {
    Function<List<StackTraceElement>, @Nullable HandleScope> with = finder;
    return with == null ? null : with.apply(frames);
  }

  static boolean isUsed() {
    return finder != null;
  }

  Site site(String type, List<StackTraceElement> frames) {
    Site known = sites.get(List.of(type, frames));
    if (known != null) {
      return known;
    }
    List<StackTraceElement> kept = sites.size() < Settings.MAX_SITES ? frames : Site.BEYOND.frames;
    return sites.computeIfAbsent(List.of(type, kept), unseen -> new Site(kept, this, type));
  }
}
