package dev.offcut.handle;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One releasing thread's progress and what it has found forgotten since its last report. */
final class Tally {
  /** No record: what the JDK links for a record's methods keeps its class loader (ShutdownTest). */
  private static final class Key {
    final HandleType type;
    final @Nullable Site site;

    Key(HandleType type, @Nullable Site site) {
      this.type = type;
      this.site = site;
    }

    boolean is(HandleType otherType, @Nullable Site otherSite) {
      return type == otherType && site == otherSite;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && is(key.type, key.site);
    }

    @Override
    public int hashCode() {
      return 31 * System.identityHashCode(type) + System.identityHashCode(site);
    }
  }

  private final Map<Key, long[]> counts = new HashMap<>();
  private @Nullable Key last;
  private long[] lastCount = new long[1];

  /**
   * The type whose releaser is running, and how many ran: the reaper compares two looks, a second
   * apart. Opaque: one writer, and no order with anything; a volatile store costs a fence a handle.
   */
  private final AtomicReference<@Nullable HandleType> calling = new AtomicReference<>();

  private final AtomicLong calls = new AtomicLong();

  void begin(HandleType type) {
    calls.setOpaque(calls.getPlain() + 1);
    calling.setOpaque(type);
  }

  void end() {
    calling.setOpaque(null);
  }

  @Nullable HandleType calling() {
    return calling.get();
  }

  long calls() {
    return calls.get();
  }

  /** Counts one. For want of memory the count is lost to the report, never to the statistics. */
  void add(HandleType type, @Nullable Site site) {
    Key key = last;
    if (key == null || !key.is(type, site)) {
      try {
        key = new Key(type, site);
        long[] count = counts.get(key);
        if (count == null) {
          count = new long[1];
          counts.put(key, count);
        }
        lastCount = count;
        last = key;
      } catch (OutOfMemoryError e) {
        return;
      }
    }
    lastCount[0]++;
  }

  /** Tells listener and recording, and begins anew. */
  void report() {
    if (counts.isEmpty()) {
      return;
    }
    try {
      for (Map.Entry<Key, long[]> count : counts.entrySet()) {
        Key key = count.getKey();
        Listeners.reportForgotten(key.type, key.site, count.getValue()[0]);
      }
    } finally {
      counts.clear();
      last = null;
    }
  }
}
