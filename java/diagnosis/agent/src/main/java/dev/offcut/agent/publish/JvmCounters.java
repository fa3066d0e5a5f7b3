package dev.offcut.agent.publish;

import dev.offcut.agent.base.concurrent.CounterMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counters that the JVM itself keeps for tools such as {@code jstat}: collections, what they left
 * in the heap, and metaspace. They cost nothing more to have; the beans of the platform would cost
 * half a second. There are none with {@code -XX:-UsePerfData}.
 */
final class JvmCounters {
  private static final int MAGIC = 0xcafec0c0;
  private static final int VERSION = 2;

  // The header, and an entry.
  private static final int ORDER_AT = 4;
  private static final int VERSION_AT = 5;
  private static final int FIRST_AT = 24;
  private static final int COUNT_AT = 28;
  private static final int NAME_AT = 4;
  private static final int DATA_AT = 16;

  private static final String COLLECTOR = "sun.gc.collector.";
  private static final int MOST_COLLECTORS = 4;

  /** The collector of the whole heap: that of Serial, of Parallel and of G1. */
  private static final int FULL = 1;

  private static final String GENERATION = "sun.gc.generation.";
  private static final int MOST_GENERATIONS = 2;
  private static final int MOST_SPACES = 3;

  /** Spaces whose use changes in a collection alone, or by a large object. */
  private static final Set<String> COLLECTED = Set.of("s0", "s1", "old", "space");

  /** Pauses for collections since the JVM began; -1 if it does not say. */
  long pauses = -1;

  /** How long they took together. */
  long pauseNanos = -1;

  /** Why the last was. */
  String cause = "";

  /**
   * Bytes of the Java heap in use after the last collection, and large objects since then; -1
   * before the first one, or if it does not say.
   */
  long heapAfter = -1;

  /** Pauses that collected the old generation; -1 if it does not say. */
  long oldPauses = -1;

  /** Pauses that collected the whole heap; -1 if it does not say. */
  long fullPauses = -1;

  /** Loaded classes; -1 if it does not say. */
  long classes = -1;

  /** Bytes of code that its compilers have made; -1 if it does not say. */
  long compiled = -1;

  /** Of metaspace; -1 if it does not say. */
  long committed = -1;

  long used = -1;

  /** When the JVM began, in ms since 1970; not above 0 if it does not say, or not yet. */
  long began = -1;

  private final Map<String, Integer> places = new HashMap<>();

  /** Where the used bytes of the spaces are that {@link #heapAfter} is the sum of. */
  private int[] usedAt = new int[0];

  private @Nullable ByteBuffer counters;

  /** So many of them were seen. */
  private int found;

  private boolean failed;

  /** Looks again. Allocates nothing but at first, and after a collection. */
  void look() {
    if (failed) {
      return;
    }
    try {
      ByteBuffer all = counters;
      if (all == null) {
        all = CounterMemory.get();
        check(all);
        counters = all;
      }
      look(all);
    } catch (IOException | RuntimeException e) {
      failed = true; // the JVM was told to keep none, or has another form of them
    }
  }

  void look(ByteBuffer all) {
    if (all.getInt(COUNT_AT) != found) {
      find(all);
    }
    read(all);
  }

  private static void check(ByteBuffer all) throws IOException {
    boolean little = all.get(ORDER_AT) == 1;
    if (all.getInt(0) != MAGIC
        || all.get(VERSION_AT) != VERSION
        || little != (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN)) {
      throw new IOException("unknown counters");
    }
    all.order(ByteOrder.nativeOrder());
  }

  /** The JVM still adds some when the agent has begun. One whose length is 0 is not written yet. */
  private void find(ByteBuffer all) {
    int at = all.getInt(FIRST_AT);
    int count = all.getInt(COUNT_AT);
    found = 0;
    while (found < count && all.getInt(at) > 0) {
      places.put(text(all, at + all.getInt(at + NAME_AT)), at + all.getInt(at + DATA_AT));
      at += all.getInt(at);
      found++;
    }
    usedAt = spaces(all);
  }

  /**
   * The spaces of the heap but for eden, which a collection empties. Collectors whose generations
   * have no eden work while the program runs, and change these figures at any time: of them it is
   * not known what the last collection left.
   */
  private int[] spaces(ByteBuffer all) {
    int[] found = new int[MOST_GENERATIONS * MOST_SPACES];
    int count = 0;
    boolean hasEden = false;
    for (int generation = 0; generation < MOST_GENERATIONS; generation++) {
      for (int space = 0; space < MOST_SPACES; space++) {
        String name = GENERATION + generation + ".space." + space;
        String called = text(all, name + ".name");
        Integer used = places.get(name + ".used");
        if (used != null && COLLECTED.contains(called)) {
          found[count++] = used;
        }
        hasEden |= called.equals("eden");
      }
    }
    return hasEden ? Arrays.copyOf(found, count) : new int[0];
  }

  private long heapAfter(ByteBuffer all) {
    if (usedAt.length == 0 || pauses <= 0) {
      return -1;
    }
    long sum = 0;
    for (int at : usedAt) {
      sum += all.getLong(at);
    }
    return sum;
  }

  private void read(ByteBuffer all) {
    began = number(all, "sun.rt.createVmBeginTime");
    committed = number(all, "sun.gc.metaspace.capacity");
    used = number(all, "sun.gc.metaspace.used");
    classes = classes(all);
    compiled = number(all, "sun.ci.nmethodSize");
    long frequency = number(all, "sun.os.hrt.frequency");
    long count = -1;
    long old = -1;
    double ticks = 0;
    for (int i = 0; i < MOST_COLLECTORS; i++) {
      long some = number(all, COUNTS[i]);
      if (some >= 0) {
        count = Math.max(0, count) + some;
        old += i == 0 ? 1 : some;
        ticks += number(all, TIMES[i]);
      }
    }
    if (count != pauses && frequency > 0) {
      pauses = count;
      pauseNanos = Math.round(ticks * 1e9 / frequency);
      cause = text(all, "sun.gc.lastCause");
    }
    oldPauses = old;
    fullPauses = number(all, COUNTS[FULL]);
    heapAfter = heapAfter(all);
  }

  private long classes(ByteBuffer all) {
    long loaded = number(all, "java.cls.loadedClasses");
    return loaded < 0
        ? -1
        : loaded
            + Math.max(0, number(all, "java.cls.sharedLoadedClasses"))
            - Math.max(0, number(all, "java.cls.unloadedClasses"))
            - Math.max(0, number(all, "java.cls.sharedUnloadedClasses"));
  }

  private static final String[] COUNTS = names(".invocations");
  private static final String[] TIMES = names(".time");

  private static String[] names(String figure) {
    String[] names = new String[MOST_COLLECTORS];
    for (int i = 0; i < MOST_COLLECTORS; i++) {
      names[i] = COLLECTOR + i + figure;
    }
    return names;
  }

  private long number(ByteBuffer all, String name) {
    Integer at = places.get(name);
    return at == null ? -1 : all.getLong(at);
  }

  /** Empty if there is none of that name. */
  private String text(ByteBuffer all, String name) {
    Integer at = places.get(name);
    return at == null ? "" : text(all, at);
  }

  private static String text(ByteBuffer all, int at) {
    int end = at;
    while (all.get(end) != 0) {
      end++;
    }
    byte[] text = new byte[end - at];
    all.get(at, text);
    return new String(text, StandardCharsets.US_ASCII);
  }
}
