package dev.offcut.agent.track;

import dev.offcut.agent.Presence;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counters that the JVM itself keeps in a file for tools such as {@code jstat}: collections and
 * metaspace. They cost nothing more to have; the beans of the platform would cost half a second.
 * There are none with {@code -XX:-UsePerfData} or {@code -XX:+PerfDisableSharedMem}.
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
  private static final int LENGTH_AT = 8;
  private static final int DATA_AT = 16;

  private static final String COLLECTOR = "sun.gc.collector.";
  private static final int MOST_COLLECTORS = 4;

  /** Pauses for collections since the JVM began; -1 if it does not say. */
  long pauses = -1;

  /** How long they took together. */
  long pauseNanos = -1;

  /** Why the last was. */
  String cause = "";

  /** Of metaspace; -1 if it does not say. */
  long committed = -1;

  long used = -1;

  /** When the JVM began, in ms since 1970; -1 if it does not say. */
  long began = -1;

  private final Map<String, Integer> places = new HashMap<>();
  private byte[] bytes = new byte[0];
  private byte[] causeBytes = new byte[0];
  private @Nullable RandomAccessFile file;
  private boolean failed;

  /** Looks again. Allocates nothing but at first, and after a collection. */
  void look() {
    if (failed) {
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
      failed = true; // the JVM was told to keep none, or has another form of them
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
        if (text.equals("sun.gc.lastCause")) {
          causeBytes = new byte[all.getInt(at + LENGTH_AT)];
        }
      }
      at += all.getInt(at);
    }
    int need = all.getInt(USED_AT);
    if (need > 0 && need < bytes.length) {
      bytes = Arrays.copyOf(bytes, need);
    }
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
      cause = cause();
    }
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

  private String cause() {
    Integer at = places.get("sun.gc.lastCause");
    if (at == null) {
      return "";
    }
    int length = 0;
    while (length < causeBytes.length && bytes[at + length] != 0) {
      length++;
    }
    return new String(bytes, at, length, StandardCharsets.US_ASCII);
  }
}
