package dev.offcut.agent.stream;

import dev.offcut.agent.stream.jdk.StockStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What was counted of all streams, and its report. It holds texts and numbers only. */
public final class Tally {
  private static final int SAMPLE = 64;

  /**
   * Of one walk without and with one frame of the JDK, in nanoseconds, measured on JDK 17 and 25.
   */
  private static final long WALK_NANOS = 100;

  private static final long FRAME_NANOS = 19;

  /** More names or places than these are not recorded: a report is to be read. */
  private static final int MOST = 10_000;

  private static final LongAdder WALKS = new LongAdder();
  private static final LongAdder SAVED = new LongAdder();
  private static final LongAdder VERIFIED = new LongAdder();
  private static final Map<String, Site> SITES = new ConcurrentHashMap<>();
  private static final Map<String, Boolean> CLASSES = new ConcurrentHashMap<>();

  private static final boolean RECORDING = Boolean.parseBoolean(Told.RECORD);

  /**
   * After so many walks, and again each time, {@link LoadedRetrofit} gets notice. They have then
   * cost some milliseconds; to rewrite the collections costs some tens.
   */
  private static final int NOTICE = 8192;

  /** A race gives a walk more or less. */
  private static int walked;

  /** A race gives a place a sample more or less. */
  private static int turn;

  private static volatile @Nullable String mismatch;

  private Tally() {}

  static void walked(StockStream stream) {
    WALKS.increment();
    int walks = walked + 1;
    walked = walks;
    if (walks % NOTICE == 0) {
      giveNotice();
    }
    if (RECORDING) {
      Site site = site();
      if (site != null) {
        site.walks.increment();
        if (stream.getObjectInputFilter() == null) {
          site.unfiltered.increment();
        }
      }
    }
  }

  private static void giveNotice() {
    synchronized (Tally.class) {
      Tally.class.notifyAll();
    }
  }

  static void saved() {
    SAVED.increment();
    if (RECORDING && ++turn % SAMPLE == 0) {
      Site site = site();
      if (site != null) {
        site.sampled.increment();
      }
    }
  }

  static void verified() {
    VERIFIED.increment();
  }

  /** Keeps the first mismatch, with where it was. */
  static void mismatched(String known, String stock) {
    String text = "the memo knew " + known + ", " + stock;
    StringBuilder all = new StringBuilder(text);
    for (StackTraceElement frame : new Throwable().getStackTrace()) {
      all.append(System.lineSeparator()).append("    at ").append(frame);
    }
    mismatch = all.toString();
    System.err.println("offcut: object streams: " + text + "; the walk is used from now on");
  }

  /** A class that a stream resolved. */
  static void resolved(@Nullable Class<?> type) {
    if (RECORDING && type != null && CLASSES.size() < MOST) {
      Class<?> element = type;
      while (element.isArray()) {
        element = element.getComponentType();
      }
      if (!element.isPrimitive()) {
        CLASSES.putIfAbsent(element.getName(), true);
      }
    }
  }

  private static @Nullable Site site() {
    Frames frames = new Frames();
    String place = frames.walk();
    Site site = SITES.get(place);
    if (site == null && SITES.size() < MOST) {
      Site made = new Site();
      Site first = SITES.putIfAbsent(place, made);
      site = first == null ? made : first;
    }
    if (site != null) {
      site.add(frames.count);
    }
    return site;
  }

  /** The report, in lines. Called by the agent. */
  public static List<String> lines() {
    List<String> lines = new ArrayList<>();
    long frames = 0;
    long samples = 0;
    for (Site site : SITES.values()) {
      samples += site.samples.sum();
      frames += site.frames.sum();
    }
    long mean = samples == 0 ? 0 : frames / samples;
    long saved = SAVED.sum();
    lines.add("walks " + WALKS.sum());
    lines.add("saved " + saved);
    lines.add("verified " + VERIFIED.sum());
    lines.add("saved-cpu-us " + saved * (WALK_NANOS + mean * FRAME_NANOS) / 1000);
    String bad = mismatch;
    lines.add("mismatch " + (bad == null ? "none" : bad));
    new TreeMap<>(SITES).forEach(new SiteLines(lines));
    if (!CLASSES.isEmpty()) {
      lines.add("allow-list " + String.join(";", new TreeMap<>(CLASSES).keySet()) + ";!*");
    }
    return lines;
  }
}
