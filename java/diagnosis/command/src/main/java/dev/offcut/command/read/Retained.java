package dev.offcut.command.read;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What a program opened between two marks and still holds: two of its digests, one less the other.
 */
public final class Retained {
  private Retained() {}

  /**
   * What is known of a kind.
   *
   * @param now at the second mark
   * @param opened between the marks
   * @param ended between the marks, whenever it was opened
   * @param count how many of those opened between the marks are held
   * @param bytes of these
   */
  public record Kind(Digest.Kind now, long opened, long ended, Range count, Range bytes) {
    public boolean hasBytes() {
      return now.openedBytes() > 0;
    }
  }

  /**
   * How much of what is held was opened in between. What is held more is new; what was opened
   * before and ended in between may have made room for as much again.
   */
  public record Range(long least, long most) {
    static Range of(long before, long now, long opened) {
      long least = Math.max(0, now - before);
      return new Range(least, Math.max(least, Math.min(now, opened)));
    }

    public boolean isExact() {
      return least == most;
    }
  }

  /**
   * A call site that holds more.
   *
   * @param now at the second mark
   * @param bytes that it holds more
   * @param count how many resources it holds more
   */
  public record Site(Digest.Site now, long bytes, long count) {}

  /** Kinds of which something is held, the most bytes first. */
  public static List<Kind> kinds(Digest first, Digest second) {
    Map<String, Digest.Kind> before = byName(first.kinds(), Digest.Kind::kind);
    List<Kind> all = new ArrayList<>();
    for (Digest.Kind now : second.kinds()) {
      Digest.Kind was =
          before.getOrDefault(now.kind(), new Digest.Kind(now.kind(), 0, 0, 0, 0, 0, 0, 0, 0, 0));
      long opened = now.opened() - was.opened();
      Range count = Range.of(was.open() + was.lost(), now.open() + now.lost(), opened);
      if (count.most() > 0) {
        all.add(
            new Kind(
                now,
                opened,
                now.closed() + now.collected() - was.closed() - was.collected(),
                count,
                Range.of(held(was), held(now), now.openedBytes() - was.openedBytes())));
      }
    }
    all.sort(
        Comparator.<Kind>comparingLong(kind -> kind.bytes().least())
            .thenComparingLong(kind -> kind.bytes().most())
            .thenComparingLong(kind -> kind.count().least())
            .reversed());
    return all;
  }

  /** Call sites of the second digest that hold more than in the first, the most bytes first. */
  public static List<Site> sites(Digest first, Digest second) {
    Map<String, Digest.Site> before = byName(first.sites(), Retained::key);
    List<Site> all = new ArrayList<>();
    for (Digest.Site site : second.sites()) {
      Digest.Site was = before.get(key(site));
      long bytes = held(site) - (was == null ? 0 : held(was));
      long count = site.open() + site.lost() - (was == null ? 0 : was.open() + was.lost());
      // Some kinds have no bytes.
      if (bytes > 0 || (count > 0 && held(site) == 0)) {
        all.add(new Site(site, bytes, count));
      }
    }
    all.sort(Comparator.comparingLong(Site::bytes).thenComparingLong(Site::count).reversed());
    return all;
  }

  public static <T> Map<String, T> byName(List<T> all, Function<T, String> name) {
    Map<String, T> map = new LinkedHashMap<>();
    all.forEach(one -> map.put(name.apply(one), one));
    return map;
  }

  private static long held(Digest.Kind kind) {
    return kind.bytes() + kind.lostBytes();
  }

  private static long held(Digest.Site site) {
    return site.bytes() + site.lostBytes();
  }

  private static String key(Digest.Site site) {
    List<String> frames = site.frames();
    boolean isLine = !frames.isEmpty() && !KnownLibraries.isNative(frames.getFirst());
    return site.kind() + "\n" + (isLine ? site.at().own() : String.join("\n", frames));
  }
}
