package dev.offcut.retrofit.base.io;

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What was counted of all streams: texts and numbers only. The agent asks for them, in types that
 * it shares with java.base, and {@code StreamReport} makes a report of them.
 */
public final class StreamCounts {
  /** Of the walks that were saved one in 2^6 is looked at, which costs as much as ten. */
  private static final int SAMPLE_BITS = 6;

  private static final String PROXY_PACKAGE = "jdk.proxy";

  /** More names or places than these are not recorded: a report is to be read. */
  private static final int MOST = 10_000;

  /** Depths are counted in classes: from 0 on, from this bound on, from twice the bound on... */
  public static final int FIRST_BOUND = 8;

  /** The number of classes of depth. */
  public static final int DEPTH_CLASSES = 6;

  private static final LongAdder WALKS = new LongAdder();
  private static final LongAdder SAVED = new LongAdder();
  private static final LongAdder VERIFIED = new LongAdder();
  private static final Map<String, Walks> SITES = new ConcurrentHashMap<>();
  private static final Map<String, Boolean> CLASSES = new ConcurrentHashMap<>();

  /** Random numbers. A race gives a place a sample more or less. */
  private static int random = 1;

  private static volatile @Nullable String mismatch;

  private StreamCounts() {}

  static void walked(Stock.Stream stream) {
    WALKS.increment();
    if (StreamSettings.RECORD) {
      Frames frames = new Frames();
      Walks site = site(frames);
      if (site != null) {
        site.walked(frames.count, stream.getObjectInputFilter() != null);
      }
    }
  }

  static void saved() {
    SAVED.increment();
    if (StreamSettings.RECORD && isSampled()) {
      Frames frames = new Frames();
      Walks site = site(frames);
      if (site != null) {
        site.saved(frames.count, 1 << SAMPLE_BITS);
      }
    }
  }

  /** At random: programs read in turns, of which every 64th would always be the same. */
  private static boolean isSampled() {
    random = random * 1_664_525 + 1_013_904_223; // Numerical Recipes, 7.1
    return random >>> (Integer.SIZE - SAMPLE_BITS) == 0;
  }

  static void verified() {
    VERIFIED.increment();
  }

  /** Keeps the first mismatch, with where it was. */
  static void mismatched(String known, String stock) {
    String text = "the cache has " + known + ", but " + stock;
    StringBuilder all = new StringBuilder(text);
    for (StackTraceElement frame : new Throwable().getStackTrace()) {
      all.append("\n    at ").append(frame);
    }
    mismatch = all.toString();
    System.err.println(
        "offcut: object streams: " + text + "; from now on every lookup walks over the stack");
  }

  /** A class that the stream's filter is asked about, if it has one. */
  static void asked(@Nullable Class<?> type) {
    if (!StreamSettings.RECORD || type == null) {
      return;
    }
    if (Proxy.isProxyClass(type)) {
      add(proxies(type.getName()));
      for (Class<?> shown : type.getInterfaces()) {
        add(shown.getName());
      }
      return;
    }
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    if (!element.isPrimitive()) {
      add(element.getName());
    }
  }

  private static void add(String name) {
    if (CLASSES.size() < MOST) {
      CLASSES.putIfAbsent(name, true);
    }
  }

  /** Proxy classes and their packages are numbered as they come: the name up to the number. */
  private static String proxies(String name) {
    int end = name.indexOf(PROXY_PACKAGE);
    if (end >= 0) {
      return name.substring(0, end + PROXY_PACKAGE.length()) + '*';
    }
    int length = name.length();
    while (length > 0 && Character.isDigit(name.charAt(length - 1))) {
      length--;
    }
    return name.substring(0, length) + '*';
  }

  private static @Nullable Walks site(Frames frames) {
    String place = frames.walk();
    Walks site = SITES.get(place);
    if (site == null && SITES.size() < MOST) {
      Walks made = new Walks();
      Walks first = SITES.putIfAbsent(place, made);
      site = first == null ? made : first;
    }
    return site;
  }

  /** Walks, those saved, answers verified. */
  public static long[] counts() {
    return new long[] {WALKS.sum(), SAVED.sum(), VERIFIED.sum()};
  }

  /** The first mismatch in lines, or null. */
  public static @Nullable String mismatch() {
    return mismatch;
  }

  /** The {@linkplain Walks#figures figures} of each place. */
  public static Map<String, long[]> sites() {
    Map<String, long[]> sites = new HashMap<>();
    for (Map.Entry<String, Walks> site : SITES.entrySet()) {
      sites.put(site.getKey(), site.getValue().figures());
    }
    return sites;
  }

  /** The names of the classes that filters are asked about, in order. */
  public static Set<String> classes() {
    return new TreeSet<>(CLASSES.keySet());
  }

  /** What was counted of one place of the program that reads objects. */
  static final class Walks {
    private final LongAdder walks = new LongAdder();
    private final LongAdder walkFrames = new LongAdder();
    private final LongAdder sampled = new LongAdder();
    private final LongAdder sampledFrames = new LongAdder();
    private final LongAdder unfiltered = new LongAdder();
    private final AtomicLongArray depths = new AtomicLongArray(DEPTH_CLASSES);

    Walks() {}

    /** A walk that was done. */
    void walked(int depth, boolean filtered) {
      walks.increment();
      walkFrames.add(depth);
      if (!filtered) {
        unfiltered.increment();
      }
      depths.incrementAndGet(classOf(depth));
    }

    /** A walk that was saved, which stands for so many. */
    void saved(int depth, int weight) {
      sampled.increment();
      sampledFrames.add(depth);
      depths.addAndGet(classOf(depth), weight);
    }

    private static int classOf(int depth) {
      int index = 0;
      while (index < DEPTH_CLASSES - 1 && depth >= FIRST_BOUND << index) {
        index++;
      }
      return index;
    }

    /** All figures: walks and their frames, samples and theirs, unfiltered, then by depth. */
    long[] figures() {
      long[] figures = new long[5 + depths.length()];
      figures[0] = walks.sum();
      figures[1] = walkFrames.sum();
      figures[2] = sampled.sum();
      figures[3] = sampledFrames.sum();
      figures[4] = unfiltered.sum();
      for (int index = 0; index < depths.length(); index++) {
        figures[5 + index] = depths.get(index);
      }
      return figures;
    }
  }

  /** The frames of the JDK above the program's latest one, which is the place that reads. */
  static final class Frames implements Function<Stream<StackWalker.StackFrame>, String> {
    /** What the agent put between the stream and the walk: the stock stream has none of it. */
    private static final String OWN = "java.io.Offcut";

    private static final StackWalker WALKER =
        StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    int count;

    Frames() {}

    String walk() {
      return WALKER.walk(this);
    }

    @Override
    public String apply(Stream<StackWalker.StackFrame> stack) {
      Iterator<StackWalker.StackFrame> frames = stack.iterator();
      while (frames.hasNext()) {
        StackWalker.StackFrame frame = frames.next();
        ClassLoader loader = frame.getDeclaringClass().getClassLoader();
        if (loader != null && loader != ClassLoader.getPlatformClassLoader()) {
          return frame.getClassName() + "." + frame.getMethodName();
        }
        if (!frame.getClassName().startsWith(OWN)) {
          count++;
        }
      }
      return "the JDK alone";
    }
  }
}
