package dev.offcut.stress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What became of every raw value: off-heap counters, so that the book is no part of the heap under
 * test. A value is its line in the book.
 *
 * <p>Equation at the end: every line below {@code opened} has been released exactly once.
 */
final class Ledger {
  /** The name of the thread of a cleaner that has its own. */
  static final String OWN_THREAD = "own-cleaner";

  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private static volatile ByteBuffer releases = ByteBuffer.allocateDirect(4);
  private static volatile ByteBuffer children = ByteBuffer.allocateDirect(4);
  private static final AtomicInteger NEXT = new AtomicInteger();
  private static final AtomicLong EARLY_PARENTS = new AtomicLong();
  private static final AtomicLong RELEASED = new AtomicLong();
  private static final AtomicLong RELEASED_BY_NET = new AtomicLong();

  private Ledger() {}

  static void reset(int lines) {
    releases = ByteBuffer.allocateDirect(lines * 4).order(ByteOrder.nativeOrder());
    children = ByteBuffer.allocateDirect(lines * 4).order(ByteOrder.nativeOrder());
    NEXT.set(0);
    release(0); // what it needs is linked and loaded before a heap is full
    releaseParent(0);
    orphanChild(0);
    adoptChild(0);
    INT.setVolatile(releases, 0, 0);
    RELEASED.set(0);
    RELEASED_BY_NET.set(0);
  }

  /** A new resource; -1 when the book is full. */
  static long open() {
    int line = NEXT.getAndIncrement();
    if (line * 4L >= releases.capacity()) {
      NEXT.getAndDecrement();
      return -1;
    }
    return line;
  }

  static boolean isFull() {
    return NEXT.get() * 4L >= releases.capacity() - 4_096;
  }

  /** The releaser of every type here but parents. */
  static void release(long line) {
    if (isOfTheNet(Thread.currentThread())) {
      RELEASED_BY_NET.incrementAndGet();
    }
    note(line);
  }

  private static boolean isOfTheNet(Thread thread) {
    String name = thread.getName();
    return name.startsWith("offcut-releaser") || name.equals(OWN_THREAD);
  }

  private static void note(long line) {
    INT.getAndAdd(releases, (int) line * 4, 1);
    RELEASED.incrementAndGet();
  }

  static void adoptChild(long parent) {
    INT.getAndAdd(children, (int) parent * 4, 1);
  }

  static void orphanChild(long parent) {
    INT.getAndAdd(children, (int) parent * 4, -1);
  }

  /** The releaser of parents: their children must be gone. */
  static void releaseParent(long line) {
    if ((int) INT.getVolatile(children, (int) line * 4) != 0) {
      EARLY_PARENTS.incrementAndGet();
    }
    note(line); // not counted: a deferred one may be released by whoever closes its last child
  }

  static int releasesOf(long line) {
    return (int) INT.getVolatile(releases, (int) line * 4);
  }

  static int opened() {
    return NEXT.get();
  }

  static long released() {
    return RELEASED.get();
  }

  /** Releases on threads of the net, parents not counted. */
  static long releasedByNet() {
    return RELEASED_BY_NET.get();
  }

  /** The verdict: empty when every value was released once, and children before parents. */
  static String verdict() {
    long lost = 0;
    long twice = 0;
    String first = "";
    for (int line = 0; line < opened(); line++) {
      int count = releasesOf(line);
      lost += count == 0 ? 1 : 0;
      twice += count > 1 ? 1 : 0;
      if (count != 1 && first.isEmpty()) {
        first = ", the first is " + line;
      }
    }
    return lost == 0 && twice == 0 && EARLY_PARENTS.get() == 0
        ? ""
        : lost
            + " lost, "
            + twice
            + " released twice"
            + first
            + ", "
            + EARLY_PARENTS.get()
            + " parents before a child";
  }
}
