package dev.offcut.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What a {@link Budget} is to the layers below it: the bytes that pools have charged to it, and how
 * many they may charge.
 *
 * <pre>
 *   charged ≤ unchecked             granted: one add, one compare
 *   seen &lt; charged ≤ allowed        granted; whoever asked looks at the budget afterwards
 *   charged rises above soft        granted; whoever asked runs the callback afterwards
 *   allowed &lt; charged               taken back and refused
 *
 *   unchecked = min(seen, soft, allowed)
 * </pre>
 *
 * <p>A charge is added before it is compared, so the granted bytes never exceed {@code allowed}. A
 * look publishes {@code allowed}, {@code soft}, {@code seen} and {@code unchecked} one by one: a
 * charge that runs at the same time is judged by the figures before the look or after it. All
 * accesses are volatile. Any thread may use it.
 */
abstract class Allowance {
  private final AtomicLong charged = new AtomicLong();

  /** Up to here a charge needs no look; never more than {@code allowed} when a look is over. */
  private volatile long unchecked;

  /** Up to here the last look holds. */
  private volatile long seen;

  /** What may be charged. */
  private volatile long allowed;

  /** The charge above which the callback for short memory runs. */
  private volatile long soft = Long.MAX_VALUE;

  /** A charge went beyond {@code seen}. */
  private volatile boolean stale;

  /** The charge rose above {@code soft}, or a look found {@code soft} below it. */
  private volatile boolean runsShort;

  /** Charges bytes, or nothing: whether they are within what is allowed. */
  final boolean charge(long bytes) {
    long now = charged.addAndGet(bytes);
    return (now <= unchecked && now >= 0) || chargeBeyond(now, bytes);
  }

  private boolean chargeBeyond(long now, long bytes) {
    if (now > allowed || now < 0) {
      charged.addAndGet(-bytes);
      return false;
    }
    if (now > soft && now - bytes <= soft) {
      runsShort = true;
    }
    if (now > seen) {
      stale = true;
    }
    return true;
  }

  final void discharge(long bytes) {
    charged.addAndGet(-bytes);
  }

  /** Whether so much could be charged now. */
  final boolean hasRoom(long bytes) {
    return bytes <= roomBytes();
  }

  /** How much could be charged now; negative if more is charged than is allowed by now. */
  final long roomBytes() {
    return Sums.subtract(allowed, charged.get());
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
    if (now > nowSoft && now <= soft) {
      runsShort = true;
    }
    long next = now > Long.MAX_VALUE - step ? Long.MAX_VALUE : now + step;
    stale = false; // first: a charge that finds the new figures too small must be seen
    allowed = nowAllowed;
    soft = nowSoft;
    seen = next;
    unchecked = Math.min(next, Math.min(nowSoft, nowAllowed));
  }

  /** What follows a granted request: a look if one is due, and the callback. Without any lock. */
  final void followUp() {
    if (stale || runsShort) {
      followUpNow();
    }
  }

  /** Whether memory has become short since the last call. */
  final boolean takeRunsShort() {
    boolean is = runsShort;
    if (is) {
      runsShort = false;
    }
    return is;
  }

  final boolean isStale() {
    return stale;
  }

  /** As {@link #followUp}; throws nothing, since the request is granted already. */
  abstract void followUpNow();

  /**
   * Tries to make room for a request that would be refused: looks again, asks the pools and the
   * program to give memory back, and looks once more. Without any lock.
   *
   * @param bytes what would be charged
   * @return whether there is room now
   */
  abstract boolean makeRoom(long bytes);

  /** The limit in bytes. */
  abstract long limitBytes();

  /** The name in reports. */
  abstract String name();

  /** Why a request is refused, who holds most, and what to do. */
  abstract String describeRefusal();
}
