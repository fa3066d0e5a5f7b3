package dev.offcut.handle;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What the places of handles and the net know of a {@link HandleType}: how to release, counts. */
abstract class TypeState {
  private static final AtomicLong IDS = new AtomicLong();

  /** The number of this type in snapshots. */
  final long id = IDS.incrementAndGet();

  final String name;
  final ReleaseQueue queue;

  /** The packages outside of which the call sites of openings begin. */
  final List<String> openedThrough;

  /** Of what is not a cleaner's: each registration brings its action as its attachment. */
  private final @Nullable Releaser releaser;

  private final Counters counters = new Counters();

  TypeState(
      String name, @Nullable Releaser releaser, ReleaseQueue queue, List<String> openedThrough) {
    this.name = name;
    this.openedThrough = openedThrough;
    this.releaser = releaser;
    this.queue = queue;
  }

  /** A cleaner's type has no releaser: each registration brings its action. */
  final boolean isCleaner() {
    return releaser == null;
  }

  /** Whether each handle has an attachment: its family. */
  abstract boolean hasAttachments();

  /**
   * Looks whether a class may have handles of this type; called at the first opening of a thread.
   *
   * @throws IllegalStateException if it may not
   */
  abstract void checkClass(@Nullable HandleState handle);

  final Counters counters() {
    return counters;
  }

  /** An opening that came to nothing. */
  final void abandoned() {
    counters.abandoned.getAndIncrement();
  }

  /**
   * Releases the resource of a caller that owns it: it won the link, and the cell where there is
   * one. A child's closer counts it out of its family afterwards.
   */
  final void release(long code, @Nullable Object attachment) {
    try {
      if (releaser != null) {
        releaser.release(code ^ HandleState.CODE);
      } else if (attachment instanceof Runnable action) {
        action.run();
      }
    } catch (Throwable t) {
      counters.failures.getAndIncrement();
      throw unchecked(t);
    }
  }

  /**
   * What the program threw, as an exception that need not be declared. The caller throws it.
   *
   * @throws Error the one that was thrown
   */
  final RuntimeException unchecked(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException exception
        ? exception
        : new UndeclaredThrowableException(thrown, name + ": " + thrown);
  }

  final void noteLost() {
    counters.notesLost.getAndIncrement();
  }

  @Override
  public String toString() {
    return name;
  }

  /**
   * The counts of one type. Openings are counted by the nurseries' cursors. No LongAdder: it
   * allocates, and some of these stand between a handle's last state and its release.
   */
  static final class Counters {
    final AtomicLong claimedByDropped = new AtomicLong();
    final AtomicLong abandoned = new AtomicLong();
    final AtomicLong promoted = new AtomicLong();
    final AtomicLong failures = new AtomicLong();
    final AtomicLong notesLost = new AtomicLong();
    final AtomicLong forgotten = new AtomicLong();
    final ConcurrentHashMap<Site, AtomicLong> sites = new ConcurrentHashMap<>();

    void forgotten(@Nullable Site site) {
      forgotten.getAndIncrement();
      if (site == null) {
        return;
      }
      try {
        AtomicLong count = sites.get(site);
        if (count == null) {
          AtomicLong made = new AtomicLong();
          AtomicLong other = sites.putIfAbsent(site, made);
          count = other == null ? made : other;
        }
        count.getAndIncrement();
      } catch (OutOfMemoryError e) {
        notesLost.getAndIncrement();
      }
    }
  }
}
