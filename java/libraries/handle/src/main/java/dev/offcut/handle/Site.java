package dev.offcut.handle;

import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A place in the program that opens handles: the frames from the first one outside the net and the
 * handle's own class on. Equal stacks are one object.
 */
final class Site {
  /** Most stacks that are looked at have so many frames, which come in one call of the JVM. */
  private static final int USUAL_FRAMES = 12;

  private static final StackWalker WALKER =
      StackWalker.getInstance(Set.of(Option.RETAIN_CLASS_REFERENCE), USUAL_FRAMES);

  private static final ConcurrentHashMap<List<StackTraceElement>, Site> KNOWN =
      new ConcurrentHashMap<>();
  private static final String OWN = Site.class.getPackageName();
  static final Site BEYOND =
      new Site(
          List.of(
              new StackTraceElement(
                  "offcut",
                  "site",
                  "more than " + Settings.MAX_SITES + " sites: not recorded",
                  -1)));

  final List<StackTraceElement> frames;

  /** Whose opening it is, if somebody tells openings apart; equal stacks of two are two sites. */
  final @Nullable SiteScope scope;

  /**
   * In a scope, how many openings began here, less those that ended by a close: at least as many as
   * are open or forgotten.
   */
  private final AtomicInteger unclosed = new AtomicInteger();

  /** Handles opened here that the net is about to release. */
  private final AtomicInteger releasing = new AtomicInteger();

  Site(List<StackTraceElement> frames) {
    this(frames, null);
  }

  Site(List<StackTraceElement> frames, @Nullable SiteScope scope) {
    this.frames = frames;
    this.scope = scope;
  }

  /**
   * The net is about to take a handle of a scope from its place, and will count it as forgotten
   * before {@link #endRelease}: whoever looks at the scope meanwhile waits.
   */
  static void beginRelease(@Nullable Site site) {
    if (site != null && site.scope != null) {
      site.releasing.getAndIncrement();
    }
  }

  /** The handle is counted, or somebody else has it. */
  static void endRelease(@Nullable Site site) {
    if (site != null && site.scope != null) {
      site.releasing.getAndDecrement();
    }
  }

  /** The program has closed a handle that was opened at a site: the net has not released it. */
  static void noteClosed(@Nullable Site site) {
    if (site != null && site.scope != null) {
      site.unclosed.getAndDecrement();
    }
  }

  /** Whether all that was opened here was closed by the program. */
  boolean isClosed() {
    return unclosed.get() == 0;
  }

  boolean isReleasing() {
    return releasing.get() > 0;
  }

  /** The site of the call in progress, which opens nothing. */
  static Site here() {
    return of(frames(List.of()), null);
  }

  /**
   * The site of the opening in progress.
   *
   * @param through the packages whose frames are left out at the top
   */
  static Site here(List<String> through) {
    List<StackTraceElement> frames = frames(through);
    return of(frames, SiteScope.of(frames));
  }

  private static Site of(List<StackTraceElement> frames, @Nullable SiteScope scope) {
    if (scope != null) {
      Site site = scope.site(frames);
      site.unclosed.getAndIncrement();
      return site;
    }
    Site known = KNOWN.get(frames);
    if (known != null) {
      return known;
    }
    if (KNOWN.size() >= Settings.MAX_SITES) {
      return BEYOND;
    }
    Site site = new Site(frames);
    Site before = KNOWN.putIfAbsent(frames, site);
    return before != null ? before : site;
  }

  /**
   * The site of an opening in progress, of what is no handle; null if it is in no scope.
   *
   * @param through the packages whose frames are left out at the top
   */
  static @Nullable Site inScope(List<String> through) {
    if (!SiteScope.isUsed()) {
      return null;
    }
    List<StackTraceElement> frames = frames(through);
    SiteScope scope = SiteScope.of(frames);
    return scope == null ? null : scope.site(frames);
  }

  /** Drops the known sites; an equal stack is another object from then on. */
  static void forgetAll() {
    KNOWN.clear();
  }

  /** The frames from the first one on that is outside of the net and of some packages. */
  private static List<StackTraceElement> frames(List<String> packages) {
    return WALKER.walk(stack -> outside(stack.iterator(), packages));
  }

  private static List<StackTraceElement> outside(Iterator<StackFrame> rest, List<String> packages) {
    List<StackTraceElement> frames = new ArrayList<>(Settings.SITE_FRAMES);
    while (rest.hasNext() && frames.size() < Settings.SITE_FRAMES) {
      StackFrame frame = rest.next();
      boolean isLast = !rest.hasNext();
      Class<?> type = frame.getDeclaringClass();
      if (!frames.isEmpty() && SiteScope.isCaller(type)) {
        break;
      }
      if (!frames.isEmpty() || isLast || !(isInside(type) || isOf(packages, type))) {
        frames.add(element(frame));
      }
    }
    return List.copyOf(frames);
  }

  /** A frame without its module and version: they make a report longer, not clearer. */
  private static StackTraceElement element(StackFrame frame) {
    StackTraceElement whole = frame.toStackTraceElement(); // one call of the JVM for all of it
    return new StackTraceElement(
        whole.getClassName(), whole.getMethodName(), whole.getFileName(), whole.getLineNumber());
  }

  private static boolean isOf(List<String> packages, Class<?> type) {
    return !packages.isEmpty() && packages.contains(type.getPackageName());
  }

  private static boolean isInside(Class<?> type) {
    Class<?> outer = type.getNestHost();
    boolean net =
        outer.getPackageName().equals(OWN)
            && outer.getModule() == Site.class.getModule()
            && NET.contains(outer.getSimpleName());
    return net
        || HandleState.class.isAssignableFrom(type)
        || HandleState.class.isAssignableFrom(outer);
  }

  private static final List<String> NET =
      List.of(
          "Site",
          "Handle",
          "HandleScope",
          "HandleState",
          "GuardedHandle",
          "HandleType",
          "Nurseries",
          "Nursery",
          "Family",
          "Cleaner");

  /** The first line, as {@code class.method(File.java:line)}. */
  String top() {
    return frames.isEmpty() ? "unknown" : frames.get(0).toString();
  }

  /** A frame a line. */
  static String text(List<StackTraceElement> frames) {
    StringBuilder text = new StringBuilder();
    for (StackTraceElement frame : frames) {
      text.append(text.isEmpty() ? "" : "\n").append(frame);
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return top();
  }
}
