package dev.offcut.handle;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One releasing thread's progress and what it has found forgotten since its last report. */
final class Tally {
  private final Map<HandleType, Map<@Nullable Site, Long>> counts = new HashMap<>();

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
    try {
      Map<@Nullable Site, Long> sites = counts.get(type);
      if (sites == null) {
        sites = new HashMap<>();
        counts.put(type, sites);
      }
      Long before = sites.get(site);
      sites.put(site, before == null ? 1 : before + 1);
    } catch (OutOfMemoryError e) {
      return;
    }
  }

  /** Tells listener and recording, and begins anew. */
  void report() {
    try {
      for (Map.Entry<HandleType, Map<@Nullable Site, Long>> of : counts.entrySet()) {
        for (Map.Entry<@Nullable Site, Long> count : of.getValue().entrySet()) {
          Listeners.reportForgotten(of.getKey(), count.getKey(), count.getValue());
        }
      }
    } finally {
      counts.clear();
    }
  }
}
