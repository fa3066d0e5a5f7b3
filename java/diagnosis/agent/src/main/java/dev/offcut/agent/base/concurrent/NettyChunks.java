package dev.offcut.agent.base.concurrent;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What Netty's allocators hold: the chunks of the pooled one, which allocators the adaptive one's
 * are, and how many bytes of their chunks are in buffers. Netty's classes are rewritten to call
 * this:
 *
 * <pre>
 *   a chunk of direct memory is made                      made(chunk)
 *   … is about to be freed                                gone(chunk)
 *   the constructor of an adaptive allocator returns      allocator(this)
 *   a buffer of an adaptive allocator gets its memory     took(bytes, on the heap)
 *   … is about to give it back, or to get other memory    gave(its chunk or null, bytes, on the heap)
 * </pre>
 *
 * <p>How much of a pooled allocator's chunk is in buffers, Netty counts itself.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing. Netty
 * makes and frees chunks under locks of its own: so nothing of the program's is called here, and
 * the lock here is held for some steps. It refers to the program's objects weakly only.
 */
public final class NettyChunks {
  private static final int FIRST_MANY = 64;

  /** Guards both lists. */
  private static final Object LOCK = new Object();

  private static final References CHUNKS = new References();
  private static final References ALLOCATORS = new References();

  /**
   * Bytes of the adaptive allocators' chunks that are in direct buffers. No {@code LongAdder}: most
   * programs have no Netty, and nothing else at their start initializes what that needs.
   */
  private static final long[] USED = Counts.places();

  private NettyChunks() {}

  /** Objects that nobody is to keep, a few thousand at most. */
  private static final class References {
    private final ArrayList<WeakReference<Object>> all = new ArrayList<>();

    /** At so many, those that are gone are taken out. */
    private int many = FIRST_MANY;

    void add(Object object) {
      if (all.size() >= many) {
        for (int i = all.size() - 1; i >= 0; i--) {
          if (all.get(i).refersTo(null)) {
            remove(i);
          }
        }
        many = Math.max(FIRST_MANY, 2 * all.size());
      }
      all.add(new WeakReference<>(object));
    }

    /** The last first: what is short-lived was made last. */
    int find(Object object) {
      for (int i = all.size() - 1; i >= 0; i--) {
        if (all.get(i).refersTo(object)) {
          return i;
        }
      }
      return -1;
    }

    void remove(int at) {
      WeakReference<Object> last = all.remove(all.size() - 1);
      if (at < all.size()) {
        all.set(at, last);
      }
    }

    List<Object> there() {
      List<Object> objects = new ArrayList<>(all.size());
      for (int i = 0; i < all.size(); i++) {
        Object object = all.get(i).get();
        if (object != null) {
          objects.add(object);
        }
      }
      return objects;
    }
  }

  /** A pooled allocator has made a chunk of direct memory. */
  public static void made(Object chunk) {
    try {
      synchronized (LOCK) {
        CHUNKS.add(chunk);
      }
    } catch (Throwable e) {
      // no memory or no stack is left: then it is not seen
    }
  }

  /** A pooled allocator frees a chunk. */
  public static void gone(Object chunk) {
    try {
      synchronized (LOCK) {
        int at = CHUNKS.find(chunk);
        if (at >= 0) {
          CHUNKS.remove(at);
        }
      }
    } catch (Throwable e) {
      // no stack is left: then it counts until the collector finds it
    }
  }

  /** There is an adaptive allocator. */
  public static void allocator(Object allocator) {
    try {
      synchronized (LOCK) {
        if (ALLOCATORS.find(allocator) < 0) {
          ALLOCATORS.add(allocator);
        }
      }
    } catch (Throwable e) {
      // likewise
    }
  }

  /** A buffer of an adaptive allocator has its memory. */
  public static void took(int bytes, boolean onHeap) {
    if (!onHeap) {
      add(bytes);
    }
  }

  /** … gives it back, if it has any. */
  public static void gave(@Nullable Object chunk, int bytes, boolean onHeap) {
    if (chunk != null && !onHeap) {
      add(-bytes);
    }
  }

  private static void add(int bytes) {
    try {
      Atomics.add(USED, Counts.place(), bytes);
    } catch (Throwable e) {
      // no stack is left
    }
  }

  /** The chunks of pooled allocators that are there. */
  public static List<Object> chunks() {
    synchronized (LOCK) {
      return CHUNKS.there();
    }
  }

  /** The adaptive allocators that are there. */
  public static List<Object> allocators() {
    synchronized (LOCK) {
      return ALLOCATORS.there();
    }
  }

  /** Bytes of adaptive allocators' chunks in direct buffers. */
  public static long used() {
    long sum = 0;
    for (long one : USED) {
      sum += one; // plain: others add meanwhile, before or after it
    }
    return sum;
  }
}
