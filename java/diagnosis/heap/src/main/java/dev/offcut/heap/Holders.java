package dev.offcut.heap;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.netbeans.lib.profiler.heap.ArrayItemValue;
import org.netbeans.lib.profiler.heap.GCRoot;
import org.netbeans.lib.profiler.heap.Heap;
import org.netbeans.lib.profiler.heap.HeapFactory;
import org.netbeans.lib.profiler.heap.Instance;
import org.netbeans.lib.profiler.heap.JavaClass;
import org.netbeans.lib.profiler.heap.JavaFrameGCRoot;
import org.netbeans.lib.profiler.heap.ObjectFieldValue;
import org.netbeans.lib.profiler.heap.PrimitiveArrayInstance;
import org.netbeans.lib.profiler.heap.ThreadObjectGCRoot;
import org.netbeans.lib.profiler.heap.Value;

/**
 * What holds the open resources of a heap dump: for each of them the shortest path from a root of
 * the collector, as a person reads it. Paths that read the same are one.
 *
 * <p>Which objects are open is known of those that the agent counts by rule, from its table; and of
 * direct buffers and arenas, from their own fields.
 *
 * <p>A path begins at its last static field, or else at its root: a thread, a variable of a method,
 * or native code. Arrays and fields of the JDK's collections are left out of it.
 */
final class Holders {
  /** Objects of a kind that are held in one way. */
  record Held(String kind, long count, String by) {}

  /** What leads to an object. */
  private record Way(String from, String steps) {
    Way with(String step) {
      return steps.endsWith(step) ? this : new Way(from, steps + ARROW + step);
    }

    String text() {
      return from + steps;
    }
  }

  private static final String ARROW = " → ";

  /** The agent's entry of an object that it counts by rule. */
  private static final String ENTRY = "java.util.concurrent.OffcutOpenEntry";

  private static final String CLOSEABLE = "closeable:";

  private static final String BUFFER = "java.nio.DirectByteBuffer";

  /** Kinds of arenas by the class of their sessions. */
  private static final Map<String, String> SESSIONS =
      Map.of(
          "jdk.internal.foreign.ConfinedSession", "arena.confined",
          "jdk.internal.foreign.SharedSession", "arena.shared");

  /** Of a thread's name: threads of a pool are told as one. */
  private static final Pattern NUMBERS = Pattern.compile("[0-9]+");

  private static final String THREAD_LOCALS = "threadLocals";
  private static final int MOST_STEPS = 400;

  private final Heap heap;

  /** Ways to objects by their ids: many objects are held by one. */
  private final Map<Long, Way> known = new HashMap<>();

  private final Map<String, Map<String, Long>> found = new LinkedHashMap<>();

  private Holders(Heap heap) {
    this.heap = heap;
  }

  /**
   * Reads a dump, and deletes it once it is open: what is in it is nobody else's business. The
   * library makes a folder of its own beside it, for indexes.
   */
  static List<Held> of(File dump) throws IOException {
    Holders holders = new Holders(HeapFactory.createHeap(dump));
    Files.delete(dump.toPath());
    holders.counted();
    holders.buffers();
    holders.arenas();
    List<Held> all = new ArrayList<>();
    holders.found.forEach(
        (kind, ways) -> ways.forEach((by, count) -> all.add(new Held(kind, count, by))));
    return all;
  }

  /** The library's lists have no types. */
  @SuppressWarnings("unchecked")
  private static <T> List<T> list(Object untyped) {
    return (List<T>) untyped;
  }

  private List<Instance> instances(String type) {
    JavaClass known = heap.getJavaClassByName(type);
    return known == null ? List.of() : list(known.getInstances());
  }

  private void add(String kind, Instance open) {
    found
        .computeIfAbsent(kind, none -> new LinkedHashMap<>())
        .merge(way(open).text(), 1L, Long::sum);
  }

  private static long number(Instance object, String field) {
    return object.getValueOfField(field) instanceof Number number ? number.longValue() : 0;
  }

  private void counted() {
    for (Instance entry : instances(ENTRY)) {
      if (number(entry, "what") > 0 && entry.getValueOfField("referent") instanceof Instance open) {
        add(CLOSEABLE + open.getJavaClass().getName(), open);
      }
    }
  }

  /** A buffer that is a part of another has no cleaner. */
  private void buffers() {
    for (Instance buffer : instances(BUFFER)) {
      if (buffer.getValueOfField("cleaner") != null) {
        add("buffer.direct", buffer);
      }
    }
  }

