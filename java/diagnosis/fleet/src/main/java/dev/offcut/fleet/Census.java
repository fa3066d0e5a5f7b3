package dev.offcut.fleet;

import dev.offcut.command.read.Failure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which sources of a fleet count, and in which files. {@code spec/fleet.md} has the rule:
 *
 * <ol>
 *   <li>A file counts if {@code processes} has a file of the same name.
 *   <li>A source that is in several files counts in the one with the most sources; of those in the
 *       one whose name comes last.
 *   <li>Of several sources of one process, the one counts that reaches furthest; of those the one
 *       with the most windows, then the one that was added last, then the one whose name comes
 *       first.
 * </ol>
 */
public final class Census {
  private static final String SOURCES =
      "SELECT source, process, until_ms, windows, added_ms, schema, file, main, host, pid,"
          + " start_ms, origin, files FROM processes";

  /** Whoever compacts deletes files at its end, which takes some seconds if there are many. */
  private static final int MOST_TURNS = 300;

  private static final long PAUSE_MS = 100;

  /**
   * Flight Recorder notes the start of a JVM somewhat later than the JVM's own counter, from which
   * the agent's tables have it.
   */
  private static final long MOST_BETWEEN_STARTS_MS = 2_000;

  /** A source in a file. */
  record Entry(
      String source,
      String process,
      long untilMs,
      long windows,
      long addedMs,
      String file,
      String main,
      String host,
      long pid,
      long startMs,
      boolean recorded) {
    /** Whether they are of one process, whose start one of them has from a recording alone. */
    boolean isSameAs(Entry recording) {
      return host.equals(recording.host)
          && pid == recording.pid
          && main.equals(recording.main)
          && Math.abs(startMs - recording.startMs) <= MOST_BETWEEN_STARTS_MS;
    }
  }

  private static final Comparator<Entry> BEST_FIRST =
      Comparator.comparingLong(Entry::untilMs)
          .thenComparingLong(Entry::windows)
          .thenComparingLong(Entry::addedMs)
          .reversed()
          .thenComparing(Entry::source);

  private final List<Entry> entries = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final Map<String, List<Entry>> byFile = new TreeMap<>();
  private final Map<String, Entry> bySource = new HashMap<>();
  private final Set<Entry> counting = new HashSet<>();

  private Census() {}

  /**
   * Opens the tables of a fleet, as far as they count; returns what it found. Files of {@code
   * processes} are deleted before the others of their hash: if those that were read are still there
   * when all others have been listed, none of the others was missing in the list.
   */
  public static Census open(Fleet fleet, Engine engine) throws Failure {
    return open(fleet, engine, new Damage());
  }

  private static Census open(Fleet fleet, Engine engine, Damage damage) throws Failure {
    for (int turn = 1; ; turn++) {
      List<Fleet.Held> files = fleet.files(FleetTable.PROCESSES);
      Census census = open(fleet, engine, files, damage);
      if (new HashSet<>(fleet.files(FleetTable.PROCESSES)).containsAll(files)) {
        return census;
      }
      pause(fleet, turn);
    }
  }

  private static Census open(Fleet fleet, Engine engine, List<Fleet.Held> files, Damage damage)
      throws Failure {
    for (FleetTable table : FleetTable.values()) {
      engine.open(table, List.of()); // what an earlier turn found may be deleted by now
    }
    Census census = new Census();
    engine.open(
        FleetTable.PROCESSES,
        files.stream()
            .filter(file -> damage.isWhole(file.hash()))
            .map(file -> file.part(Set.of()))
            .toList());
    Map<String, Long> needed = new TreeMap<>();
    for (List<@Nullable Object> row : engine.query(SOURCES).rows()) {
      needed.merge(text(row.get(6)), number(row.get(12)), Math::max);
      Fleet.checkSchema("a file in " + fleet.place(), number(row.get(5)));
      census.entries.add(
          new Entry(
              text(row.get(0)),
              text(row.get(1)),
              number(row.get(2)),
              number(row.get(3)),
              number(row.get(4)),
              text(row.get(6)),
              text(row.get(7)),
              text(row.get(8)),
              number(row.get(9)),
              number(row.get(10)),
              text(row.get(11)).contains("recording")));
    }
    Map<FleetTable, List<Fleet.Held>> others = new EnumMap<>(FleetTable.class);
    for (FleetTable table : FleetTable.values()) {
      others.put(table, fleet.files(table));
    }
    damage.findMissing(needed, others.values());
    census.entries.removeIf(entry -> !damage.isWhole(entry.file));
    census.problems.addAll(damage.problems());
    census.choose();
    for (FleetTable table : FleetTable.values()) {
      engine.open(table, census.parts(others.getOrDefault(table, List.of())));
    }
    return census;
  }

  /** What is done with the tables of a fleet. */
  public interface Work<T> {
    T with(Census census) throws Failure;
  }

