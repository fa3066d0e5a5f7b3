package dev.offcut.longmap;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** A map's inside, by reflection: its sizes, and what is true of it while nobody writes. */
final class Inside {
  private static final int WIDTH = 8;
  private static final int SLOTS = 7;
  private static final int SHELF = ConcurrentLongMap.SHELF;
  private static final long LOCKED = 1L << 28;
  private static final long OVERFLOW = 1L << 29;
  private static final long MOVED = 1L << 30;

  private Inside() {}

  /** The buckets of the table where operations begin. */
  static int buckets(ConcurrentLongMap<?> map) {
    return 1 << bits(table(map));
  }

  /** Whether it is being grown or shrunk. */
  static boolean isResizing(ConcurrentLongMap<?> map) {
    return field(table(map), "next") != null;
  }

  /** The table where operations begin. */
  static Object table(ConcurrentLongMap<?> map) {
    return field(map, "table");
  }

  /** The buckets of a table that have not moved. */
  static int left(Object table) {
    int left = 0;
    for (AtomicLongArray shelf : shelves(table)) {
      left += shelf == null ? SHELF : ((AtomicInteger) field(shelf, "left")).get();
    }
    return left;
  }

  /** The entries in overflows. */
  static int overflowed(ConcurrentLongMap<?> map) {
    int entries = 0;
    for (Object table = table(map); table != null; table = field(table, "next")) {
      for (AtomicLongArray shelf : made(table)) {
        for (int at = 0; at < shelf.length(); at += WIDTH) {
          AtomicReferenceArray<?> over = (AtomicReferenceArray<?>) values(shelf).get(at);
          for (int i = 0; over != null && i < over.length(); i++) {
            entries += over.get(i) == null ? 0 : 1;
          }
        }
      }
    }
    return entries;
  }

  /** The buckets that are locked. */
  static int locked(ConcurrentLongMap<?> map) {
    int locked = 0;
    for (Object table = table(map); table != null; table = field(table, "next")) {
      for (AtomicLongArray shelf : made(table)) {
        for (int at = 0; at < shelf.length(); at += WIDTH) {
          locked += (shelf.get(at) & LOCKED) == 0 ? 0 : 1;
        }
      }
    }
    return locked;
  }

  /**
   * Checks, at rest: no bucket is locked; a slot has a value if its tag is not 0, and the tag is
   * its key's; an overflow has entries and counts them; each key is in its bucket and nowhere else;
   * what has moved is empty; spares are empty. Returns the number of entries.
   */
  static int verify(ConcurrentLongMap<?> map) {
    Set<Long> seen = new HashSet<>();
    for (Object table = table(map); table != null; table = field(table, "next")) {
      int bits = bits(table);
      int first = 0;
      int left = 0;
      for (AtomicLongArray shelf : shelves(table)) {
        if (shelf == null) {
          left += SHELF;
        } else {
          for (int at = 0; at < shelf.length(); at += WIDTH) {
            left += verify(shelf, at, bits, first + at / WIDTH, seen);
          }
          verifySpares(shelf);
        }
        first += SHELF;
      }
      assertThat(left).as("buckets not moved of %s", 1 << bits).isEqualTo(left(table));
    }
    return seen.size();
  }

  private static int verify(AtomicLongArray shelf, int at, int bits, int bucket, Set<Long> seen) {
    long head = shelf.get(at);
    AtomicReferenceArray<Object> values = values(shelf);
    assertThat(head & LOCKED).as("locked").isZero();
    for (int slot = 1; slot <= SLOTS; slot++) {
      long tag = head >>> (4 * (slot - 1)) & 0xf;
      assertThat(values.get(at + slot) != null).as("a value").isEqualTo(tag != 0);
      if (tag != 0) {
        long key = shelf.get(at + slot);
        assertThat(tag).as("tag").isEqualTo(tag(key));
        verifyPlace(key, bits, bucket, seen);
      }
    }
    assertThat(values.get(at) != null).as("an overflow").isEqualTo((head & OVERFLOW) != 0);
    if ((head & OVERFLOW) != 0) {
      AtomicReferenceArray<?> over = (AtomicReferenceArray<?>) values.get(at);
      AtomicLongArray keys = (AtomicLongArray) field(over, "keys");
      int count = 0;
      for (int i = 0; i < over.length(); i++) {
        if (over.get(i) != null) {
          verifyPlace(keys.get(i), bits, bucket, seen);
          count++;
        }
      }
      assertThat(count)
          .as("entries of an overflow")
          .isPositive()
          .isEqualTo(keys.get(over.length()));
    }
    if ((head & MOVED) != 0) {
      assertThat(head & (OVERFLOW - 1)).as("moved and empty").isZero();
      return 0;
    }
    return 1;
  }

  private static void verifyPlace(long key, int bits, int bucket, Set<Long> seen) {
    assertThat(Keys.hash(key) >>> (63 - bits) >>> 1).as("bucket of %s", key).isEqualTo(bucket);
    assertThat(seen.add(key)).as("%s once", key).isTrue();
  }

  private static void verifySpares(AtomicLongArray shelf) {
    AtomicReferenceArray<?> spares = (AtomicReferenceArray<?>) field(shelf, "spares");
    int count = 0;
    for (int at = 0; at < spares.length(); at++) {
      AtomicReferenceArray<?> values = (AtomicReferenceArray<?>) spares.get(at);
      for (int i = 0; values != null && i < values.length(); i++) {
        assertThat(values.get(i)).as("a value in a spare").isNull();
      }
      count += values == null ? 0 : 1;
    }
    assertThat(((AtomicInteger) field(spares, "count")).get()).as("spares").isEqualTo(count);
  }

  private static long tag(long key) {
    return 1 + (((Keys.hash(key) & 0xffff_ffffL) * 15) >>> 32);
  }

  private static int bits(Object table) {
    return (int) field(table, "bits");
  }

  /** The shelves of a table, null where one is not made yet. */
  private static List<AtomicLongArray> shelves(Object table) {
    AtomicReferenceArray<?> shelves = (AtomicReferenceArray<?>) field(table, "shelves");
    if (shelves == null) {
      return List.of((AtomicLongArray) table);
    }
    List<AtomicLongArray> all = new ArrayList<>();
    for (int i = 0; i < shelves.length(); i++) {
      all.add((AtomicLongArray) shelves.get(i));
    }
    return all;
  }

  private static List<AtomicLongArray> made(Object table) {
    return shelves(table).stream().filter(Objects::nonNull).toList();
  }

  @SuppressWarnings("unchecked")
  private static AtomicReferenceArray<Object> values(AtomicLongArray shelf) {
    return (AtomicReferenceArray<Object>) field(shelf, "values");
  }

  private static Object field(Object owner, String name) {
    for (Class<?> type = owner.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          return value(field, owner);
        }
      }
    }
    throw new AssertionError("no field " + name + " in " + owner.getClass());
  }

  private static Object value(Field field, Object owner) {
    try {
      field.setAccessible(true);
      return field.get(owner);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
