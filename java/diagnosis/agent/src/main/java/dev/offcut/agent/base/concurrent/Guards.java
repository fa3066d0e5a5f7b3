package dev.offcut.agent.base.concurrent;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Says by its fields whether an object is open: a handle that is not 0, a flag that is set. They
 * are read as they are, wherever they are declared and whoever may see them.
 *
 * <p>A helper of {@link Closeables}: a copy of it in java.base runs. Any thread.
 */
final class Guards {
  /** Of a field: whether an object is open if it is set, and whether 0 is a value like others. */
  static final char OPEN_IF_SET = '+';

  static final char SET_BY_ZERO = '0';

  private static final Stock.Unsafe UNSAFE = Atomics.UNSAFE;

  /** What is known by name; replaced as a whole. */
  private static volatile Guards[] all = {};

  private final String type;

  /** What becomes of an object that is unreachable: {@link Counts#LOST} or another. */
  final int how;

  /** Four texts for each field: its class, its name, its type, and what it means. */
  private final String[] fields;

  /** Where they are in objects of one class; null: not asked yet. */
  private final long @Nullable [] offsets;

  private Guards(String type, int how, String[] fields, long @Nullable [] offsets) {
    this.type = type;
    this.how = how;
    this.fields = fields;
    this.offsets = offsets;
  }

  static synchronized void add(String type, int how, String[] fields) {
    Guards[] more = new Guards[all.length + 1];
    System.arraycopy(all, 0, more, 0, all.length);
    more[all.length] = new Guards(type, how, fields.clone(), null);
    all = more;
  }

  static synchronized void remove(String type) {
    Guards[] changed = all.clone();
    for (int i = 0; i < changed.length; i++) {
      if (changed[i].type.equals(type)) {
        changed[i] = new Guards("", changed[i].how, changed[i].fields, null);
      }
    }
    all = changed;
  }

  /** How many there are: who has found none asks again when there are more. */
  static int count() {
    return all.length;
  }

  /** Those of a class; null: it owns nothing that is known, or has other fields. */
  static @Nullable Guards of(Class<?> type) {
    String name = type.getName();
    Guards[] known = all;
    for (int i = known.length - 1; i >= 0; i--) {
      if (known[i].type.equals(name)) {
        return known[i].in(type);
      }
    }
    return null;
  }

  private @Nullable Guards in(Class<?> type) {
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
    return new Guards(this.type, how, fields, places);
  }

  /** Whether an object is open. */
  boolean allow(Object object) {
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
