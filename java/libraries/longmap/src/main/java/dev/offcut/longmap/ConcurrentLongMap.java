/*
 * Copyright 2026 the Offcut contributors
 *
 * SPDX-License-Identifier: Apache-2.0 OR LGPL-2.1-or-later
 *
 * You may use this file under the Apache License, Version 2.0, or under the GNU Lesser General
 * Public License, version 2.1 or any later version, at your choice. It needs nothing but Java 8 and
 * may be copied into another project as it is; only the line of its package has to change.
 */
package dev.offcut.longmap;

import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/**
 * A concurrent map from primitive {@code long} to object, without boxed keys and without an object
 * for each entry. It is made for native addresses, which come and go fast and rarely repeat. Every
 * long is a valid key. Values are never null.
 *
 * <p><b>Threads.</b> Any thread may call any method. Every operation on one key is linearizable.
 * Actions of a thread before it puts a value happen-before actions of another thread after it got
 * that value. {@link #get} writes nothing. A writer locks only the bucket of its key (about three
 * entries), for some nanoseconds.
 *
 * <p><b>Memory.</b> Without the values, an entry takes 22 to 43 bytes; a bucket takes 97 bytes with
 * compressed references. The map grows and shrinks while it is used. A growing map splits buckets,
 * a shrinking map merges pairs of buckets. Meanwhile each write splits up to 16 buckets, or merges
 * up to 16 pairs, and allocates at most one piece of 4096 buckets (384 KiB). Removals shrink the
 * map themselves: there is no background thread. An operation allocates only if the map grows or
 * shrinks, or if a bucket overflows and no spare overflow table is free.
 *
 * <p><b>Functions</b> that the caller passes, and {@code equals} of values, run while the map holds
 * no lock, so they may use this map. A function may be called more than once. Its result is
 * discarded if another thread was faster. If it throws, the caller gets the exception, and the map
 * is unchanged.
 *
 * <p><b>A function that writes its own key.</b> {@link #computeIfAbsent} calls its function once
 * and keeps the value that the function has put. {@link #compute}, {@link #computeIfPresent} and
 * {@link #merge} call the function again with the value that it has put. If every call writes the
 * key, they throw an IllegalStateException ("Recursive update") after some dozens of calls. The
 * last value that the function has put stays.
 *
 * <p><b>Traversals</b> are weakly consistent and never fail. They show an entry exactly once if it
 * stays during the whole traversal, and any other entry at most once. Their order has no meaning.
 *
 * <p><b>Not guaranteed:</b>
 *
 * <ul>
 *   <li>that {@link #size} is the size at one instant while other threads write;
 *   <li>that {@link #clear} or {@link #removeIf} is one atomic step;
 *   <li>that a writer never waits: if a thread that locked a bucket loses its processor, other
 *       writers of that bucket spin, yield, then park;
 *   <li>speed for keys that were chosen to collide: they cost memory, their writers wait for each
 *       other, and an operation that copies them all takes time in proportion to their number.
 * </ul>
 *
 * <p>A write that ends in a StackOverflowError has taken effect completely or not at all. Every
 * other entry is unchanged.
 *
 * @param <V> the type of the values
 */
public final class ConcurrentLongMap<V> {
  /*
   * The table is an array of buckets of seven entries. A bucket has eight words, one cache line: a
   * header and seven keys. The values are in a parallel array of references. The first reference of a
   * bucket leads to its overflow table, if the bucket needs an eighth entry.
   *
   *   header   version (33 bits) | moved | overflow | locked | a tag of four bits for each slot
   *
   * The top bits of a key's hash, key * SPREAD, select its bucket. So bucket i of a table splits into
   * the buckets 2i and 2i+1 of a table twice as large, and those two merge into bucket i of a table
   * half as large. The tag comes from other bits of the hash. The tags in the header tell which slots
   * may hold a key; tag 0 means that the slot is free. A removal leaves no mark behind. Entries never
   * move within a table, except inside an overflow table.
   *
   * Reading: a reader gets the header, the key, the value, and the header again. Each get is volatile,
   * so the order holds. If both headers are equal and not locked, the key and the value belong
   * together:
   *  - The reader sees every store before the first header, because that header was stored with
   *    release semantics after them.
   *  - Suppose that the reader saw a key or value that was stored later. Its writer took the lock
   *    before that store, and the store was a release. So the second header is the locked one or a
   *    later one. A header repeats only after 2^33 writes to its bucket, which take a minute or more.
   *
   * Writing: a writer reads like a reader, but ends with a compareAndSet of the header that sets
   * LOCKED. If it succeeds, all that was read is still true. The writer then stores the key and the
   * value with lazySet (release). Last it stores the header with lazySet: with another version, and
   * without LOCKED.
   *
   * Resizing: the table gets a successor (`next`), and each writer moves some units to it. A unit is
   * one bucket and the two that it splits into, or two neighbours and the one that they merge into.
   * The mover locks the source, copies, and stores MOVED. Before that store, only the source is valid,
   * and no other thread reads the target. After it, every thread follows `next`. A mover skips a unit
   * whose source is locked, and comes back to it until all units are moved. So a stopped thread delays
   * one bucket, not the migration. There is one migration at a time: only the table in `table` gets a
   * successor, and the successor replaces it there when all units are moved.
   *
   * A table of more than SHELF buckets is cut into shelves. A shelf is made when the first bucket
   * moves in, and dropped (GONE) when the last bucket has moved out.
   *
   * A thread may run out of stack while it holds a lock, because the calls it makes may be interpreted.
   * Then it has no stack to unlock with, either. So it sets the bucket's byte in `abandoned`, which
   * takes no call. A thread that waits for this bucket finds the byte and repairs the bucket: it clears
   * slots without a value or without a tag, and builds an overflow table anew. This repairs the
   * bucket, whichever of the writer's stores was the last. Resizing is rare and would lose more than one
   * bucket, so a mover checks before it locks that the stack suffices for all its calls.
   *
   * There is no counter of entries. A put that finds its bucket full, and a remove that leaves a bucket
   * empty, sometimes count the entries of a few buckets, and decide by the mean of these counts.
   */

  /**
   * An action on a key and its value.
   *
   * @param <V> the type of the values
   */
  @FunctionalInterface
  public interface LongObjConsumer<V> {
    /**
     * Receives an entry.
     *
     * @param key the key
     * @param value its value, never null
     */
    void accept(long key, V value);
  }

  /**
   * A test of a key and its value.
   *
   * @param <V> the type of the values
   */
  @FunctionalInterface
  public interface LongObjPredicate<V> {
    /**
     * Tests an entry.
     *
     * @param key the key
     * @param value its value, never null
     * @return whether the entry matches
     */
    boolean test(long key, V value);
  }

  /**
   * A function that computes a new value from a key and its value.
   *
   * @param <V> the type of the values
   */
  @FunctionalInterface
  public interface LongObjFunction<V> {
    /**
     * Computes the new value.
     *
     * @param key the key
     * @param value its value, or null if it has none
     * @return the new value, or null for none
     */
    V apply(long key, V value);
  }

  /**
   * What a key is multiplied with. Odd, so that no two keys have the same hash; of 327,152 at
   * random the one that spreads keys at regular distances best over tables of every size.
   */
  static final long SPREAD = 0x15B5012A7F1EB6C3L;

  private static final int SLOTS = 7;

  /** Words, and references, of a bucket. */
  private static final int WIDTH = 8;

  /** The lowest bit of each tag, and all bits. */
  private static final long ONES = 0x1111111;

  private static final long TAG = 0xf;
  private static final long TAGS = TAG * ONES;
  private static final long LOCKED = 1L << 28;
  private static final long OVERFLOW = 1L << 29;
  private static final long MOVED = 1L << 30;
  private static final long VERSION = 1L << 31;

  private static final int SHELF_BITS = 12;

  /** Buckets of a shelf: the largest piece allocated at once. */
  static final int SHELF = 1 << SHELF_BITS;

  /** Entries the smallest overflow holds. */
  private static final int LEAST = 8;

  private static final int MIN_BITS = 3;
  private static final int MAX_BITS = 30;

  /** Units a writer moves on while the map is resized. */
  private static final int STRIDE = 16;

  /** Buckets whose entries are counted at once, and how often a cause to count is heeded. */
  private static final int SAMPLE = 64;

  private static final int SAMPLE_EVERY = 8;

  /** Loads are in 256ths of an entry a bucket. */
  private static final int LOAD_ONE = 256;

  private static final int GROW_ABOVE = 9 * LOAD_ONE / 2;
  private static final int SHRINK_BELOW = LOAD_ONE / 2;

  /** Not set, see {@link #checkStack}. */
  private static boolean isSet;

  /** Calls of a function after which it is watched for writing its own key. */
  private static final int CALLS_UNWATCHED = 32;

  private static final int SPINS = 64;
  private static final int YIELDS = 64;

