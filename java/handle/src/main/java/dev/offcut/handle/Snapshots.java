package dev.offcut.handle;

import dev.offcut.handle.HandleSnapshot.OfType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Takes snapshots: from the nurseries' cursors, the registries' cells and the counters. */
final class Snapshots {
  private Snapshots() {}

  /**
   * What is counted of one type where no pass of the reaper can promote. The forgotten are read
   * before the open ones, so that none is counted as both.
   */
  private static final class Counted {
    final long forgotten;
    long claims;
    long young;
    long tenured;
    long grouped;
    long since = Long.MAX_VALUE;

    Counted(HandleType type) {
      forgotten = type.counters().forgotten.get();
    }

    void add(Nursery nursery) {
      int open = nursery.open();
      claims += nursery.finished ? 0 : nursery.claims();
      young += open;
      if (open > 0) {
        since = Math.min(since, nursery.since);
        grouped += nursery.isTableGone() && open > 1 ? open : 0;
      }
    }

    void addTenured(HandleType type) {
      claims += type.counters().claimedByDropped.get();
      tenured = type.registry().open() + Registration.waiting(type);
    }
  }

  static HandleSnapshot take() {
    Map<HandleType, Counted> counted = new HashMap<>();
    List<HandleType> types = Reaper.types();
    types.forEach(type -> counted.put(type, new Counted(type)));
    Reaper.visit(
        nursery -> counted.computeIfAbsent(nursery.type, Counted::new).add(nursery),
        () -> counted.forEach((type, of) -> of.addTenured(type)));
    long now = System.nanoTime();
    List<OfType> of = new ArrayList<>();
    for (HandleType type : types) {
      of.add(of(type, Objects.requireNonNull(counted.get(type)), now));
    }
    of.removeIf(t -> t.opened() == 0);
    of.sort(Comparator.comparing(OfType::name));
    return withLoops(of, now);
  }

  private static HandleSnapshot withLoops(List<OfType> of, long now) {
    long backlog = 0;
    long since = Long.MAX_VALUE;
    int hung = 0;
    int restarts = Reaper.restarts();
    for (ReleaseLoop loop : ReleaseLoop.all()) {
      backlog += loop.backlog();
      since = Math.min(since, loop.backlogSince());
      hung += loop.hung();
      restarts += loop.restarts();
    }
    Duration oldest = age(since, now);
    return new HandleSnapshot(
        HandleType.detection(), of, Reaper.cycles(), backlog, oldest, hung, restarts);
  }

  private static OfType of(HandleType type, Counted counted, long now) {
    HandleType.Counters counters = type.counters();
    long forgotten = counted.forgotten;
    long open = counted.young + counted.tenured;
    long opened = counted.claims - counters.abandoned.get() - counters.moved.get();
    Map<List<StackTraceElement>, Long> sites = new HashMap<>();
    counters.sites.forEach((site, count) -> sites.merge(site.frames, count.get(), Long::sum));
    return new OfType(
        type.id(),
        type.name(),
        opened,
        Math.max(0, opened - open - forgotten),
        forgotten,
        open,
        counters.promoted.get(),
        counted.grouped + (type.groupSize() > 1 ? type.registry().pinned() : 0),
        age(Math.min(counted.since, type.registry().oldestSince()), now),
        counters.failures.get(),
        sites);
  }

  private static Duration age(long since, long now) {
    return since == Long.MAX_VALUE ? Duration.ZERO : Duration.ofNanos(Math.max(0, now - since));
  }
}
