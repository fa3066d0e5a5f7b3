package dev.offcut.cli.digest;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import org.jspecify.annotations.Nullable;

/**
 * Reads fields of events that may be of another version: what is not there has a value for that.
 */
final class Recorded {
  private Recorded() {}

  static long number(RecordedEvent event, String field, long otherwise) {
    return event.hasField(field) ? event.getLong(field) : otherwise;
  }

  static long number(RecordedEvent event, String field) {
    return number(event, field, 0);
  }

  static String text(RecordedEvent event, String field) {
    if (!event.hasField(field)) {
      return "";
    }
    Object value = event.getValue(field);
    return value instanceof String text ? text : "";
  }

  /** Lines of text. */
  static List<String> lines(RecordedEvent event, String field) {
    return text(event, field).lines().toList();
  }

  /** The frames of an event's stack, in the form of those that are text. */
  static List<String> stack(RecordedEvent event) {
    RecordedStackTrace stack = event.getStackTrace();
    return stack == null ? List.of() : Frames.of(stack);
  }

  /** Stacks of events as text, without what lies above the program: the JDK's own frames. */
  static final class Frames {
    /** In the names of classes that nobody wrote, and that are others in each run. */
    private static final String LAMBDA = "$$Lambda";

    private Frames() {}

    static List<String> of(RecordedStackTrace stack) {
      List<String> frames = new ArrayList<>();
      for (RecordedFrame frame : stack.getFrames()) {
        if (frame.isJavaFrame()) {
          RecordedMethod method = frame.getMethod();
          String type = method.getType().getName();
          boolean above = frames.isEmpty() && isInside(type);
          if (!above && !type.contains(LAMBDA)) {
            frames.add(text(type, method.getName(), frame.getLineNumber()));
          }
        }
      }
      return frames;
    }

    private static boolean isInside(String type) {
      return type.startsWith("java.")
          || type.startsWith("jdk.")
          || type.startsWith("sun.")
          || type.startsWith("dev.offcut.agent.");
    }

    /** Recordings have no file names; that of the outermost class is what compilers expect. */
    private static String text(String type, String method, int line) {
      int inner = type.indexOf('$');
      String outer = inner < 0 ? type : type.substring(0, inner);
      String file = outer.substring(outer.lastIndexOf('.') + 1) + ".java";
      return type + "." + method + "(" + file + (line > 0 ? ":" + line : "") + ")";
    }
  }

  /**
   * The latest value of each key. Events are not read in the order in which they happened: each
   * thread of the program has written its own.
   */
  static final class Latest<K, V> {
    /** What is emitted together has about the same time. */
    private static final Duration ROUND = Duration.ofSeconds(1);

    private record Dated<V>(Instant time, V value) {}

    private final Map<K, Dated<V>> values = new LinkedHashMap<>();
    private Instant last = Instant.MIN;

    void put(K key, Instant time, V value) {
      values.merge(
          key,
          new Dated<>(time, value),
          (known, given) -> given.time().isBefore(known.time()) ? known : given);
      last = time.isAfter(last) ? time : last;
    }

    @Nullable V get(K key) {
      Dated<V> dated = values.get(key);
      return dated == null ? null : dated.value();
    }

    boolean isEmpty() {
      return values.isEmpty();
    }

    Set<K> keys() {
      return Collections.unmodifiableSet(values.keySet());
    }

    /** Of all keys, in the order in which they were first seen. */
    List<V> all() {
      return values.values().stream().map(Dated::value).toList();
    }

    /** Of those keys alone that are in the last round: others are of what is gone. */
    List<V> inLastRound() {
      List<V> round = new ArrayList<>();
      for (Dated<V> dated : values.values()) {
        if (!dated.time().isBefore(last.minus(ROUND))) {
          round.add(dated.value());
        }
      }
      return round;
    }
  }
}