  /** What must be there for a value to be stored, if not a certain value. */
  private static final Object ANYTHING = new Object();

  private static final Object NOTHING = new Object();
  private static final Object SOMETHING = new Object();

  private static final Shelf GONE = new Shelf(0);

  @SuppressWarnings("rawtypes")
  private static final AtomicReferenceFieldUpdater<ConcurrentLongMap, Table> TABLE =
      AtomicReferenceFieldUpdater.newUpdater(ConcurrentLongMap.class, Table.class, "table");

  static {
    // Links what writers run, so that a lack of memory at the first use leaves no bucket locked,
    // and no removal fails.
    ConcurrentLongMap<Object> map = new ConcurrentLongMap<>(0, 0, true);
    for (int i = 0; i < 2 * SLOTS; i++) {
      map.put(i, ANYTHING);
    }
    for (int i = 0; i < SLOTS; i++) {
      map.remove(i);
    }
    map.clear();
    map.table.giveSpare(map.table.makeOverflow(LEAST));
    map.isEmpty();
  }

  /**
   * Functions that are watched, in all maps. A thread reads it plainly: its own watch it has
   * counted itself, those of others are not its concern. Written by {@link Watch#count} alone.
   */
  private static int watches;

  private volatile Table table;

  /** The bits of the smallest table this map shrinks to. */
  private final int floor;

  /** For tests: heed every cause to resize. */
  private final boolean eager;

  /** Makes an empty map. */
  public ConcurrentLongMap() {
    this(0);
  }

  /**
   * Makes an empty map with room for a number of entries. The map never shrinks below that room.
   *
   * @param expected the number of entries
   * @throws IllegalArgumentException if {@code expected} is negative
   */
  public ConcurrentLongMap(int expected) {
    this(bitsFor(expected), bitsFor(expected), false);
  }

  /** For tests: starts with 2^bits buckets, never has less than 2^floor. */
  ConcurrentLongMap(int bits, int floor, boolean eager) {
    this.table = new Table(bits, 0);
    this.floor = floor;
    this.eager = eager;
    for (int bucket = 0; bucket < 1 << bits; bucket += SHELF) {
      table.make(bucket);
    }
  }

  /** Room for four entries a bucket. */
  private static int bitsFor(int expected) {
    if (expected < 0) {
      throw new IllegalArgumentException("expected entries: " + expected + " is negative");
    }
    int bits = MIN_BITS;
    while (4L << bits < expected) {
      bits++;
    }
    return bits;
  }

  // ---- One key

  /**
   * Returns the value of a key.
   *
   * @param key any long
   * @return the value, or null if the key has none
   */
  @SuppressWarnings("unchecked")
  public V get(long key) {
    long hash = key * SPREAD;
    Table t = table;
    Shelf shelf = t.shelf(hash);
    if (shelf != GONE) { // mostly, and mostly the first tag that fits is the key's
      int at = t.at(hash);
      long head = shelf.get(at);
      long tops = matches(head, tag(hash));
      if (tops != 0 && (head & (LOCKED | MOVED)) == 0) {
        int index = at + first(tops);
        Object value = shelf.values.get(index);
        if (shelf.get(index) == key && shelf.get(at) == head) {
          return (V) value;
        }
      }
    }
    return search(key);
  }

  /** The value of the key, or null, wherever it is. */
  @SuppressWarnings("unchecked")
  private V search(long key) {
    long hash = key * SPREAD;
    Table t = table;
    for (int waits = 0; ; ) {
      Shelf shelf = t.shelf(hash);
      if (shelf == GONE) {
        t = t.successor();
        continue;
      }
      int at = t.at(hash);
      long head = shelf.get(at);
      if ((head & (LOCKED | MOVED)) == 0) {
        // After so many writers that no look stayed valid, one under the lock.
        if (waits > SPINS && shelf.lock(at, head)) {
          try {
            Object value = shelf.find(at, head, tag(hash), key);
            shelf.unlock(at, head);
            return (V) value;
          } catch (Throwable e) {
            shelf.abandoned[at / WIDTH] = 1;
            shelf.isAbandoned = true;
            throw e;
          }
        }
        Object value = shelf.find(at, head, tag(hash), key);
        if (shelf.get(at) == head) {
          return (V) value;
        }
      } else if ((head & MOVED) != 0) {
        t = t.successor();
        continue;
      }
      waits = shelf.pause(at, waits);
    }
  }

  /**
   * Returns the value of a key, or another value.
   *
   * @param key any long
   * @param otherwise what to return if the key has no value; may be null
   * @return the value of the key, or {@code otherwise}
   */
  public V getOrDefault(long key, V otherwise) {
    V value = get(key);
    return value == null ? otherwise : value;
  }

  /**
   * Returns whether a key has a value.
   *
   * @param key any long
   * @return whether it has a value
   */
  public boolean containsKey(long key) {
    return get(key) != null;
  }

  /**
   * Sets the value of a key.
   *
   * @param key any long
   * @param value the new value
   * @return the previous value, or null if the key had none
   * @throws NullPointerException if the value is null
   */
  public V put(long key, V value) {
    Objects.requireNonNull(value, "value");
    Table t = table;
    if (t.next == null) { // mostly, and mostly the key is new and a slot free
      long hash = key * SPREAD;
      Shelf shelf = t.shelf(hash);
      int at = t.at(hash);
      // Not needed, but the processor then waits for the values together with the header.
      Object over = shelf == GONE ? null : shelf.values.get(at);
      long head = shelf == GONE ? MOVED : shelf.get(at);
      if (over == null
          && (head & (LOCKED | MOVED | OVERFLOW)) == 0
          && matches(head, tag(hash)) == 0
          && free(head) != 0
          && shelf.lock(at, head)) {
        try {
          shelf.unlock(at, shelf.fill(at, head, hash, key, value));
        } catch (Throwable e) { // of a stack without room: no calls here
          shelf.abandoned[at / WIDTH] = 1;
          shelf.isAbandoned = true;
          throw e;
        }
        if (watches != 0) {
          Watch.note(this, hash);
        }
        return null;
      }
    }
    return assign(key, value, ANYTHING);
  }

  /**
   * Sets the value of a key if the key has none.
   *
   * @param key any long
   * @param value the new value
   * @return the present value, or null if the key had none; {@code value} is then set
   * @throws NullPointerException if the value is null
   */
  public V putIfAbsent(long key, V value) {
    Objects.requireNonNull(value, "value");
    V present = get(key);
    return present != null ? present : assign(key, value, NOTHING);
  }

  /**
   * Replaces the value of a key if the key has one.
   *
   * @param key any long
   * @param value the new value
   * @return the previous value, or null if the key had none; nothing is then set
   * @throws NullPointerException if the value is null
   */
  public V replace(long key, V value) {
    return assign(key, value, SOMETHING);
  }

  /**
   * Replaces the value of a key if the present one equals {@code expected}.
   *
   * @param key any long
   * @param expected the value that must be present
   * @param value the new value
   * @return whether the value was replaced
   * @throws NullPointerException if a value is null
   */
  public boolean replace(long key, V expected, V value) {
    Objects.requireNonNull(expected, "expected");
    Objects.requireNonNull(value, "value");
    for (V present = get(key); present != null && expected.equals(present); present = get(key)) {
      if (assign(key, value, present) == present) {
        return true;
      }
    }
    return false;
  }

  /**
   * Removes a key.
   *
   * @param key any long
   * @return the previous value, or null if the key had none
   */
  @SuppressWarnings("unchecked")
  public V remove(long key) {
    Table t = table;
    if (t.next == null) { // mostly, and mostly the first tag that fits is the key's
      long hash = key * SPREAD;
      Shelf shelf = t.shelf(hash);
      int at = t.at(hash);
      Object early = shelf == GONE ? null : shelf.values.get(at); // as in put
      long head = shelf == GONE ? MOVED : shelf.get(at);
      long tops = matches(head, tag(hash));
      if ((head & (LOCKED | MOVED)) == 0 && tops != 0 && early != NOTHING) { // as it always is
        int slot = first(tops);
        Object value = shelf.values.get(at + slot);
        if (shelf.get(at + slot) == key && shelf.lock(at, head)) {
          try {
            head = vacate(shelf, at, slot, head);
          } catch (Throwable e) { // of a stack without room, even for that call
            shelf.abandoned[at / WIDTH] = 1;
            shelf.isAbandoned = true;
            throw e;
          }
          if (watches != 0) {
            Watch.note(this, hash);
          }
          if ((head & (TAGS | OVERFLOW)) == 0) {
            consider(t, hash, head);
          }
          return (V) value;
        }
      }
    }
    return take(key, ANYTHING);
  }

