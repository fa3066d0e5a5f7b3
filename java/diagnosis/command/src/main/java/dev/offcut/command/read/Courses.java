package dev.offcut.command.read;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** How many resources of each line of the program were open over time, as the agent tells it. */
public final class Courses {
  /** Of a point the low bits are how many were open, the others are milliseconds since 1970. */
  private static final int OPEN_BITS = 20;

  private static final long MOST_OPEN = (1 << OPEN_BITS) - 1;

  private static final Course UNKNOWN = new Course("", "", false, new TreeMap<>());

  private record Place(String kind, String site) {}

  private final Map<Place, Fields> rows = new HashMap<>();

  void row(Fields row) {
    rows.put(new Place(row.text("kind"), row.text("site")), row);
  }

  /**
   * Who owns what a line opened, and how many were open over time.
   *
   * @param owner the class in whose constructor they were opened; empty if there is none
   * @param ender its method that ends it; empty if none is known
   * @param isPooled whether a pool of the JDK opened them when it needed them
   */
  public record Course(String owner, String ender, boolean isPooled, TreeMap<Double, Long> open) {
    /** How many were open at a time, in seconds of the program. */
    public long at(double second) {
      Map.Entry<Double, Long> before = open.floorEntry(second);
      return before == null ? 0 : before.getValue();
    }

    /** Whether it has points. */
    public boolean isKnown() {
      return !open.isEmpty();
    }

    /** The most that were open at once. */
    public long peak() {
      return open.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }
  }

  /** That of all stacks of a site; without points if it is not known. */
  Course of(Digest.Site site, ToDoubleFunction<Instant> seconds) {
    List<Fields> its = new ArrayList<>();
    for (Digest.Path way : site.ways()) {
      Fields row = rows.get(new Place(site.kind(), String.join("\n", way.frames())));
      if (row != null) {
        its.add(row);
      }
    }
    if (its.isEmpty()) {
      return UNKNOWN;
    }
    TreeMap<Double, Long> changes = new TreeMap<>();
    for (Fields row : its) {
      long before = 0;
      for (int i = 0; i < row.number("points"); i++) {
        long point = row.number("p" + i);
        double time = seconds.applyAsDouble(Instant.ofEpochMilli(point >> OPEN_BITS));
        changes.merge(time, (point & MOST_OPEN) - before, Long::sum);
        before = point & MOST_OPEN;
      }
    }
    long open = 0;
    for (Map.Entry<Double, Long> change : changes.entrySet()) {
      open += change.getValue();
      change.setValue(open);
    }
    String[] owner = its.getFirst().text("owner").split("\n", -1);
    return new Course(
        owner[0],
        owner.length > 1 ? owner[1] : "",
        owner.length > 2 && !owner[2].isEmpty(),
        changes);
  }
}
