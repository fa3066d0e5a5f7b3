package dev.offcut.objectstream;

import java.io.InvalidClassException;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamException;
import java.io.ObjectStreamField;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one collection that hashes or compares while it is read. Each is charged before the
 * collection gets it: its hash, and its {@link Lookup}.
 */
final class Keys {
  private enum Held {
    ELEMENTS,
    KEYS_AND_VALUES,
    /** Not known before {@code CollSer} has said what it is going to be. */
    AS_TAGGED,
    /** All that a collection holds which is in a field. */
    IN_A_FIELD
  }

  /** What is found by what. */
  private enum Kind {
    HASHED_MAP(Held.KEYS_AND_VALUES),
    HASHED_SET(Held.ELEMENTS),
    TABLE(Held.KEYS_AND_VALUES),
    ORDERED_MAP(Held.KEYS_AND_VALUES),
    ORDERED(Held.ELEMENTS),
    IMMUTABLE_FORM(Held.AS_TAGGED),
    ARRAY_SET(Held.IN_A_FIELD);

    private final Held held;

    Kind(Held held) {
      this.held = held;
    }

    Lookup lookup(Expansion expansion) {
      return switch (this) {
        case HASHED_MAP, HASHED_SET -> new SameHash(expansion, false);
        case TABLE -> new SameHash(expansion, true);
        case ORDERED_MAP, ORDERED -> new Order(expansion);
        case IMMUTABLE_FORM -> new Neighbours(expansion);
        case ARRAY_SET -> new Pairs(expansion);
      };
    }
  }

  private static final String IMMUTABLE = "java.util.CollSer";

  /** The JDK's collections that do; those that extend them are like them. */
  private static final Map<String, Kind> KINDS =
      Map.of(
          "java.util.HashMap",
          Kind.HASHED_MAP,
          "java.util.HashSet",
          Kind.HASHED_SET,
          "java.util.Hashtable",
          Kind.TABLE,
          "java.util.concurrent.ConcurrentHashMap",
          Kind.HASHED_MAP,
          "java.util.concurrent.ConcurrentSkipListMap",
          Kind.ORDERED_MAP,
          "java.util.PriorityQueue",
          Kind.ORDERED,
          "java.util.concurrent.PriorityBlockingQueue",
          Kind.ORDERED,
          "java.util.concurrent.CopyOnWriteArraySet",
          Kind.ARRAY_SET,
          IMMUTABLE,
          Kind.IMMUTABLE_FORM);

  /** From the serialized form of {@code CollSer}; other tags are lists, or refused by it. */
  private static final int SET = 2;

  private static final int MAP = 3;

  private final Class<?> collection;
  private final Held held;
  private final Lookup lookup;
  private final Expansion expansion;
  private final Work work;

  /** Fields of the collection come before its keys. */
  private int toSkip;

  private boolean valueIsNext;
  private int tag;
  private int tagBytes;

  private Keys(Class<?> collection, Kind kind, int fields, Expansion expansion, Work work) {
    this.collection = collection;
    this.held = kind.held;
    this.lookup = kind.lookup(expansion);
    this.toSkip = fields;
    this.expansion = expansion;
    this.work = work;
  }

  /** Those of a collection; null if this class hashes and compares nothing while it is read. */
  static @Nullable Keys of(Class<?> collection, int objectFields, Expansion expansion, Work work) {
    Kind kind = KINDS.get(collection.getName());
    return kind == null ? null : new Keys(collection, kind, objectFields, expansion, work);
  }

  /** What an immutable collection is going to be, stands in its one field. */
  static void checkDescriptor(ObjectStreamClass described) throws InvalidClassException {
    if (described.getName().equals(IMMUTABLE)) {
      ObjectStreamField[] fields = described.getFields();
      if (fields.length != 1 || fields[0].getTypeCode() != 'I') {
        throw new InvalidClassException(IMMUTABLE, "described with other fields than it has");
      }
    }
  }

  /** Bytes of the collection itself: first its fields, of which the last byte is the tag. */
  void data(byte[] bytes, int from, int count) {
    for (int i = 0; i < count && tagBytes < Integer.BYTES; i++, tagBytes++) {
      tag = bytes[from + i] & 0xff;
    }
  }

  /** The collection is about to make a table of this length; an immutable one, its content. */
  void table(long length) {
    lookup.table(held == Held.AS_TAGGED && tag == SET ? 2 * length : length);
  }

  /** The next object in the collection. */
  void child(@Nullable Object object) throws ObjectStreamException {
    if (toSkip > 0 && object != null) {
      field(object);
    }
    if (isKey() && object != null) {
      charge(object);
    }
  }

  private void field(Object object) throws ObjectStreamException {
    if (object instanceof Comparator<?> by) {
      lookup.order(by);
    } else if (held == Held.IN_A_FIELD && object instanceof Collection<?> elements) {
      for (Object element : elements) {
        if (element != null) {
          charge(element);
        }
      }
    }
  }

  /** As {@link #child}, of an object that is not complete. */
  void beingRead(@Nullable Class<?> type) throws StreamLimitException {
    if (isKey() && type != null && ElementVisitor.in(type)) {
      throw expansion.circle(type);
    }
  }

  private boolean isKey() {
    if (toSkip > 0) {
      toSkip--;
      return false;
    }
    boolean inTurn = held == Held.KEYS_AND_VALUES || (held == Held.AS_TAGGED && tag == MAP);
    boolean isKey = !valueIsNext;
    valueIsNext = inTurn && isKey;
    return isKey && (held != Held.AS_TAGGED || tag == SET || tag == MAP);
  }

  private void charge(Object key) throws ObjectStreamException {
    if (lookup.hashes()) {
      work.charge(expansion.steps(key), collection);
    }
    try {
      work.charge(lookup.steps(key), collection);
    } catch (RuntimeException e) {
      return; // of its hashCode: the collection is going to hear of it
    }
  }
}