  /**
   * Removes a key if its value equals {@code expected}.
   *
   * @param key any long
   * @param expected the value that must be present
   * @return whether the key was removed
   */
  public boolean remove(long key, Object expected) {
    if (expected == null) {
      return false;
    }
    for (V present = get(key); present != null && expected.equals(present); present = get(key)) {
      if (take(key, present) == present) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the value of a key. If the key has none, calls a function and sets its result.
   *
   * @param key any long
   * @param function makes the value; null means no value. If another thread sets a value meanwhile,
   *     the result is discarded
   * @return the present value or the new one; null if the function returned null
   */
  public V computeIfAbsent(long key, LongFunction<? extends V> function) {
    Objects.requireNonNull(function, "function");
    V present = get(key);
    if (present != null) {
      return present;
    }
    V made = function.apply(key);
    if (made == null) {
      return null;
    }
    V earlier = assign(key, made, NOTHING);
    return earlier != null ? earlier : made;
  }

  /**
   * Replaces the value of a key by the result of a function, if the key has a value. If the value
   * changes meanwhile, this method calls the function again.
   *
   * @param key any long
   * @param function receives the present value; may be called more than once. The result null
   *     removes the key
   * @return the new value, or null if the key has none
   * @throws IllegalStateException if the function writes the key in every call
   */
  public V computeIfPresent(long key, LongObjFunction<V> function) {
    Objects.requireNonNull(function, "function");
    for (int calls = 0; ; calls++) {
      V present = get(key);
      if (present == null) {
        return null;
      }
      Watch watch = calls < CALLS_UNWATCHED ? null : new Watch(this, key);
      V made = watch == null ? function.apply(key, present) : watch.apply(function, key, present);
      if (exchange(key, present, made, watch)) {
        return made;
      }
    }
  }

  /**
   * Replaces the value of a key by the result of a function, atomically. If the value changes
   * meanwhile, this method calls the function again.
   *
   * @param key any long
   * @param function receives the present value, or null if the key has none; may be called more
   *     than once. The result null removes the key
   * @return the new value, or null if the key has none
   * @throws IllegalStateException if the function writes the key in every call
   */
  public V compute(long key, LongObjFunction<V> function) {
    Objects.requireNonNull(function, "function");
    for (int calls = 0; ; calls++) {
      V present = get(key);
      Watch watch = calls < CALLS_UNWATCHED ? null : new Watch(this, key);
      V made = watch == null ? function.apply(key, present) : watch.apply(function, key, present);
      if (exchange(key, present, made, watch)) {
        return made;
      }
    }
  }

  /** Stores what a function has made of the present value, or false if that is another one now. */
  private boolean exchange(long key, V present, V made, Watch watch) {
    boolean done;
    if (present == null) {
      done = made == null || assign(key, made, NOTHING) == null;
    } else if (made == null) {
      done = take(key, present) == present;
    } else {
      done = assign(key, made, present) == present;
    }
    if (!done && watch != null && watch.isWritten) {
      throw new IllegalStateException(
          "Recursive update: the function for the key "
              + key
              + " writes that key each time it is called; let it return the value instead");
    }
    return done;
  }

  /**
   * Sets the value of a key if the key has none. Otherwise replaces the present value by the result
   * of a function.
   *
   * @param key any long
   * @param value the value for a key without one
   * @param function receives the present value and {@code value}; may be called more than once. The
   *     result null removes the key
   * @return the new value, or null if the key has none
   * @throws NullPointerException if {@code value} is null
   * @throws IllegalStateException if the function writes the key in every call
   */
  public V merge(long key, V value, BiFunction<? super V, ? super V, ? extends V> function) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(function, "function");
    return compute(
        key,
        new LongObjFunction<V>() {
          @Override
          public V apply(long k, V present) {
            return present == null ? value : function.apply(present, value);
          }
        });
  }

  /**
   * Stores the value if the present one is as wanted: ANYTHING, NOTHING, SOMETHING, or this object.
   * Returns the value before.
   */
  @SuppressWarnings("unchecked")
  private V assign(long key, V value, Object wanted) {
    Objects.requireNonNull(value, "value");
    long hash = key * SPREAD;
    Table t = table;
    if (t.next != null) {
      help(t);
    }
    Overflow made = null;
    for (int waits = 0; ; ) {
      Shelf shelf = t.shelf(hash);
      if (shelf == GONE) {
        t = t.successor();
        continue;
      }
      int at = t.at(hash);
      long head = shelf.get(at);
      if ((head & MOVED) != 0) {
        t = t.successor();
        continue;
      }
      AtomicReferenceArray<Object> values = shelf.values;
      int index = shelf.index(at, head, tag(hash), key);
      Overflow over = null;
      if (index < 0) {
        over = shelf.overflow(at, head);
        if (over != null) {
          index = over.index(key);
          values = over;
        }
      }
      Object before = index < 0 ? null : values.get(index);
      if (wanted != ANYTHING
          && wanted != before
          && wanted != (before == null ? NOTHING : SOMETHING)) {
        if (shelf.get(at) == head && (head & LOCKED) == 0) {
          return (V) before;
        }
        waits = shelf.pause(at, waits);
        continue;
      }
      if (index < 0 && free(head) == 0 && (over == null || over.isFull())) {
        // Nothing is allocated under a lock.
        int least = over == null ? LEAST : 2 * over.capacity();
        if (made == null || made.capacity() < least) {
          made = shelf.makeOverflow(least);
        }
      }
      if (!shelf.lock(at, head)) {
        waits = shelf.pause(at, waits);
        continue;
      }
      // Nobody wrote since the header was read: what was found is true, and stays until unlock.
      boolean spills = false;
      boolean larger = false;
      try {
        if (index >= 0) {
          values.lazySet(index, value); // release: what the value holds is seen with it
          shelf.unlock(at, head + VERSION);
        } else if (free(head) != 0) {
          shelf.unlock(at, shelf.fill(at, head, hash, key, value));
        } else {
          spills = true;
          larger = over == null || over.isFull();
          shelf.unlock(at, shelf.spill(at, head, made, key, value));
        }
      } catch (Throwable e) {
        shelf.abandoned[at / WIDTH] = 1;
        shelf.isAbandoned = true;
        throw e;
      }
      if (watches != 0) {
        Watch.note(this, hash);
      }
      if (spills) {
        made = larger ? null : made;
        consider(t, hash, head);
      }
      if (made != null) { // for a bucket that had room when it was locked at last
        shelf.giveSpare(made);
      }
      return (V) before;
    }
  }

  /** Removes the key if its value is as wanted: ANYTHING, or this object. Returns its value. */
  @SuppressWarnings("unchecked")
  private V take(long key, Object wanted) {
    long hash = key * SPREAD;
    Table t = table;
    if (t.next != null) {
      help(t);
    }
    for (int waits = 0; ; ) {
      Shelf shelf = t.shelf(hash);
      if (shelf == GONE) {
        t = t.successor();
        continue;
      }
      int at = t.at(hash);
      long head = shelf.get(at);
      if ((head & MOVED) != 0) {
        t = t.successor();
        continue;
      }
      AtomicReferenceArray<Object> values = shelf.values;
      int index = shelf.index(at, head, tag(hash), key);
      Overflow over = null;
      if (index < 0) {
        over = shelf.overflow(at, head);
        if (over != null) {
          index = over.index(key);
          values = over;
        }
      }
      Object before = index < 0 ? null : values.get(index);
      if (before == null || (wanted != ANYTHING && wanted != before)) {
        if (shelf.get(at) == head && (head & LOCKED) == 0) {
          return (V) before;
        }
        waits = shelf.pause(at, waits);
        continue;
      }
      if (!shelf.lock(at, head)) {
        waits = shelf.pause(at, waits);
        continue;
      }
      // Nobody wrote since the header was read: what was found is true, and stays until unlock.
      boolean empties = false;
      try {
        if (over == null) {
          head = vacate(shelf, at, index - at, head);
        } else {
          over.remove(index);
          empties = over.count() == 0;
          if (empties) {
            shelf.values.lazySet(at, null);
            head &= ~OVERFLOW;
          }
          shelf.unlock(at, head + VERSION);
        }
      } catch (Throwable e) {
        shelf.abandoned[at / WIDTH] = 1;
        shelf.isAbandoned = true;
        throw e;
      }
      if (watches != 0) {
        Watch.note(this, hash);
      }
      if (empties) {
        shelf.giveSpare(over);
      }
      if ((head & (TAGS | OVERFLOW)) == 0) {
        consider(t, hash, head);
      }
      return (V) before;
    }
  }

  /**
   * Frees a slot of a locked bucket, and unlocks it; what is left of the header, but its version.
   */
  private static long vacate(Shelf shelf, int at, int slot, long head) {
    long rest = head & ~(TAG << (4 * (slot - 1)));
    // Release, as every store that a look could see too early.
    shelf.values.lazySet(at + slot, null);
    shelf.unlock(at, rest + VERSION);
    return rest;
  }

  /** The tag of a hash, from bits that choose no bucket of a table of any size. Never 0. */
  private static long tag(long hash) {
    return 1 + (((hash & 0xffffffffL) * 15) >>> 32);
  }

  /** The top bits of the tags in the header that are this one: exactly these, without a branch. */
  private static long matches(long head, long tag) {
    long other = head ^ (tag * ONES);
    return ~(((other & (7 * ONES)) + 7 * ONES) | other) & (8 * ONES);
  }

  /** The top bits of the tags of free slots. */
  private static long free(long head) {
    return matches(head, 0);
  }

  /** The slot of the lowest of these top bits. */
  private static int first(long tops) {
    return 1 + (Long.numberOfTrailingZeros(tops) >> 2);
  }

  /** The entries in the slots of a bucket. */
  private static int taken(long head) {
    return SLOTS - Long.bitCount(free(head));
  }

  /** Waits a little longer each time: hosts are oversubscribed, and spinning alone may starve. */
  @SuppressWarnings("ThreadPriorityCheck")
  private static int pause(int waits) {
    if (waits >= SPINS + YIELDS) {
      LockSupport.parkNanos(1_000L << Math.min(waits - SPINS - YIELDS, 7));
    } else if (waits >= SPINS) {
      Thread.yield();
    }
    return waits + 1;
  }

  // ---- Growing and shrinking

  /** A bucket is full, or empty: now and then, looks whether many are. */
  private void consider(Table t, long hash, long head) {
    // Another one each time the same key comes here, and of keys that are alike in half their bits.
    long random = ((((hash >>> 32) ^ hash) + (head >>> 31)) * SPREAD) >>> 32;
    if ((random % SAMPLE_EVERY != 0 && !eager) || t.next != null || table != t) {
      return;
    }
    int load = t.sample(random / SAMPLE_EVERY);
    if (load > GROW_ABOVE && t.bits < MAX_BITS) {
      begin(t, t.bits + 1);
    } else if (load < SHRINK_BELOW && t.bits > floor) {
      begin(t, t.bits - 1);
    }
  }

  /** Gives a table a successor, unless another thread does; false for want of memory. */
  private static boolean begin(Table t, int bits) {
    try {
      Table next = new Table(bits, bits > t.bits ? t.load / 2 : t.load * 2);
      Table.NEXT.compareAndSet(t, null, next);
      return true;
    } catch (OutOfMemoryError e) {
      return false; // the map stays as it is and works; the next full bucket tries again
    }
  }

  /**
   * Moves some units of a table to its successor, and retires it when that was the last; false for
   * want of memory.
   */
  private boolean help(Table t) {
    checkStack();
    Table next = t.successor();
    int units = 1 << Math.min(t.bits, next.bits);
    int stride = Math.min(STRIDE, units);
    int from = t.claim.getAndAdd(stride) & (units - 1);
    try {
      for (int unit = from; unit < from + stride; unit++) {
        if (move(t, next, unit)) {
          TABLE.compareAndSet(this, t, next);
        }
      }
      return true;
    } catch (OutOfMemoryError e) {
      return false; // what did not move stays, and is looked for there; a later writer tries again
    }
  }

  /**
   * Throws a StackOverflowError unless there are 4 KiB of stack; what a mover calls in one another
   * takes less than 2 KiB, interpreted as it may be. A method begins with a look whether its local
   * variables have room, compiled too, as long as it could go on in the interpreter.
   */
  @SuppressWarnings("UnusedVariable") // what makes the frame large
  private static void checkStack() {
    // spotless:off
    long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
        b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
        c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19,
        d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19,
        e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, e13, e14, e15, e16, e17, e18, e19,
        f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19,
        g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13, g14, g15, g16, g17, g18, g19,
        h0, h1, h2, h3, h4, h5, h6, h7, h8, h9, h10, h11, h12, h13, h14, h15, h16, h17, h18, h19,
        i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15, i16, i17, i18, i19,
        j0, j1, j2, j3, j4, j5, j6, j7, j8, j9, j10, j11, j12, j13, j14, j15, j16, j17, j18, j19,
        k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15, k16, k17, k18, k19,
        l0, l1, l2, l3, l4, l5, l6, l7, l8, l9, l10, l11, l12, l13, l14, l15, l16, l17, l18, l19,
        m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15;
    // spotless:on
    if (isSet) {
      throw unexpected();
    }
  }

  private static AssertionError unexpected() {
    return new AssertionError("the field is never set");
  }

  /** Moves a unit, unless another thread is at it or was. Whether that was the last of all. */
  private static boolean move(Table t, Table next, int unit) {
    boolean growing = next.bits > t.bits;
    int first = growing ? unit : 2 * unit;
    Shelf from = t.shelfOf(first);
    Shelf to = next.make(growing ? 2 * unit : unit);
    if (from == GONE || to == null) {
      return false;
    }
    int at = Table.within(first);
    long head = from.get(at);
    if ((head & MOVED) != 0 || !from.lock(at, head)) {
      from.mend(at);
      return false;
    }
    long second = growing ? MOVED : from.get(at + WIDTH);
    if (!growing && !from.lock(at + WIDTH, second)) {
      from.unlock(at, head);
      from.mend(at + WIDTH);
      return false;
    }
    // Both buckets of a unit move under both locks: if the first has not, neither has the second.
    try {
      next.receive(to, from, at, head);
      if (!growing) {
        next.receive(to, from, at + WIDTH, second);
      }
    } catch (Throwable e) {
      to.reset(Table.within(growing ? 2 * unit : unit));
      if (growing) {
        to.reset(Table.within(2 * unit + 1));
      } else {
        from.unlock(at + WIDTH, second);
      }
      from.unlock(at, head);
      throw e;
    }
    // Emptied too, or the old table would keep values that are removed from the new one.
    from.leave(at, MOVED);
    if (!growing) {
      from.leave(at + WIDTH, MOVED);
    }
    return from.left.addAndGet(growing ? -1 : -2) == 0 && t.drop(first);
  }

  // ---- All keys

  /**
   * Calls a function with each entry.
   *
   * @param function receives the entries; may use this map
   */
  public void forEach(LongObjConsumer<? super V> function) {
    Objects.requireNonNull(function, "function");
    Cursor<V> cursor = new Cursor<>(this);
    while (cursor.next()) {
      function.accept(cursor.key(), cursor.value());
    }
  }

  /**
   * Removes the entries that match. An entry whose value changed after the test stays.
   *
   * @param function the test; may use this map
   * @return whether any entry was removed
   */
  public boolean removeIf(LongObjPredicate<? super V> function) {
    Objects.requireNonNull(function, "function");
    boolean any = false;
    Cursor<V> cursor = new Cursor<>(this);
    while (cursor.next()) {
      any |= function.test(cursor.key(), cursor.value()) && cursor.remove();
    }
    return any;
  }

  /**
   * Returns the keys in a new array, in no particular order.
   *
   * @return the keys
   */
  public long[] keys() {
    long[] keys = new long[SLOTS];
    int count = 0;
    Cursor<V> cursor = new Cursor<>(this);
    while (cursor.next()) {
      if (count == keys.length) {
        keys = Arrays.copyOf(keys, count + (count >> 1) + 1);
      }
      keys[count++] = cursor.key();
    }
    return Arrays.copyOf(keys, count);
  }

  /**
   * Removes all entries, bucket by bucket, and frees their memory. An entry that another thread
   * puts meanwhile may stay.
   */
  public void clear() {
    long from = 0;
    do {
      from = clearBucket(from);
    } while (from != 0);
    boolean more = true;
    while (more) {
      Table t = table;
      more = t.next != null ? help(t) : t.bits > floor && t.isSparse() && begin(t, t.bits - 1);
    }
  }

  /** Empties the bucket of a hash; the first hash behind it, or 0 if it was the last. */
  private long clearBucket(long hash) {
    Table t = table;
    for (int waits = 0; ; ) {
      Shelf shelf = t.shelf(hash);
      int at = t.at(hash);
      long head = shelf == GONE ? MOVED : shelf.get(at);
      if ((head & MOVED) != 0) {
        t = t.successor();
      } else if (shelf.lock(at, head)) {
        try {
          shelf.reset(at);
        } catch (Throwable e) {
          shelf.abandoned[at / WIDTH] = 1;
          shelf.isAbandoned = true;
          throw e;
        }
        return t.behind(hash);
      } else {
        waits = shelf.pause(at, waits);
      }
    }
  }

  /**
   * Returns whether the map has no entry.
   *
   * @return whether it is empty
   */
  public boolean isEmpty() {
    return !new Cursor<>(this).next();
  }

  /**
   * Counts the entries. The call takes time in proportion to the size of the table.
   *
   * @return the number of entries
   */
  public long size() {
    long size = 0;
    long from = 0;
    do {
      Table t = table;
      Shelf shelf = t.shelf(from);
      int at = t.at(from);
      long head = shelf == GONE ? MOVED : shelf.get(at);
      while ((head & MOVED) != 0) {
        t = t.successor();
        shelf = t.shelf(from);
        at = t.at(from);
        head = shelf == GONE ? MOVED : shelf.get(at);
      }
      if (t.isFirst(from)) {
        size += taken(head);
        Overflow over = shelf.overflow(at, head);
        size += over == null ? 0 : over.count();
        from = t.behind(from);
      } else { // a part of it was counted in a larger table
        Cursor<V> cursor = new Cursor<>(this);
        cursor.from = from;
        cursor.load();
        size += cursor.count;
        from = cursor.from;
      }
    } while (from != 0);
    return size;
  }

  /**
   * Estimates the number of entries from some of the buckets, in constant time.
   *
   * @return a rough number of entries
   */
  public long estimatedSize() {
    int samples = 1 << Math.min(table.bits, 10);
    double sum = 0;
    for (int i = 0; i < samples; i++) {
      long hash = samples == 1 ? 0 : (long) i << (64 - Integer.numberOfTrailingZeros(samples));
      Table t = table;
      while (t.isMoved(hash)) {
        t = t.successor();
      }
      Shelf shelf = t.shelf(hash);
      int at = t.at(hash);
      if (shelf != GONE) {
        long head = shelf.get(at);
        Overflow over = shelf.overflow(at, head);
        int entries = taken(head) + (over == null ? 0 : over.count());
        sum += (double) entries * (1 << t.bits) / samples;
      }
    }
    return Math.round(sum);
  }

  /**
   * Computes the heap memory of the map, without the values, from the sizes of its arrays. The call
   * takes time in proportion to the size of the table.
   *
   * @return roughly the bytes
   */
  public long retainedBytes() {
    long reference = Runtime.getRuntime().maxMemory() < 32L << 30 ? 4 : 8;
    long bytes = 32;
    for (Table t = table; t != null; t = t.next) {
      bytes += t.retainedBytes(reference);
    }
    return bytes;
  }

  /** Returns the entries as <code>{key=value, …}</code>. */
  @Override
  public String toString() {
    return asConcurrentMap().toString();
  }

  /**
   * Returns a live view of this map with boxed keys, for code that needs a {@code Map}. The view
   * throws a NullPointerException for a null key or value. A key that is not a {@code Long} is
   * absent.
   *
   * <p>The collections of the view have conditional removals: {@code removeIf}, {@code removeAll},
   * {@code retainAll}, and {@code remove} of a value. These remove an entry only if it still has
   * the value that was tested. But {@code remove} of an iterator removes the key, whatever its
   * value is by then.
   *
   * <p>Differences from a {@link java.util.concurrent.ConcurrentHashMap}:
   *
   * <ul>
   *   <li>Functions may be called more than once, run under no lock, and may use the map; see the
   *       comment of this class.
   *   <li>A {@code computeIfAbsent} whose function puts the key returns the value that the function
   *       has put, and does not throw.
   *   <li>{@code size} takes time in proportion to the size of the table.
   *   <li>{@code keySet()}, {@code values()} and {@code entrySet()} make a new object each time.
   *   <li>Parallel streams are split by batches, not by ranges of the table.
   *   <li>The view is not serializable, and has no {@code search} and {@code reduce} methods.
   * </ul>
   *
   * @return the view; changes pass through in both directions
   */
  public ConcurrentMap<Long, V> asConcurrentMap() {
    return new View<>(this);
  }

  // ---- Inside

  /** 2^bits buckets: up to SHELF of them are here, more on shelves. */
  @SuppressWarnings("serial")
  private static final class Table extends Shelf {
    static final AtomicReferenceFieldUpdater<Table, Table> NEXT =
        AtomicReferenceFieldUpdater.newUpdater(Table.class, Table.class, "next");

    final int bits;

    /** 63 - bits: a hash is shifted by that and by one more, since a shift by 64 is one by 0. */
    private final int shift;

    /** Null in a small table, which is its own and only shelf. */
    private final AtomicReferenceArray<Shelf> shelves;

    private final AtomicBoolean making = new AtomicBoolean();

    /** Where this table's entries go, once it is to be grown or shrunk. Set once. */
    volatile Table next;

    /** The next unit to be moved by whoever comes, modulo the units. */
    final AtomicInteger claim = new AtomicInteger();

    /** Shelves not yet GONE. */
    private final AtomicInteger shelvesLeft;

    /**
     * The running mean of the samples. Written by anybody: a lost update costs a little accuracy.
     */
    volatile int load;

    Table(int bits, int load) {
      super(bits <= SHELF_BITS ? 1 << bits : 0);
      this.bits = bits;
      this.shift = 63 - bits;
      this.load = load;
      int count = bits <= SHELF_BITS ? 0 : 1 << (bits - SHELF_BITS);
      this.shelves = count == 0 ? null : new AtomicReferenceArray<>(count);
      this.shelvesLeft = new AtomicInteger(Math.max(1, count));
    }

    Table successor() {
      Table successor = next;
      if (successor == null) {
        throw new AssertionError("moved, but where to?");
      }
      return successor;
    }

    private int bucket(long hash) {
      return (int) (hash >>> shift >>> 1);
    }

    /** Where a bucket's words, and values, begin in its shelf. */
    static int within(int bucket) {
      return (bucket & (SHELF - 1)) * WIDTH;
    }

    int at(long hash) {
      return within(bucket(hash));
    }

    /** The shelf of a hash; GONE when all its buckets have moved. */
    Shelf shelf(long hash) {
      return shelves == null ? this : shelfOf(bucket(hash));
    }

    /** The shelf of a bucket; GONE too when it is not made yet, when nobody looks there. */
    Shelf shelfOf(int bucket) {
      if (shelves == null) {
        return this;
      }
      Shelf shelf = shelves.get(bucket >>> SHELF_BITS);
      return shelf != null ? shelf : GONE;
    }

    boolean isMoved(long hash) {
      Shelf shelf = shelf(hash);
      return shelf == GONE || (shelf.get(at(hash)) & MOVED) != 0;
    }

    /** Whether a hash is the first of its bucket. */
    boolean isFirst(long hash) {
      return (hash & -1L >>> bits) == 0;
    }

    /** The first hash behind the bucket of this one; 0 behind the last. */
    long behind(long hash) {
      return (hash | -1L >>> bits) + 1;
    }

    /**
     * The shelf of a bucket, made if need be; null while another thread makes one, or when GONE.
     */
    Shelf make(int bucket) {
      if (shelves == null) {
        return this;
      }
      int index = bucket >>> SHELF_BITS;
      Shelf shelf = shelves.get(index);
      if (shelf == null && making.compareAndSet(false, true)) {
        try {
          shelf = shelves.get(index);
          if (shelf == null) {
            shelf = new Shelf(SHELF);
            shelves.set(index, shelf);
          }
        } finally {
          making.set(false);
        }
      }
      return shelf == GONE ? null : shelf;
    }

    /** All of a bucket's shelf has moved. Whether it was the last one. */
    boolean drop(int bucket) {
      if (shelves != null) {
        shelves.set(bucket >>> SHELF_BITS, GONE);
      }
      return shelvesLeft.decrementAndGet() == 0;
    }

    /** Takes a copy of a locked bucket of the table before. Nobody else sees the targets yet. */
    void receive(Shelf to, Shelf from, int at, long head) {
      for (long rest = ~free(head) & (8 * ONES); rest != 0; rest &= rest - 1) {
        int slot = first(rest);
        receive(to, from.get(at + slot), from.value(at + slot));
      }
      Overflow over = from.overflow(at, head);
      for (int i = 0; over != null && i < over.capacity(); i++) {
        Object value = over.get(i);
        if (value != null) {
          receive(to, over.keys.get(i), value);
        }
      }
    }

    private void receive(Shelf to, long key, Object value) {
      long hash = key * SPREAD;
      int at = at(hash);
      long head = to.get(at);
      if (free(head) != 0) {
        head = to.fill(at, head, hash, key, value);
      } else {
        Overflow over = to.overflow(at, head);
        Overflow made = null;
        if (over == null || over.isFull()) {
          made = to.makeOverflow(over == null ? LEAST : 2 * over.capacity());
        }
        head = to.spill(at, head, made, key, value);
      }
      to.unlock(at, head);
    }

    /** The mean load after one more look at some buckets. */
    int sample(long random) {
      int buckets = 1 << bits;
      int count = Math.min(SAMPLE, buckets);
      int start = (int) random & (buckets - 1) & -count;
      Shelf shelf = shelfOf(start);
      if (shelf == GONE) {
        return load;
      }
      int entries = 0;
      for (int i = 0; i < count; i++) {
        long head = shelf.get(within(start + i));
        entries += taken(head) + (int) (head >>> 29 & 1); // an overflow has one entry, mostly
      }
      int mean = entries * LOAD_ONE / count;
      load = count == buckets ? mean : (3 * load + mean) / 4;
      return load;
    }

    /** Whether half as many buckets would do, by so many samples that the load before is gone. */
    boolean isSparse() {
      for (long i = 0; i < 16; i++) {
        sample((i * SPREAD) >>> 32);
      }
      return load < SHRINK_BELOW;
    }

    @Override
    long retainedBytes(long reference) {
      if (shelves == null) {
        return 100 + super.retainedBytes(reference);
      }
      long bytes = 250 + shelves.length() * reference;
      for (int bucket = 0; bucket < 1 << bits; bucket += SHELF) {
        Shelf shelf = shelfOf(bucket);
        bytes += shelf == GONE ? 0 : shelf.retainedBytes(reference);
      }
      return bytes;
    }
  }

  /** The headers and keys of some buckets, and their values beside. */
  @SuppressWarnings("serial")
  private static class Shelf extends AtomicLongArray {
    /** A bucket's overflow, then the values of its slots 1 to 7. */
    final AtomicReferenceArray<Object> values;

    private final OverflowPool spares;

    /** Buckets not yet moved. */
    final AtomicInteger left;

    /** By bucket: 1 if who locked it ran out of stack. Written before {@link #isAbandoned}. */
    final byte[] abandoned;

    /** Whether a bucket ever was. */
    volatile boolean isAbandoned;

    Shelf(int buckets) {
      super(buckets * WIDTH);
      abandoned = new byte[buckets];
      values = new AtomicReferenceArray<>(buckets * WIDTH);
      spares = new OverflowPool(Math.max(4, buckets / 8));
      left = new AtomicInteger(buckets);
    }

    /** Locks a bucket whose header was this; false if it is locked or changed. */
    boolean lock(int at, long head) {
      return (head & LOCKED) == 0 && compareAndSet(at, head, head | LOCKED);
    }

    /** Ends a lock. A release: all stores to the bucket come before it. */
    void unlock(int at, long head) {
      lazySet(at, head);
    }

    /** Waits for a bucket that is locked or changes. */
    int pause(int at, int waits) {
      if (waits >= SPINS) {
        mend(at);
      }
      return ConcurrentLongMap.pause(waits);
    }

    /** Makes a bucket whole and unlocks it, if who locked it ran out of stack. */
    void mend(int at) {
      if (isAbandoned && abandoned[at / WIDTH] != 0) {
        mendAbandoned(at);
      }
    }

    /** Can be ended anywhere, and done again. */
    private synchronized void mendAbandoned(int at) {
      if (abandoned[at / WIDTH] == 0) {
        return; // another thread was faster
      }
      checkStack(); // or there would be as little stack as before
      long head = get(at);
      for (int slot = 1; slot <= SLOTS; slot++) {
        long tag = TAG << (4 * (slot - 1));
        if (values.get(at + slot) == null) {
          head &= ~tag; // being removed
        } else if ((head & tag) == 0) {
          values.lazySet(at + slot, null); // being put
        }
      }
      Overflow over = (Overflow) values.get(at);
      Overflow whole = over == null ? null : over.copy();
      boolean spills = whole != null && whole.count() > 0;
      values.lazySet(at, spills ? whole : null);
      head = spills ? head | OVERFLOW : head & ~OVERFLOW;
      abandoned[at / WIDTH] = 0; // before others may lock it
      try {
        unlock(at, (head & ~LOCKED) + VERSION);
      } catch (Throwable e) {
        abandoned[at / WIDTH] = 1;
        throw e;
      }
    }

    /** Where the key and its value are, or -1. */
    int index(int at, long head, long tag, long key) {
      for (long tops = matches(head, tag); tops != 0; tops &= tops - 1) {
        int index = at + first(tops);
        if (get(index) == key) {
          return index;
        }
      }
      return -1;
    }

    /** The value of the key, or null. What it finds while others write has to be validated. */
    Object find(int at, long head, long tag, long key) {
      int index = index(at, head, tag, key);
      if (index >= 0) {
        return values.get(index);
      }
      Overflow over = overflow(at, head);
      index = over == null ? -1 : over.index(key);
      return index < 0 ? null : over.get(index);
    }

    /** Puts an entry into a free slot of a locked bucket; the header to unlock it with. */
    long fill(int at, long head, long hash, long key, Object value) {
      int slot = first(free(head));
      lazySet(at + slot, key); // release, for readers that see it too early: their look is invalid
      values.lazySet(at + slot, value); // release: what the value holds is seen with it
      return (head | tag(hash) << (4 * (slot - 1))) + VERSION;
    }

    /** Puts an entry into the overflow of a locked bucket, a larger one if that is given. */
    long spill(int at, long head, Overflow larger, long key, Object value) {
      Overflow over = overflow(at, head);
      if (larger != null && (over == null || over.isFull())) {
        if (over != null) {
          larger.addAll(over);
        }
        values.lazySet(at, larger);
        over = larger;
      }
      if (over == null) {
        throw new AssertionError("no overflow to spill into");
      }
      over.add(key, value);
      return (head | OVERFLOW) + VERSION;
    }

    Object value(int index) {
      Object value = values.get(index);
      if (value == null) {
        throw new AssertionError("a taken slot without a value");
      }
      return value;
    }

    /**
     * The overflow of a bucket, or null; null too, without validation, when it was just emptied.
     */
    Overflow overflow(int at, long head) {
      return (head & OVERFLOW) == 0 ? null : (Overflow) values.get(at);
    }

    /** Takes everything out of a locked bucket, or of one nobody else sees yet, and unlocks it. */
    void reset(int at) {
      leave(at, 0);
    }

    /** Takes everything out of a locked bucket and unlocks it, in the state that is given. */
    void leave(int at, long state) {
      for (int i = 0; i < WIDTH; i++) {
        values.lazySet(at + i, null);
      }
      unlock(at, (get(at) & -VERSION) + VERSION | state);
    }

    /** An empty overflow, a spare one if there is one of that capacity. */
    Overflow makeOverflow(int capacity) {
      Overflow spare = capacity == LEAST ? spares.take() : null;
      return spare != null ? spare : new Overflow(capacity);
    }

    /** Keeps an empty overflow for another bucket, if there is room. */
    void giveSpare(Overflow spare) {
      if (spare.capacity() == LEAST) {
        spares.give(spare);
      }
    }

    long retainedBytes(long reference) {
      long bytes =
          152 + length() * (8 + reference) + abandoned.length + spares.length() * reference;
      bytes += spares.count() * Overflow.retainedBytes(LEAST, reference);
      for (int at = 0; at < length(); at += WIDTH) {
        Overflow over = overflow(at, get(at));
        bytes += over == null ? 0 : Overflow.retainedBytes(over.capacity(), reference);
      }
      return bytes;
    }
  }

  /**
   * The entries that did not fit into a bucket: values here, null where nothing is, their keys
   * beside. Open addressing, with a hash of its own that nobody can foresee: keys that were chosen
   * to collide in the table do not collide here. Written under the bucket's lock, read under its
   * version.
   */
  @SuppressWarnings("serial")
  private static final class Overflow extends AtomicReferenceArray<Object> {
    private static final long SEED = new SplittableRandom().nextLong();

    /** The keys, then the number of entries. */
    final AtomicLongArray keys;

    Overflow(int capacity) {
      super(capacity);
      keys = new AtomicLongArray(capacity + 1);
    }

    int capacity() {
      return length();
    }

    int count() {
      return (int) keys.get(capacity());
    }

    /** The smallest is used to the last place, larger ones to three quarters. */
    boolean isFull() {
      return count() == (capacity() == LEAST ? LEAST : capacity() / 4 * 3);
    }

    private int home(long key) {
      long hash = key ^ SEED;
      hash = (hash ^ hash >>> 32) * 0xD6E8FEB86659FD93L;
      hash = (hash ^ hash >>> 32) * 0xD6E8FEB86659FD93L;
      return (int) (hash ^ hash >>> 32) & (capacity() - 1);
    }

    /** Where the key is, or -1. Ends whatever others write meanwhile. */
    int index(long key) {
      int home = home(key);
      for (int i = 0; i < capacity(); i++) {
        int index = (home + i) & (capacity() - 1);
        if (get(index) == null) {
          return -1;
        }
        if (keys.get(index) == key) {
          return index;
        }
      }
      return -1;
    }

    /** Adds a key that is not there; there is room. */
    void add(long key, Object value) {
      int index = home(key);
      while (get(index) != null) {
        index = (index + 1) & (capacity() - 1);
      }
      keys.lazySet(index, key); // as in a bucket: release, and validated by its version
      lazySet(index, value);
      keys.lazySet(capacity(), count() + 1L);
    }

    void addAll(Overflow other) {
      for (int i = 0; i < other.capacity(); i++) {
        Object value = other.get(i);
        if (value != null) {
          add(other.keys.get(i), value);
        }
      }
    }

    /** Removes an entry, and moves those behind it that would not be found any more. */
    void remove(int index) {
      int mask = capacity() - 1;
      int gap = index;
      lazySet(gap, null); // first, so that no key is ever beside another one's value
      for (int i = 1; i < capacity(); i++) {
        int next = (index + i) & mask;
        Object value = get(next);
        if (value == null) {
          break;
        }
        long key = keys.get(next);
        if (((next - home(key)) & mask) >= ((next - gap) & mask)) {
          keys.lazySet(gap, key);
          lazySet(gap, value);
          lazySet(next, null);
          gap = next;
        }
      }
      keys.lazySet(capacity(), count() - 1L);
    }

    /** The same entries, each once, whatever state an add or a remove has left this in. */
    Overflow copy() {
      Overflow copy = new Overflow(capacity());
      for (int i = 0; i < capacity(); i++) {
        Object value = get(i);
        if (value != null && copy.index(keys.get(i)) < 0) {
          copy.add(keys.get(i), value);
        }
      }
      return copy;
    }

    static long retainedBytes(int capacity, long reference) {
      return 80 + capacity * (8 + reference);
    }
  }

  /**
   * Overflows that no bucket of a shelf needs now: crowded buckets come and go, and leave no
   * garbage. A place is taken and filled by compareAndSet, so a thread that has lost its processor
   * here hinders nobody.
   */
  @SuppressWarnings("serial")
  private static final class OverflowPool extends AtomicReferenceArray<Overflow> {
    /** How many there are, or a few less or more while others take and give. */
    private final AtomicInteger count = new AtomicInteger();

    /** Near the place that was filled or taken last. Plain: any other place will do. */
    private int near;

    OverflowPool(int most) {
      super(most);
    }

    int count() {
      return count.get();
    }

    /** One of them, or null. */
    Overflow take() {
      if (count.get() <= 0) {
        return null;
      }
      int at = near;
      for (int i = 0; i < length(); i++) {
        Overflow taken = get(at);
        if (taken != null && compareAndSet(at, taken, null)) {
          count.getAndDecrement();
          near = at;
          return taken;
        }
        at = at == 0 ? length() - 1 : at - 1;
      }
      return null;
    }

    /** Keeps it, if there is a place. */
    void give(Overflow spare) {
      if (count.get() >= length()) {
        return;
      }
      int at = near;
      for (int i = 0; i < length(); i++) {
        if (get(at) == null && compareAndSet(at, null, spare)) {
          count.getAndIncrement();
          near = at;
          return;
        }
        at = at == length() - 1 ? 0 : at + 1;
      }
    }
  }

  /**
   * Walks along the hashes, bucket by bucket; a bucket is copied whole before any of it is shown.
   */
  private static final class Cursor<V> {
    private final ConcurrentLongMap<V> map;

    /** The first hash not yet walked; 0 at the beginning and at the end. */
    long from;

    private boolean begun;
    private long[] keys = new long[WIDTH];
    private Object[] values = new Object[WIDTH];
    int count;
    private int index = -1;

    Cursor(ConcurrentLongMap<V> map) {
      this.map = map;
    }

    /** Goes to the next entry; false when there is none. */
    boolean next() {
      index++;
      while (index >= count) {
        if (begun && from == 0) {
          return false;
        }
        begun = true;
        load();
        index = 0;
      }
      return true;
    }

    long key() {
      return keys[index];
    }

    @SuppressWarnings("unchecked")
    V value() {
      return (V) Objects.requireNonNull(values[index]);
    }

    /** Removes the entry, unless it has another value by now. */
    boolean remove() {
      V value = value();
      return map.take(key(), value) == value;
    }

    /** Copies the bucket of {@code from}, in whatever table it is now, and goes behind it. */
    void load() {
      Table t = map.table;
      for (int waits = 0; ; ) {
        Shelf shelf = t.shelf(from);
        int at = t.at(from);
        long head = shelf == GONE ? MOVED : shelf.get(at);
        if ((head & MOVED) != 0) {
          t = t.successor();
          continue;
        }
        Overflow over = shelf.overflow(at, head);
        int most = SLOTS + (over == null ? 0 : over.capacity());
        if (most > keys.length) {
          keys = new long[most];
          values = new Object[most];
        }
        if (waits > SPINS && shelf.lock(at, head)) {
          try {
            copy(shelf, over, at, head);
            shelf.unlock(at, head);
          } catch (Throwable e) {
            shelf.abandoned[at / WIDTH] = 1;
            shelf.isAbandoned = true;
            throw e;
          }
          from = t.behind(from);
          return;
        }
        if ((head & LOCKED) == 0) {
          copy(shelf, over, at, head);
          if (shelf.get(at) == head) {
            from = t.behind(from);
            return;
          }
        }
        waits = shelf.pause(at, waits);
      }
    }

    private void copy(Shelf shelf, Overflow over, int at, long head) {
      count = 0;
      for (long rest = ~free(head) & (8 * ONES); rest != 0; rest &= rest - 1) {
        int slot = first(rest);
        add(shelf.get(at + slot), shelf.values.get(at + slot));
      }
      for (int i = 0; over != null && i < over.capacity(); i++) {
        Object value = over.get(i);
        if (value != null) {
          add(over.keys.get(i), value);
        }
      }
    }

    private void add(long key, Object value) {
      // In a table that shrank, the bucket begins before where this cursor is: seen already.
      if (Long.compareUnsigned(key * SPREAD, from) >= 0) {
        keys[count] = key;
        values[count++] = value;
      }
    }
  }

  /**
   * A function that is called again and again, since another value is there each time it returns:
   * finds out whether the function itself puts it there.
   */
  private static final class Watch {
    private static final ThreadLocal<Watch> INNERMOST = new ThreadLocal<>();

    private final ConcurrentLongMap<?> map;
    private final long hash;
    private Watch outer;
    boolean isWritten;

    Watch(ConcurrentLongMap<?> map, long key) {
      this.map = map;
      this.hash = key * SPREAD;
    }

    /** Calls the function. */
    <T> T apply(LongObjFunction<T> function, long key, T present) {
      outer = INNERMOST.get();
      INNERMOST.set(this);
      count(1);
      try {
        return function.apply(key, present);
      } finally {
        count(-1);
        if (outer == null) {
          INNERMOST.remove();
        } else {
          INNERMOST.set(outer);
        }
      }
    }

    private static synchronized void count(int more) {
      watches += more;
    }

    /** This thread has written a key. */
    static void note(ConcurrentLongMap<?> map, long hash) {
      for (Watch watch = INNERMOST.get(); watch != null; watch = watch.outer) {
        watch.isWritten |= watch.map == map && watch.hash == hash;
      }
    }
  }

  /** The map with boxed keys. No lambdas: one that is linked first in a full heap stays broken. */
  private static final class View<V> extends AbstractMap<Long, V>
      implements ConcurrentMap<Long, V> {
    private final ConcurrentLongMap<V> map;

    View(ConcurrentLongMap<V> map) {
      this.map = map;
    }

    private static boolean isKey(Object key) {
      return Objects.requireNonNull(key, "key") instanceof Long;
    }

    @Override
    public int size() {
      return (int) Math.min(map.size(), Integer.MAX_VALUE);
    }

    @Override
    public boolean isEmpty() {
      return map.isEmpty();
    }

    @Override
    public V get(Object key) {
      return isKey(key) ? map.get((Long) key) : null;
    }

    @Override
    public V getOrDefault(Object key, V otherwise) {
      V value = get(key);
      return value == null ? otherwise : value;
    }

    @Override
    public boolean containsKey(Object key) {
      return get(key) != null;
    }

    @Override
    public boolean containsValue(Object value) {
      Objects.requireNonNull(value, "value");
      return super.containsValue(value);
    }

    @Override
    public V put(Long key, V value) {
      return map.put(key, value);
    }

    @Override
    public V putIfAbsent(Long key, V value) {
      return map.putIfAbsent(key, value);
    }

    @Override
    public V remove(Object key) {
      return isKey(key) ? map.remove((long) (Long) key) : null;
    }

    @Override
    public boolean remove(Object key, Object value) {
      return isKey(key) && map.remove((long) (Long) key, value);
    }

    @Override
    public V replace(Long key, V value) {
      return map.replace(key, value);
    }

    @Override
    public boolean replace(Long key, V expected, V value) {
      return map.replace(key, expected, value);
    }

    @Override
    public V computeIfAbsent(Long key, Function<? super Long, ? extends V> function) {
      Objects.requireNonNull(function, "function");
      return map.computeIfAbsent(
          key,
          new LongFunction<V>() {
            @Override
            public V apply(long k) {
              return function.apply(k);
            }
          });
    }

    @Override
    public V computeIfPresent(Long key, BiFunction<? super Long, ? super V, ? extends V> function) {
      return map.computeIfPresent(key, boxed(function));
    }

    @Override
    public V compute(Long key, BiFunction<? super Long, ? super V, ? extends V> function) {
      return map.compute(key, boxed(function));
    }

    @Override
    public V merge(Long key, V value, BiFunction<? super V, ? super V, ? extends V> function) {
      return map.merge(key, value, function);
    }

    @Override
    public void forEach(BiConsumer<? super Long, ? super V> function) {
      Objects.requireNonNull(function, "function");
      Cursor<V> cursor = new Cursor<>(map);
      while (cursor.next()) {
        function.accept(cursor.key(), cursor.value());
      }
    }

    @Override
    public void replaceAll(BiFunction<? super Long, ? super V, ? extends V> function) {
      LongObjFunction<V> boxed = boxed(function);
      LongObjFunction<V> notNull =
          new LongObjFunction<V>() {
            @Override
            public V apply(long key, V value) {
              return Objects.requireNonNull(boxed.apply(key, value), "value");
            }
          };
      Cursor<V> cursor = new Cursor<>(map);
      while (cursor.next()) {
        map.computeIfPresent(cursor.key(), notNull);
      }
    }

    private static <V> LongObjFunction<V> boxed(
        BiFunction<? super Long, ? super V, ? extends V> function) {
      Objects.requireNonNull(function, "function");
      return new LongObjFunction<V>() {
        @Override
        public V apply(long key, V value) {
          return function.apply(key, value);
        }
      };
    }

    @Override
    public void clear() {
      map.clear();
    }

    @Override
    public Set<Long> keySet() {
      return new KeySet(this);
    }

    @Override
    public Collection<V> values() {
      return new Values<>(this);
    }

    @Override
    public Set<Map.Entry<Long, V>> entrySet() {
      return new EntrySet<>(this);
    }
  }

  /** What streams may rely on; not on a size, which others change while the stream runs. */
  private static final int ELEMENTS = Spliterator.CONCURRENT | Spliterator.NONNULL;

  private static final int ENTRIES = ELEMENTS | Spliterator.DISTINCT;

  private static final class KeySet extends AbstractSet<Long> {
    private final View<?> view;

    KeySet(View<?> view) {
      this.view = view;
    }

    @Override
    public Iterator<Long> iterator() {
      EntryIterator<?> entries = new EntryIterator<>(view.map);
      return new Iterator<Long>() {
        @Override
        public boolean hasNext() {
          return entries.hasNext();
        }

        @Override
        public Long next() {
          return entries.next().getKey();
        }

        @Override
        public void remove() {
          entries.remove();
        }
      };
    }

    @Override
    public Spliterator<Long> spliterator() {
      return Spliterators.spliteratorUnknownSize(iterator(), ENTRIES);
    }

    @Override
    public int size() {
      return view.size();
    }

    @Override
    public boolean isEmpty() {
      return view.isEmpty();
    }

    @Override
    public boolean contains(Object key) {
      return view.containsKey(key);
    }

    @Override
    public boolean remove(Object key) {
      return view.remove(key) != null;
    }

    @Override
    public boolean removeIf(Predicate<? super Long> filter) {
      Objects.requireNonNull(filter, "filter");
      boolean any = false;
      Cursor<?> cursor = new Cursor<>(view.map);
      while (cursor.next()) {
        if (filter.test(cursor.key())) {
          any |= view.map.remove(cursor.key()) != null;
        }
      }
      return any;
    }

    @Override
    public void clear() {
      view.clear();
    }
  }

  private static final class Values<V> extends AbstractCollection<V> {
    private final View<V> view;

    Values(View<V> view) {
      this.view = view;
    }

    @Override
    public Iterator<V> iterator() {
      EntryIterator<V> entries = new EntryIterator<>(view.map);
      return new Iterator<V>() {
        @Override
        public boolean hasNext() {
          return entries.hasNext();
        }

        @Override
        public V next() {
          return entries.next().getValue();
        }

        @Override
        public void remove() {
          entries.remove();
        }
      };
    }

    /** Removes the first entry found that has an equal value. */
    @Override
    public boolean remove(Object value) {
      Cursor<V> cursor = new Cursor<>(view.map);
      while (value != null && cursor.next()) {
        if (value.equals(cursor.value()) && cursor.remove()) {
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean removeIf(Predicate<? super V> filter) {
      Objects.requireNonNull(filter, "filter");
      boolean any = false;
      Cursor<V> cursor = new Cursor<>(view.map);
      while (cursor.next()) {
        any |= filter.test(cursor.value()) && cursor.remove();
      }
      return any;
    }

    @Override
    public boolean removeAll(Collection<?> values) {
      return removeIf(new Members(values, true));
    }

    @Override
    public boolean retainAll(Collection<?> values) {
      return removeIf(new Members(values, false));
    }

    @Override
    public Spliterator<V> spliterator() {
      return Spliterators.spliteratorUnknownSize(iterator(), ELEMENTS);
    }

    @Override
    public int size() {
      return view.size();
    }

    @Override
    public boolean isEmpty() {
      return view.isEmpty();
    }

    @Override
    public void clear() {
      view.clear();
    }
  }

  private static final class EntrySet<V> extends AbstractSet<Map.Entry<Long, V>> {
    private final View<V> view;

    EntrySet(View<V> view) {
      this.view = view;
    }

    @Override
    public Iterator<Map.Entry<Long, V>> iterator() {
      return new EntryIterator<>(view.map);
    }

    @Override
    public Spliterator<Map.Entry<Long, V>> spliterator() {
      return Spliterators.spliteratorUnknownSize(iterator(), ENTRIES);
    }

    @Override
    public int size() {
      return view.size();
    }

    @Override
    public boolean isEmpty() {
      return view.isEmpty();
    }

    @Override
    public boolean contains(Object entry) {
      if (!(entry instanceof Map.Entry)) {
        return false;
      }
      Map.Entry<?, ?> sought = (Map.Entry<?, ?>) entry;
      Object key = sought.getKey();
      Object value = key == null ? null : view.get(key);
      return value != null && value.equals(sought.getValue());
    }

    @Override
    public boolean remove(Object entry) {
      if (!(entry instanceof Map.Entry)) {
        return false;
      }
      Map.Entry<?, ?> sought = (Map.Entry<?, ?>) entry;
      Object key = sought.getKey();
      return key != null && view.remove(key, sought.getValue());
    }

    @Override
    public boolean removeIf(Predicate<? super Map.Entry<Long, V>> filter) {
      Objects.requireNonNull(filter, "filter");
      boolean any = false;
      Cursor<V> cursor = new Cursor<>(view.map);
      while (cursor.next()) {
        any |=
            filter.test(new AbstractMap.SimpleImmutableEntry<>(cursor.key(), cursor.value()))
                && cursor.remove();
      }
      return any;
    }

    @Override
    public boolean removeAll(Collection<?> entries) {
      return removeIf(new Members(entries, true));
    }

    @Override
    public boolean retainAll(Collection<?> entries) {
      return removeIf(new Members(entries, false));
    }

    @Override
    public void clear() {
      view.clear();
    }
  }

  /** What is in a collection, or what is not. */
  private static final class Members implements Predicate<Object> {
    private final Collection<?> collection;
    private final boolean in;

    Members(Collection<?> collection, boolean in) {
      this.collection = Objects.requireNonNull(collection, "collection");
      this.in = in;
    }

    @Override
    public boolean test(Object element) {
      return collection.contains(element) == in;
    }
  }

  /** Entries whose setValue writes through. */
  private static final class EntryIterator<V> implements Iterator<Map.Entry<Long, V>> {
    private final ConcurrentLongMap<V> map;
    private final Cursor<V> cursor;
    private boolean ready;
    private boolean removable;
    private long last;

    EntryIterator(ConcurrentLongMap<V> map) {
      this.map = map;
      this.cursor = new Cursor<>(map);
      this.ready = cursor.next();
    }

    @Override
    public boolean hasNext() {
      return ready;
    }

    @Override
    public Map.Entry<Long, V> next() {
      if (!ready) {
        throw new NoSuchElementException();
      }
      Map.Entry<Long, V> entry = new WriteThroughEntry<>(map, cursor.key(), cursor.value());
      last = cursor.key();
      removable = true;
      ready = cursor.next();
      return entry;
    }

    @Override
    public void remove() {
      if (!removable) {
        throw new IllegalStateException("nothing to remove: call next first, and remove once");
      }
      removable = false;
      map.remove(last);
    }
  }

  @SuppressWarnings("serial")
  private static final class WriteThroughEntry<V> extends AbstractMap.SimpleEntry<Long, V> {
    private final ConcurrentLongMap<V> map;

    WriteThroughEntry(ConcurrentLongMap<V> map, long key, V value) {
      super(key, value);
      this.map = map;
    }

    @Override
    public V setValue(V value) {
      map.put(getKey(), value);
      return super.setValue(value);
    }
  }
}
