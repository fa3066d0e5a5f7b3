package dev.offcut.agent.publish;

import dev.offcut.agent.Presence;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counters that the JVM itself keeps in a file for tools such as {@code jstat}: collections, what
 * they left in the heap, and metaspace. They cost nothing more to have; the beans of the platform
 * would cost half a second. There are none with {@code -XX:-UsePerfData} or {@code
 * -XX:+PerfDisableSharedMem}.
 */
final class JvmCounters {
  private static final int MAGIC = 0xcafec0c0;
  private static final int VERSION = 2;
  private static final int MOST_BYTES = 1 << 20;

  // The header, and an entry.
  private static final int ORDER_AT = 4;
  private static final int VERSION_AT = 5;
  private static final int USED_AT = 8;
  private static final int FIRST_AT = 24;
  private static final int COUNT_AT = 28;
  private static final int NAME_AT = 4;
  private static final int DATA_AT = 16;

  private static final String COLLECTOR = "sun.gc.collector.";
  private static final int MOST_COLLECTORS = 4;
  private static final int MOST_FAILURES = 5;
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

  /** Of metaspace; -1 if it does not say. */
  long committed = -1;

  long used = -1;

  /** When the JVM began, in ms since 1970; not above 0 if it does not say, or not yet. */
  long began = -1;

  private final Map<String, Integer> places = new HashMap<>();
  private byte[] bytes = new byte[0];

  /** Where the used bytes of the spaces are that {@link #heapAfter} is the sum of. */
  private int[] usedAt = new int[0];

  private @Nullable RandomAccessFile file;
  private int failures;

  /** Looks again. Allocates nothing but at first, and after a collection. */
  void look() {
    if (failures == MOST_FAILURES) {
      return;
    }
    try {
      if (file == null) {
        file = open();
      }
      file.seek(0);
      file.readFully(bytes);
      read(ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()));
    } catch (IOException | RuntimeException e) {
      // The JVM was told to keep none, has another form of them, or is just adding one.
      failures++;
    }
  }

  private RandomAccessFile open() throws IOException {
    String path = "/tmp/hsperfdata_" + System.getProperty("user.name", "") + "/" + Presence.pid();
    RandomAccessFile opened = new RandomAccessFile(path, "r");
    try {
      bytes = new byte[(int) Math.min(MOST_BYTES, opened.length())];
      opened.readFully(bytes);
      find(ByteBuffer.wrap(bytes));
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
    return opened;
  }

  private void find(ByteBuffer all) throws IOException {
    boolean little = all.get(ORDER_AT) == 1;
    if (all.getInt(0) != MAGIC
        || all.get(VERSION_AT) != VERSION
        || little != (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN)) {
      throw new IOException("unknown counters");
    }
    all.order(ByteOrder.nativeOrder());
    int at = all.getInt(FIRST_AT);
    for (int left = all.getInt(COUNT_AT); left > 0; left--) {
      int name = at + all.getInt(at + NAME_AT);
      if (isKnown(name)) {
        int end = name;
        while (bytes[end] != 0) {
          end++;
        }
        int data = at + all.getInt(at + DATA_AT);
        String text = new String(bytes, name, end - name, StandardCharsets.US_ASCII);
        places.put(text, data);
      }
      at += all.getInt(at);
    }
    usedAt = spaces();
    int need = all.getInt(USED_AT);
    if (need > 0 && need < bytes.length) {
      bytes = Arrays.copyOf(bytes, need);
    }
  }

  /**
   * The spaces of the heap but for eden, which a collection empties. Collectors whose generations
   * have no eden work while the program runs, and change these figures at any time: of them it is
   * not known what the last collection left.
   */
  private int[] spaces() {
    int[] all = new int[MOST_GENERATIONS * MOST_SPACES];
    int count = 0;
    boolean hasEden = false;
    for (int generation = 0; generation < MOST_GENERATIONS; generation++) {
      for (int space = 0; space < MOST_SPACES; space++) {
        String name = GENERATION + generation + ".space." + space;
        String called = text(name + ".name");
        Integer used = places.get(name + ".used");
        if (used != null && COLLECTED.contains(called)) {
          all[count++] = used;
        }
        hasEden |= called.equals("eden");
      }
    }
    return hasEden ? Arrays.copyOf(all, count) : new int[0];
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

  /** {@code sun.gc.…}, {@code sun.os.…} and {@code sun.rt.…}: a few of hundreds. */
  private boolean isKnown(int name) {
    return bytes[name] == 's'
        && bytes[name + 3] == '.'
        && ((bytes[name + 4] == 'g' && bytes[name + 5] == 'c')
            || (bytes[name + 4] == 'o' && bytes[name + 5] == 's')
            || (bytes[name + 4] == 'r' && bytes[name + 5] == 't'));
  }

  private void read(ByteBuffer all) {
    began = number(all, "sun.rt.createVmBeginTime");
    committed = number(all, "sun.gc.metaspace.capacity");
    used = number(all, "sun.gc.metaspace.used");
    long frequency = number(all, "sun.os.hrt.frequency");
    long count = -1;
    double ticks = 0;
    for (int i = 0; i < MOST_COLLECTORS; i++) {
      long some = number(all, COUNTS[i]);
      if (some >= 0) {
        count = Math.max(0, count) + some;
        ticks += number(all, TIMES[i]);
      }
    }
    if (count != pauses && frequency > 0) {
      pauses = count;
      pauseNanos = Math.round(ticks * 1e9 / frequency);
      cause = text("sun.gc.lastCause");
    }
    heapAfter = heapAfter(all);
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
  private String text(String name) {
    Integer at = places.get(name);
    if (at == null) {
      return "";
    }
    int end = at;
    while (end < bytes.length && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, at, end - at, StandardCharsets.US_ASCII);
  }
}
