package dev.offcut.handle;

import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
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
  final @Nullable HandleScope scope;

  /** In a scope: the type of what is opened; elsewhere empty. */
  final String type;

  /** In a scope: the openings here, less those that ended by a close or came to nothing. */
  private final AtomicLong unclosed = new AtomicLong();

  /** In a scope: those of {@link #unclosed} that the net has released. */
  private final AtomicLong forgotten = new AtomicLong();

  Site(List<StackTraceElement> frames) {
    this(frames, null, "");
  }

  Site(List<StackTraceElement> frames, @Nullable HandleScope scope, String type) {
    this.frames = frames;
    this.scope = scope;
    this.type = type;
  }

  /** Counts an opening, once its place knows its site. */
  void noteOpened() {
    if (scope != null) {
      unclosed.getAndIncrement();
    }
  }

  /** Counts an opening out: the program closed it, or it came to nothing. */
  static void noteClosed(@Nullable Site site) {
    if (site != null && site.scope != null) {
      site.unclosed.getAndDecrement();
    }
  }

  static void noteForgotten(Site site) {
    if (site.scope != null) {
      site.forgotten.getAndIncrement();
    }
  }

  /** Open or forgotten, in a scope. */
  long unclosed() {
    return unclosed.get();
  }

  long forgotten() {
    return forgotten.get();
  }

  /** The site of the call in progress, which opens nothing. */
  static Site here() {
    return known(frames(List.of()));
  }

  /** The site of the opening in progress. */
  static Site here(HandleType type) {
    List<StackTraceElement> frames = frames(type.openedThrough);
    HandleScope scope = HandleScope.of(frames);
    return scope == null ? known(frames) : scope.site(type.name, frames);
  }

  /** The site of the opening in progress, unless the level leaves it out. */
  static @Nullable Site sampled(HandleType type, Detection level) {
    boolean isRecorded =
        level == Detection.FULL
            || (level == Detection.SAMPLE
                && ThreadLocalRandom.current().nextInt(Settings.SAMPLE_INTERVAL) == 0);
    return isRecorded ? here(type) : null;
  }

  /**
   * The site of the opening of a pool, an owner, an arena or a heap; null if it is in no scope.
   *
   * @param through the packages whose frames are left out at the top
   */
  static @Nullable Site inScope(String type, List<String> through) {
    if (!HandleScope.isUsed()) {
      return null;
    }
    List<StackTraceElement> frames = frames(through);
    HandleScope scope = HandleScope.of(frames);
    return scope == null ? null : scope.site(type, frames);
  }

  private static Site known(List<StackTraceElement> frames) {
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
      if (!frames.isEmpty() && HandleScope.isCaller(type)) {
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
    return net || Handle.class.isAssignableFrom(type) || Handle.class.isAssignableFrom(outer);
  }

  private static final List<String> NET =
      List.of(
          "Site",
          "Handle",
          "HandleScope",
          "Events",
          "GuardedHandle",
          "HandleType",
          "Nurseries",
          "Nursery",
          "Family",
          "Registration",
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
