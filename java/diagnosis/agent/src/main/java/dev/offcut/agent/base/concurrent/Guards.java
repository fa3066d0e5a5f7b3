package dev.offcut.agent.base.concurrent;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Objects that own something by the shape of their class. They count as {@link Closeables} do, but
 * it is fields that say whether one is open: a handle that is not 0, a flag that is set. Fields are
 * read as they are, wherever they are declared and whoever may see them. The classes are rewritten
 * to call this:
 *
 * <pre>
 *   at the return of each of its own constructors            owned(this, its class)
 *   where a field that says whether one is open is written   changed(the object)
 *   at the begin of a method that ends and writes none,      ending(this)
 *     and of the finalizer that ends
 * </pre>
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
public final class Guards {
  /** Of a field: whether an object is open if it is set, and whether 0 is a value like others. */
  static final char OPEN_IF_SET = '+';

  static final char SET_BY_ZERO = '0';

  private static final Stock.Unsafe UNSAFE = Atomics.UNSAFE;

  /** What is known, by the name of the class. */
  private static final Map<String, Guards> ALL = new ConcurrentHashMap<>();

  /** How many have come until now: who has found none asks again when there are more. */
  private static final AtomicInteger COME = new AtomicInteger();

  /** What becomes of an object that is unreachable: {@link Counts#LOST} or another. */
  private final int how;

  /** Four texts for each field: its class, its name, its type, and what it means. */
  private final String[] fields;

  /** Where they are in objects of one class; null: not asked yet. */
  private final long @Nullable [] offsets;

  private Guards(int how, String[] fields, long @Nullable [] offsets) {
    this.how = how;
    this.fields = fields;
    this.offsets = offsets;
  }

  /**
   * Objects of exactly this class count from now on. Of each field four texts: its class, its name,
   * its type, and what it means.
   *
   * @param how what becomes of one that is unreachable: {@link Counts#LOST} or another
   */
  public static void own(String type, int how, String[] fields) {
    ALL.put(type, new Guards(how, fields.clone(), null));
    COME.incrementAndGet();
  }

  /** Objects of a class do not count after all: it was not rewritten. */
  public static void disown(String type) {
    ALL.remove(type);
  }

  /** The constructor of a class that owns something returns. */
  public static void owned(Object object, Class<?> type) {
    try {
      if (object.getClass() == type) {
        Closeables.Type its = Closeables.TYPES.get(type);
        Guards guards = of(its, type);
        if (guards != null && guards.allow(object)) {
          Closeables.register(object, its, false);
        }
      }
    } catch (Throwable e) {
      // no memory or no stack is left: then it does not count
    }
  }

  /** A field of an object was written that says whether it is open. */
  public static void changed(Object object) {
    try {
      Class<?> type = object.getClass();
      Closeables.Type its = Closeables.TYPES.get(type);
      Guards guards = of(its, type);
      if (guards == null) {
        return;
      }
      if (guards.allow(object)) {
        Closeables.register(object, its, true);
      } else {
        Closeables.end(object);
      }
    } catch (Throwable e) {
      // likewise
    }
  }

  /** A method begins that ends an object, unless its fields say that it has ended. */
  public static void ending(Object object) {
    try {
      Class<?> type = object.getClass();
      Guards guards = of(Closeables.TYPES.get(type), type);
      if (guards != null && guards.allow(object)) {
        Closeables.end(object);
      }
    } catch (Throwable e) {
      // likewise: then it counts as open until it is found
    }
  }

  /** Those of a class, as it is known; null: its objects do not count by their shape. */
  private static @Nullable Guards of(Closeables.Type its, Class<?> type) {
    int count = COME.get();
    if (its.guardsOf != count && its.guards == null) {
      Guards found = its.kind == Closeables.Type.UNDECIDED ? in(type) : null;
      if (found != null) {
        Closeables.decide(its, found.how);
      }
      its.guards = found;
      its.guardsOf = count;
    }
    return its.kind > 0 ? its.guards : null;
  }

  /** Those of a class; null: it owns nothing that is known, or has other fields. */
  private static @Nullable Guards in(Class<?> type) {
    Guards known = ALL.get(type.getName());
    if (known == null) {
      return null;
    }
    String[] fields = known.fields;
    long[] places = new long[fields.length / 4];
    for (int i = 0; i < places.length; i++) {
      Class<?> owner = type;
      while (owner != null && !owner.getName().equals(fields[4 * i])) {
        owner = owner.getSuperclass();
      }
      if (owner == null) {
        return null;
      }
      try {
        places[i] = UNSAFE.objectFieldOffset(owner, fields[4 * i + 1]);
      } catch (InternalError e) {
        return null; // there is no such field
      }
    }
    return new Guards(known.how, fields, places);
  }

  /** Whether an object is open. */
  private boolean allow(Object object) {
    long[] places = offsets;
    for (int i = 0; places != null && i < places.length; i++) {
      String means = fields[4 * i + 3];
      boolean isZeroSet = means.indexOf(SET_BY_ZERO) >= 0;
      if (isSet(object, places[i], fields[4 * i + 2], isZeroSet)
          != (means.indexOf(OPEN_IF_SET) >= 0)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSet(Object object, long offset, String type, boolean isZeroSet) {
    return switch (type.charAt(0)) {
      case 'J' -> isSet(UNSAFE.getLong(object, offset), isZeroSet);
      case 'I' -> isSet(UNSAFE.getInt(object, offset), isZeroSet);
      case 'Z', 'B' -> UNSAFE.getByte(object, offset) != 0;
      case 'L', '[' -> isSet(UNSAFE.getReference(object, offset), isZeroSet);
      default -> true;
    };
  }

  private static boolean isSet(long value, boolean isZeroSet) {
    return value != -1 && (value != 0 || isZeroSet);
  }

  /** A number in an object stands for itself. */
  private static boolean isSet(@Nullable Object value, boolean isZeroSet) {
    if (value instanceof AtomicBoolean flag) {
      return flag.get();
    }
    if (value instanceof AtomicReference<?> reference) {
      return reference.get() != null;
    }
    if (value instanceof AtomicLong || value instanceof AtomicInteger || value instanceof Long) {
      return isSet(((Number) value).longValue(), isZeroSet);
    }
    if (value instanceof long[] numbers) {
      return numbers.length > 0 && isSet(numbers[0], isZeroSet);
    }
    return value != null;
  }
}
