package dev.offcut.handle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
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
public final class HandleScope extends SiteScope {
  private static final long LIMIT_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long POLL_NANOS = 100_000;

  /** The same order in each run. */
  private static final Comparator<Left> BY_SITE =
      Comparator.comparing((Left left) -> left.site().toString()).thenComparing(Left::type);

  /** What is open that is no handle, by type and site. */
  private final ConcurrentHashMap<Opening.Key, AtomicLong> openings = new ConcurrentHashMap<>();

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
    SiteScope.use(finder, calledBy);
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
    Site site = Site.inScope(List.of(through));
    return site != null && site.scope instanceof HandleScope scope
        ? scope.note(new Opening.Key(type, site))
        : null;
  }

  private Opening note(Opening.Key key) {
    AtomicLong open = openings.computeIfAbsent(key, unseen -> new AtomicLong());
    open.getAndIncrement();
    return new Opening(open);
  }

  /** Something open that is no handle. Any thread may close it. */
  public static final class Opening {
    private final AtomicLong open;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Opening(AtomicLong open) {
      this.open = open;
    }

    private record Key(String type, Site site) {}

    /** Notes that it is not open any more. Further calls do nothing. */
    public void close() {
      if (closed.compareAndSet(false, true)) {
        open.getAndDecrement();
      }
    }
  }

  /**
   * Returns whether nothing was opened in this scope so far, or tried to be opened.
   *
   * @return whether it is empty
   */
  public boolean isEmpty() {
    return sites().isEmpty();
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
   * Returns what was opened in this scope and not closed. If all was closed, it takes a look at
   * each call site; else its time is proportional to the number of all open handles of the program,
   * and it waits for releases of the net that are under way, for 5 s at most.
   *
   * @return an entry for each type and call site, handles by their lines; empty if every handle was
   *     closed
   */
  public List<Left> left() {
    List<Left> entries = new ArrayList<>();
    addNoted(entries);
    for (Site site : sites()) {
      if (!site.isClosed()) {
        addHandles(entries);
        return entries;
      }
    }
    return entries;
  }

  private void addHandles(List<Left> entries) {
    long deadline = System.nanoTime() + LIMIT_NANOS;
    Map<Site, Map<TypeState, long[]>> left;
    long before;
    long after;
    boolean settled;
    do {
      left = new HashMap<>();
      before = addForgotten(new HashMap<>());
      addOpen(left);
      settled = awaitReleases(deadline);
      after = addForgotten(left);
    } while (settled && before != after);
    List<Left> handles = new ArrayList<>();
    left.forEach(
        (site, types) ->
            types.forEach(
                (type, counts) ->
                    handles.add(new Left(type.name, counts[0], counts[1], site.frames))));
    handles.sort(BY_SITE);
    entries.addAll(handles);
  }

  private void addNoted(List<Left> entries) {
    openings.forEach(
        (key, open) -> {
          if (open.get() > 0) {
            entries.add(new Left(key.type(), open.get(), 0, key.site().frames));
          }
        });
  }

  private void addOpen(Map<Site, Map<TypeState, long[]>> to) {
    Statistics.visitOpenSites(
        (type, site) -> {
          if (site.scope == this) {
            counts(to, site, type)[0]++;
          }
        });
  }

  /** Their sum. */
  private long addForgotten(Map<Site, Map<TypeState, long[]>> to) {
    long sum = 0;
    for (Nurseries nurseries : NurseryList.types()) {
      for (Site site : sites()) {
        AtomicLong count = nurseries.type.counters().sites.get(site);
        if (count != null) {
          counts(to, site, nurseries.type)[1] += count.get();
          sum += count.get();
        }
      }
    }
    return sum;
  }

  private static long[] counts(Map<Site, Map<TypeState, long[]>> of, Site site, TypeState type) {
    return of.computeIfAbsent(site, unseen -> new HashMap<>())
        .computeIfAbsent(type, unseen -> new long[2]);
  }

  private boolean awaitReleases(long deadline) {
    for (Site site : sites()) {
      while (site.isReleasing()) {
        if (System.nanoTime() - deadline >= 0) {
          return false; // a releaser hangs
        }
        try {
          TimeUnit.NANOSECONDS.sleep(POLL_NANOS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return false;
        }
      }
    }
    return true;
  }
}
