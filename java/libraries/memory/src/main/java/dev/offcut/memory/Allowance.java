package dev.offcut.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that pools have charged to a {@link Budget}, and how many they may charge.
 *
 * <pre>
 *   charged ≤ seen       granted
 *   charged &gt; seen       granted; whoever asked looks at the budget afterwards
 *   charged &gt; soft       granted; whoever asked first runs the callback afterwards
 *   charged &gt; allowed    taken back and refused
 * </pre>
 *
 * <p>A charge is added before it is compared, so the granted bytes never exceed {@code allowed}. A
 * look publishes {@code allowed}, {@code soft} and {@code seen} one by one: a charge that runs at
 * the same time is judged by the figures before the look or after it. All accesses are volatile.
 * Any thread may use it.
 */
abstract class Allowance {
  private final AtomicLong charged = new AtomicLong();

  /** Up to here the last look holds. */
  private volatile long seen;

  /** What may be charged. */
  private volatile long allowed;

  /** The charge above which the callback for short memory runs. */
  private volatile long soft = Long.MAX_VALUE;

  /** Whether the charge is above {@code soft}, and somebody has seen that. */
  private volatile boolean isShort;

  /** Charges bytes, or nothing: whether they are within what is allowed. */
  final boolean charge(long bytes) {
    long now = charged.addAndGet(bytes);
    if (now > allowed || now < 0) {
      charged.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  final void discharge(long bytes) {
    if (charged.addAndGet(-bytes) <= soft) {
      isShort = false;
    }
  }

  final boolean hasRoom(long bytes) {
    return bytes <= roomBytes();
  }

  /** How much could be charged now; negative if more is charged than is allowed by now. */
  final long roomBytes() {
    return allowed - charged.get();
  }

  final long charged() {
    return charged.get();
  }

  /**
   * Publishes the result of a look.
   *
   * @param nowAllowed what may be charged
   * @param nowSoft the charge above which memory is short
   * @param step how much may be charged before the next look
   */
  final void allow(long nowAllowed, long nowSoft, long step) {
    long now = charged.get();
    if (now <= nowSoft) {
      isShort = false;
    }
    allowed = nowAllowed;
    soft = nowSoft;
    seen = now > Long.MAX_VALUE - step ? Long.MAX_VALUE : now + step;
  }

  /** Whether so much was charged since the last look that another one is due. */
  final boolean isStale() {
    return charged.get() > seen;
  }

  /** Whether memory has become short since the last call. */
  final boolean takeRunsShort() {
    boolean is = !isShort && charged.get() > soft;
    if (is) {
      isShort = true;
    }
    return is;
  }
}