  private void arenas() {
    SESSIONS.forEach(
        (type, kind) -> {
          for (Instance session : instances(type)) {
            if (number(session, "state") == 0) {
              add(kind, session);
            }
          }
        });
  }

  /** Looks at what points to it, and so on up to a root; then says it downwards. */
  private Way way(Instance object) {
    Deque<Instance> path = new ArrayDeque<>();
    Instance at = object;
    Way way = known.get(at.getInstanceId());
    while (way == null) {
      path.push(at);
      Instance before = path.size() > MOST_STEPS ? null : at.getNearestGCRootPointer();
      if (before == null) {
        way =
            new Way("nothing that was found: a long chain, or a reference that may be cleared", "");
      } else if (before.equals(at)) {
        path.pop();
        way = root(at);
        known.put(at.getInstanceId(), way);
      } else {
        ObjectFieldValue field = field(at, before);
        if (field != null && field.getField().isStatic()) {
          path.pop();
          way = new Way("the static field " + name(field) + container(at), "");
          known.put(at.getInstanceId(), way);
        } else {
          at = before;
          way = known.get(at.getInstanceId());
        }
      }
    }
    while (!path.isEmpty()) {
      Instance next = path.pop();
      way = next(way, at, next);
      known.put(next.getInstanceId(), way);
      at = next;
    }
    return way;
  }

  private static Way next(Way way, Instance holder, Instance held) {
    ObjectFieldValue field = field(held, holder);
    if (field == null) {
      return way; // an item of an array
    }
    String type = field.getField().getDeclaringClass().getName();
    if (type.equals("java.lang.Thread") && field.getField().getName().equals(THREAD_LOCALS)) {
      return way.with("a thread-local variable");
    }
    return type.startsWith("java.util.") || type.startsWith("java.lang.ThreadLocal")
        ? way
        : way.with(name(field) + container(held));
  }

  /** By which field; null if it is an item of an array. */
  private static @Nullable ObjectFieldValue field(Instance held, Instance holder) {
    for (Value value : Holders.<Value>list(held.getReferences())) {
      if (value.getDefiningInstance().equals(holder)) {
        return value instanceof ArrayItemValue ? null : (ObjectFieldValue) value;
      }
    }
    return null;
  }

  private static String name(ObjectFieldValue field) {
    return field.getField().getDeclaringClass().getName() + '.' + field.getField().getName();
  }

  /** Of a collection its class, behind a blank. */
  private static String container(Instance object) {
    String type = object.getJavaClass().getName();
    return type.startsWith("java.util.") ? " (" + type + ")" : "";
  }

  private Way root(Instance object) {
    GCRoot root = heap.getGCRoot(object);
    String from =
        switch (root == null ? "" : root.getKind()) {
          case GCRoot.JAVA_FRAME -> variable((JavaFrameGCRoot) root);
          case GCRoot.JNI_LOCAL, GCRoot.NATIVE_STACK -> "native code that runs";
          case GCRoot.JNI_GLOBAL -> "a global reference of native code";
          case GCRoot.THREAD_OBJECT -> thread(object);
          case GCRoot.STICKY_CLASS -> "a class of the JDK";
          case GCRoot.MONITOR_USED -> "a thread that has locked " + object.getJavaClass().getName();
          default -> "the JVM";
        };
    return new Way(from + container(object), "");
  }

  private static String variable(JavaFrameGCRoot root) {
    ThreadObjectGCRoot thread = root.getThreadGCRoot();
    StackTraceElement[] stack = thread == null ? null : thread.getStackTrace();
    int frame = root.getFrameNumber();
    String where =
        stack == null || frame < 0 || frame >= stack.length ? "a method" : stack[frame].toString();
    return "a variable of " + where + (thread == null ? "" : " in " + thread(thread.getInstance()));
  }

  private static String thread(Instance thread) {
    Object name = thread.getValueOfField("name");
    return "the thread "
        + (name instanceof Instance text ? NUMBERS.matcher(text(text)).replaceAll("#") : "?");
  }

  /** A string's characters: bytes of Latin-1, or UTF-16. */
  private static String text(Instance string) {
    if (!(string.getValueOfField("value") instanceof PrimitiveArrayInstance array)) {
      return "?";
    }
    List<String> values = list(array.getValues());
    byte[] bytes = new byte[values.size()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = Byte.parseByte(values.get(i));
    }
    String text =
        new String(
            bytes,
            number(string, "coder") == 0 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_16LE);
    return text.replaceAll("\\p{Cntrl}", "?");
  }
}
