package dev.offcut.command.read;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedClassLoader;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import org.jspecify.annotations.Nullable;

/** An event of a recording. */
final class Recorded implements Fields {
  /** Reads as the number of a class loader: it is no field that has one. */
  static final String LOADER = "classLoader";

  private final RecordedEvent event;

  /** Flight Recorder reckons a time anew at each call, and several ask for those of every event. */
  private final Instant time;

  private final Instant end;

  Recorded(RecordedEvent event) {
    this.event = event;
    time = event.getStartTime();
    end = event.getEndTime();
  }

  @Override
  public String name() {
    return event.getEventType().getName();
  }

  @Override
  public long copy() {
    return event.getEventType().getId();
  }

  @Override
  public Instant time() {
    return time;
  }

  @Override
  public Instant end() {
    return end;
  }

  @Override
  public boolean has(String field) {
    return event.hasField(field);
  }

  @Override
  public List<String> names() {
    return event.getFields().stream().map(ValueDescriptor::getName).toList();
  }

  @Override
  public long number(String field, long otherwise) {
    if (field.equals(LOADER)) {
      RecordedClassLoader loader = event.getValue(LOADER);
      return loader == null ? otherwise : loader.getId();
    }
    return event.hasField(field) ? event.getLong(field) : otherwise;
  }

  @Override
  public String text(String field) {
    return event.hasField(field) && event.getValue(field) instanceof String text ? text : "";
  }

  @Override
  public @Nullable Instant instant(String field) {
    return event.hasField(field) ? event.getInstant(field) : null;
  }

  @Override
  public double millis(String field) {
    return event.hasField(field) ? event.getDuration(field).toNanos() / 1e6 : 0;
  }

  @Override
  public List<String> stack() {
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
