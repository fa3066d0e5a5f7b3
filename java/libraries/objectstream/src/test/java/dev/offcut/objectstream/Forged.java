package dev.offcut.objectstream;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Collections that could not be made, since nobody lives to see their hash, or since they hold what
 * is not theirs to hold. Stand-ins are written under the names of the real ones.
 */
final class Forged {
  private Forged() {}

  /** Written as a {@code HashSet}. Elements may come twice, and be added while it is in use. */
  static final class SetForm implements Serializable {
    private static final long serialVersionUID = 1;
    final transient List<@Nullable Object> elements = new ArrayList<>();

    SetForm(@Nullable Object... elements) {
      this.elements.addAll(Arrays.asList(elements));
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeInt(16);
      out.writeFloat(0.75f);
      out.writeInt(elements.size());
      writeAll(out, elements);
    }
  }

  /** Written as a {@code HashMap}: keys and values in turn. */
  static final class MapForm implements Serializable {
    private static final long serialVersionUID = 1;
    final float loadFactor = 0.75f;
    final int threshold = 12;
    final transient List<@Nullable Object> content = new ArrayList<>();

    MapForm(@Nullable Object... content) {
      this.content.addAll(Arrays.asList(content));
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeInt(16);
      out.writeInt(content.size() / 2);
      writeAll(out, content);
    }
  }

  /** Written as a {@code Hashtable}: keys and values in turn. */
  static final class TableForm implements Serializable {
    private static final long serialVersionUID = 1;
    final float loadFactor = 0.75f;
    final int threshold = 12;
    final transient List<Object> content;

    TableForm(Object... content) {
      this.content = List.of(content);
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeInt(content.size());
      out.writeInt(content.size() / 2);
      writeAll(out, content);
    }
  }

  /** Written as a {@code ConcurrentHashMap}: keys and values in turn. */
  static final class ConcurrentForm implements Serializable {
    private static final long serialVersionUID = 1;
    final int segmentMask = 15;
    final int segmentShift = 28;
    final @Nullable Serializable segments = null;
    final transient List<Object> content;

    ConcurrentForm(Object... content) {
      this.content = List.of(content);
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      writeAll(out, content);
      out.writeObject(null);
      out.writeObject(null);
    }
  }

  /** Written as a {@code ConcurrentSkipListMap}: keys and values in turn. */
  static final class SkipListForm implements Serializable {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // those that are used are
    final @Nullable Comparator<?> comparator;

    final transient List<Object> content;

    SkipListForm(Object... content) {
      this(null, content);
    }

    SkipListForm(@Nullable Comparator<?> comparator, Object[] content) {
      this.comparator = comparator;
      this.content = List.of(content);
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      writeAll(out, content);
      out.writeObject(null);
    }
  }

  /** Written as a {@code PriorityQueue}. */
  static final class QueueForm implements Serializable {
    private static final long serialVersionUID = 1;
    final int size;
    final @Nullable Serializable comparator = null;
    final transient List<Object> elements;

    QueueForm(Object... elements) {
      this.elements = List.of(elements);
      size = elements.length;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeInt(elements.size() + 1);
      writeAll(out, elements);
    }
  }

  /** Written as a {@code CopyOnWriteArraySet}, which would take long to be made. */
  static final class ArraySetForm implements Serializable {
    private static final long serialVersionUID = 1;
    final CopyOnWriteArrayList<Object> al;

    ArraySetForm(Object... elements) {
      this(new CopyOnWriteArrayList<>(elements));
    }

    ArraySetForm(CopyOnWriteArrayList<Object> elements) {
      al = elements;
    }
  }

  /** Written as what {@code Set.of} and its like are written as. */
  static final class ImmutableForm implements Serializable {
    private static final long serialVersionUID = 1;
    static final int LIST = 1;
    static final int SET = 2;
    static final int MAP = 3;
    final int tag;
    final transient List<Object> content;

    ImmutableForm(int tag, Object... content) {
      this.tag = tag;
      this.content = List.of(content);
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeInt(content.size());
      writeAll(out, content);
    }
  }

  private static final Map<Class<?>, Class<?>> REAL =
      Map.of(
          SetForm.class, HashSet.class,
          MapForm.class, HashMap.class,
          TableForm.class, Hashtable.class,
          ConcurrentForm.class, ConcurrentHashMap.class,
          SkipListForm.class, ConcurrentSkipListMap.class,
          QueueForm.class, PriorityQueue.class,
          ArraySetForm.class, CopyOnWriteArraySet.class,
          ImmutableForm.class, immutable());

  private static Class<?> immutable() {
    try {
      return Class.forName("java.util.CollSer");
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  /** Writes stand-ins as what they stand for. */
  static class Writer extends ObjectOutputStream {
    Writer(OutputStream to) throws IOException {
      super(to);
    }

    @Override
    protected void writeClassDescriptor(ObjectStreamClass descriptor) throws IOException {
      Class<?> real = REAL.get(descriptor.forClass());
      super.writeClassDescriptor(real == null ? descriptor : ObjectStreamClass.lookup(real));
    }
  }

  private static void writeAll(ObjectOutputStream out, List<? extends @Nullable Object> objects)
      throws IOException {
    for (Object object : objects) {
      out.writeObject(object);
    }
  }

  /** Keys, each with a value. */
  static Object[] entries(Object... keys) {
    return Arrays.stream(keys).flatMap(key -> Stream.of(key, "v")).toArray();
  }

  /** The stream of one object. */
  static byte[] of(Object object) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new Writer(bytes)) {
      out.writeObject(object);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
