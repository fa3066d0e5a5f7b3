package dev.offcut.command.read;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** How many resources of each line of the program were open over time, as the agent tells it. */
public final class Courses {
  /** Of a point the low bits are how many were open, the others are milliseconds since 1970. */
  private static final int OPEN_BITS = 20;

  private static final long MOST_OPEN = (1 << OPEN_BITS) - 1;

  /** The number of steps from the program's start to its end. */
  private static final int STEPS = 90;

  private record Place(String kind, String site) {}

  private final Map<Place, Fields> rows = new HashMap<>();

  void row(Fields row) {
    rows.put(new Place(row.text("kind"), row.text("site")), row);
  }

  /**
   * Who owns what a line opened, and how many were open over time.
   *
   * @param owner the class in whose constructor they were opened, or of what the program's call
   *     returned, or of the object that the program called; empty if there is none
   * @param ender its method that ends it; empty if none is known
   * @param traits how the owner is known, and who opened them: words of the agent
   * @param points from the program's start to its end, in equal steps; none if they are not known
   * @param peak the most that were open at once
   */
  public record Course(
      String owner, String ender, Set<String> traits, List<GrowthRates.Point> points, long peak) {
    public static final Course UNKNOWN = new Course("", "", Set.of(), List.of(), 0);

    /** How many were open before the JVM shut down; 0 if that is not known. */
    public long last() {
      return points.isEmpty() ? 0 : points.getLast().bytes();
    }

    public boolean isKnown() {
      return !points.isEmpty();
    }

    /** The owner without its package. */
    public String ownerName() {
      return owner.substring(owner.lastIndexOf('.') + 1);
    }

    /** Whether the owner was made there, or returned by what was called. */
    public boolean isOwned() {
      return !owner.isEmpty() && !traits.contains("receiver");
    }

    /** Whether the owner is known by what the program called alone. */
    public boolean isOfCall() {
      return traits.contains("returned") || traits.contains("receiver");
    }

    /** Whether a pool of the JDK opened them when it needed them. */
    public boolean isPooled() {
      return traits.contains("pool");
    }

    /** Whether they are connections that others opened. */
    public boolean isAccepted() {
      return traits.contains("accepted");
    }

    /** The same, of the owner of another one. */
    public Course of(Course other) {
      Set<String> both = new HashSet<>(traits);
      both.addAll(other.traits);
      return new Course(other.owner, other.ender, both, points, peak);
    }

    /** With those of another line of the same program; the owner is the first's. */
    public Course plus(Course other) {
      if (!isKnown()) {
        return other;
      }
      List<GrowthRates.Point> sums = new ArrayList<>();
      for (int i = 0; i < points.size(); i++) {
        long sum = points.get(i).bytes() + other.points.get(i).bytes();
        sums.add(new GrowthRates.Point(points.get(i).time(), sum));
      }
      return new Course(owner, ender, traits, sums, peak + other.peak);
    }
  }

  /** By how many more are open of a stack at the end than behind the start of the run. */
  long risen(String kind, List<String> frames, Instant began, Instant ended) {
    Fields row = rows.get(new Place(kind, String.join("\n", frames)));
    return row == null ? 0 : GrowthRates.afterStart(of(List.of(row), began, ended).points());
  }

  /** That of all stacks of a site. {@code began}, {@code ended}: the program. */
  Course of(Digest.Site site, Instant began, Instant ended) {
    List<Fields> its = new ArrayList<>();
    for (Digest.Path way : site.ways()) {
      Fields row = rows.get(new Place(site.kind(), String.join("\n", way.frames())));
      if (row != null) {
        its.add(row);
      }
    }
    return its.isEmpty() ? Course.UNKNOWN : of(its, began, ended);
  }

  private static Course of(List<Fields> its, Instant began, Instant ended) {
    TreeMap<Instant, Long> changes = new TreeMap<>();
    for (Fields row : its) {
      long before = 0;
      for (int i = 0; i < row.number("points"); i++) {
        long point = row.number("p" + i);
        Instant time = Instant.ofEpochMilli(point >> OPEN_BITS);
        changes.merge(time, (point & MOST_OPEN) - before, Long::sum);
        before = point & MOST_OPEN;
      }
    }
    TreeMap<Instant, Long> open = new TreeMap<>();
    long now = 0;
    long peak = 0;
    for (Map.Entry<Instant, Long> change : changes.entrySet()) {
      now += change.getValue();
      peak = Math.max(peak, now);
      open.put(change.getKey(), now);
    }
    String[] owner = owner(its);
    return new Course(
        owner[0],
        owner.length > 1 ? owner[1] : "",
        owner.length > 2 ? Set.of(owner[2].split(" ", -1)) : Set.of(),
        open.isEmpty() ? List.of() : points(open, began, ended),
        peak);
  }

  /** That of the first stack of which it is known. */
  private static String[] owner(List<Fields> its) {
    return its.stream()
        .map(row -> row.text("owner").split("\n", -1))
        .filter(owner -> owner.length > 1 && !owner[1].isEmpty())
        .findFirst()
        .orElseGet(() -> its.getFirst().text("owner").split("\n", -1));
  }

  private static List<GrowthRates.Point> points(
      NavigableMap<Instant, Long> open, Instant began, Instant ended) {
    Duration step = Duration.between(began, ended).dividedBy(STEPS);
    List<GrowthRates.Point> points = new ArrayList<>();
    for (int i = 0; i <= STEPS; i++) {
      Instant time = i == STEPS ? ended : began.plus(step.multipliedBy(i));
      Map.Entry<Instant, Long> before = open.floorEntry(time);
      points.add(new GrowthRates.Point(time, before == null ? 0 : before.getValue()));
    }
    return points;
  }
}
