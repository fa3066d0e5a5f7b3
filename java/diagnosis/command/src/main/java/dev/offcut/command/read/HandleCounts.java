package dev.offcut.command.read;

import dev.offcut.command.read.Recorded.Latest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Handles in the program, of all copies of the library: each copy has events of its own, which have
 * the same name and other numbers.
 */
public final class HandleCounts {
  private dev.offcut.rules.Program program = dev.offcut.rules.Program.UNKNOWN;

  private record Copy(long eventType, String type) {}

  private record Leak(String type, String site, String level) {}

  private final Latest<Copy, Digest.Handles> copies = new Latest<>();
  private final Latest<Leak, Site> sites = new Latest<>();
  private final Map<Leak, Long> leaks =
      new TreeMap<>(
          Comparator.comparing(Leak::type).thenComparing(Leak::site).thenComparing(Leak::level));

  /** Takes statistics; returns how many handles are open at that time, of the types known. */
  long statistics(Fields event) {
    String type = event.text("type");
    Instant time = event.time();
    copies.put(
        new Copy(event.copy(), type),
        time,
        new Digest.Handles(
            type,
            event.number("opened"),
            event.number("closed"),
            event.number("forgotten"),
            event.number("open")));
    return copies.all().stream().mapToLong(Digest.Handles::open).sum();
  }

  /**
   * A line that opened handles which are open; only openings whose stack was recorded count.
   *
   * @param bytes what they say that they hold
   */
  public record Site(CallSite at, long open, long bytes) {}

  void site(Fields row) {
    sites.put(
        new Leak(row.text("type"), row.text("site"), ""),
        row.time(),
        new Site(new CallSite(row.lines("site")), row.number("open"), row.number("bytes")));
  }

  /** Those of a type, by bytes and then by number. */
  public List<Site> sites(String type) {
    List<Site> all = new ArrayList<>();
    for (Leak key : sites.keys()) {
      Site site = sites.get(key);
      if (key.type().equals(type) && site != null && site.open() > 0) {
        all.add(site);
      }
    }
    all.sort(Comparator.comparingLong(Site::bytes).thenComparingLong(Site::open).reversed());
    return all;
  }

  void leak(Fields event) {
    Leak leak = new Leak(event.text("type"), event.text("site"), event.text("level"));
    leaks.merge(leak, event.number("count"), Long::sum);
  }

  /**
   * By type. A program that ends may have told of what was forgotten, but not have counted once
   * more.
   */
  public List<Digest.Handles> handles() {
    return Stream.concat(
            copies.all().stream().map(Digest.Handles::type),
            leaks.keySet().stream().map(Leak::type))
        .distinct()
        .sorted()
        .map(this::sum)
        .toList();
  }

  private Digest.Handles sum(String type) {
    List<Digest.Handles> its =
        copies.all().stream().filter(copy -> copy.type().equals(type)).toList();
    long closed = its.stream().mapToLong(Digest.Handles::closed).sum();
    long forgotten = its.stream().mapToLong(Digest.Handles::forgotten).sum();
    long told =
        leaks.entrySet().stream()
            .filter(leak -> leak.getKey().type().equals(type))
            .mapToLong(Map.Entry::getValue)
            .sum();
    long later = Math.max(0, told - forgotten);
    return new Digest.Handles(
        type,
        Math.max(its.stream().mapToLong(Digest.Handles::opened).sum(), closed + forgotten + later),
        closed,
        forgotten + later,
        Math.max(0, its.stream().mapToLong(Digest.Handles::open).sum() - later));
  }

  /** Sets which classes are the program's own. */
  void areOf(dev.offcut.rules.Program its) {
    program = its;
  }

  /** The most forgotten first. */
  public List<Digest.HandleLeak> leaks() {
    List<Digest.HandleLeak> all = new ArrayList<>();
    leaks.forEach(
        (leak, count) -> {
          List<String> frames = leak.site().lines().toList();
          int own = KnownLibraries.own(frames, program);
          all.add(new Digest.HandleLeak(leak.type(), count, frames, own, leak.level()));
        });
    all.sort(Comparator.comparingLong(Digest.HandleLeak::count).reversed());
    return all;
  }
}