  /**
   * Opens the tables of a fleet and does something with them; again, if somebody compacted the
   * fleet meanwhile and so deleted files that were to be read, and without the sources in files
   * that turn out to be damaged.
   */
  public static <T> T with(Fleet fleet, Engine engine, Work<T> work) throws Failure {
    Damage damage = new Damage();
    for (int turn = 1; ; turn++) {
      List<Fleet.Held> before = fleet.files(FleetTable.PROCESSES);
      try {
        return work.with(open(fleet, engine, damage));
      } catch (Failure e) {
        if (!before.equals(fleet.files(FleetTable.PROCESSES))) {
          pause(fleet, turn);
        } else if (!engine.mayBeDamage(e) || !damage.search(fleet, engine)) {
          throw e;
        }
      }
    }
  }

  private static void pause(Fleet fleet, int turn) throws Failure {
    try {
      Thread.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.other("interrupted");
    }
    if (turn == MOST_TURNS) {
      throw Failure.other(
          "files of " + fleet.place() + " are deleted all the time; try again when that has ended");
    }
  }

  private void choose() {
    for (Entry entry : entries) {
      byFile.computeIfAbsent(entry.file, made -> new ArrayList<>()).add(entry);
    }
    for (Entry entry : entries) {
      bySource.merge(entry.source, entry, this::inBetterFile);
    }
    Map<String, Entry> byProcess = new HashMap<>();
    Map<Long, List<Entry>> recordings = new HashMap<>();
    for (Entry entry : bySource.values()) {
      if (entry.recorded) {
        recordings.computeIfAbsent(entry.pid, made -> new ArrayList<>()).add(entry);
      }
    }
    for (Entry entry : bySource.values()) {
      byProcess.merge(
          process(entry, recordings.getOrDefault(entry.pid, List.of())),
          entry,
          (one, other) -> BEST_FIRST.compare(one, other) <= 0 ? one : other);
    }
    counting.addAll(byProcess.values());
  }

  /** The process of a source: that of the recording beside which it was left, if there is one. */
  private static String process(Entry entry, List<Entry> recordings) {
    if (entry.recorded) {
      return entry.process;
    }
    return recordings.stream()
        .filter(entry::isSameAs)
        .min(
            Comparator.<Entry>comparingLong(
                    recording -> Math.abs(recording.startMs - entry.startMs))
                .thenComparing(Entry::process))
        .map(Entry::process)
        .orElse(entry.process);
  }

  private Entry inBetterFile(Entry one, Entry other) {
    int size = Integer.compare(sources(other.file), sources(one.file));
    return size < 0 || (size == 0 && one.file.compareTo(other.file) >= 0) ? one : other;
  }

  /**
   * The files that count, and what in them does not. Frames are those of their hash, whosever they
   * are.
   */
  public List<Engine.Part> parts(List<Fleet.Held> files) {
    List<Engine.Part> parts = new ArrayList<>();
    for (Fleet.Held file : files) {
      List<Entry> inside = byFile.getOrDefault(file.hash(), List.of());
      Set<String> without = new HashSet<>();
      inside.stream()
          .filter(entry -> !counting.contains(entry))
          .forEach(entry -> without.add(entry.source));
      if (without.size() < inside.size()) {
        parts.add(file.part(file.table() == FleetTable.STACKS ? Set.of() : without));
      }
    }
    return parts;
  }

  /** The sources in a file that count there; none if there is no such file. */
  public Set<String> countingIn(String file) {
    Set<String> all = new TreeSet<>();
    byFile.getOrDefault(file, List.of()).stream()
        .filter(counting::contains)
        .forEach(entry -> all.add(entry.source));
    return all;
  }

  /** The sources in a file that end before a time. */
  public Set<String> endingBefore(String file, long ms) {
    Set<String> all = new TreeSet<>();
    byFile.getOrDefault(file, List.of()).stream()
        .filter(entry -> entry.untilMs < ms)
        .forEach(entry -> all.add(entry.source));
    return all;
  }

  /** How many sources are in a file, whether they count or not; 0 if the file does not count. */
  public int sources(String file) {
    return byFile.getOrDefault(file, List.of()).size();
  }

  /** The sources that are there, whether they count or not. */
  public Set<String> sources() {
    return Collections.unmodifiableSet(bySource.keySet());
  }

  /** Reads all files to their end. Returns what is wrong with them, a sentence each. */
  public static List<String> check(Fleet fleet, Engine engine) throws Failure {
    Damage damage = new Damage();
    damage.search(fleet, engine);
    open(fleet, engine, damage);
    damage.findOrphans(fleet);
    return damage.problems();
  }

  /** Files that are damaged or missing, a sentence each. Their sources do not count. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  /** How many sources count: one of each process. */
  public int counting() {
    return counting.size();
  }

  private static String text(@Nullable Object value) {
    return String.valueOf(value);
  }

  private static long number(@Nullable Object value) {
    return value instanceof Number number ? number.longValue() : 0;
  }
}
