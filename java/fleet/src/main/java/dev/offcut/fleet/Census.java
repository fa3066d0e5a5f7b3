package dev.offcut.fleet;

import dev.offcut.cli.source.Failure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which sources of a fleet count, and in which files. {@code spec/fleet.md} has the rule:
 *
 * <ol>
 *   <li>A file counts if {@code processes} has a file of the same name.
 *   <li>A source that is in several files counts in the one with the most sources; of those in the
 *       one whose name comes first.
 *   <li>Of several sources of one process, the one counts that reaches furthest; of those the one
 *       with the most windows, then the one that was added last, then the one whose name comes
 *       first.
 * </ol>
 */
public final class Census {
  private static final String SOURCES =
      "SELECT source, process, until_ms, windows, added_ms, schema, file, main FROM processes";

  /** A source in a file. */
  record Entry(
      String source,
      String process,
      long untilMs,
      long windows,
      long addedMs,
      String file,
      String main) {}

  private static final Comparator<Entry> BEST_FIRST =
      Comparator.comparingLong(Entry::untilMs)
          .thenComparingLong(Entry::windows)
          .thenComparingLong(Entry::addedMs)
          .reversed()
          .thenComparing(Entry::source);

  private final List<Entry> entries = new ArrayList<>();
  private final Map<String, List<Entry>> byFile = new TreeMap<>();
  private final Map<String, Entry> bySource = new HashMap<>();
  private final Set<Entry> counting = new HashSet<>();

  private Census() {}

  /** Opens the tables of a fleet, as far as they count; returns what it found. */
  public static Census open(Fleet fleet, Engine engine) throws Failure {
    List<Fleet.Held> files = fleet.files(FleetTable.PROCESSES);
    engine.open(FleetTable.PROCESSES, files.stream().map(file -> file.part(Set.of())).toList());
    Census census = new Census();
    for (List<@Nullable Object> row : engine.query(SOURCES).rows()) {
      Fleet.checkSchema(fleet.folder() + " has rows that", number(row.get(5)));
      census.entries.add(
          new Entry(
              text(row.get(0)),
              text(row.get(1)),
              number(row.get(2)),
              number(row.get(3)),
              number(row.get(4)),
              text(row.get(6)),
              text(row.get(7))));
    }
    census.choose();
    for (FleetTable table : FleetTable.values()) {
      engine.open(table, census.parts(fleet.files(table)));
    }
    return census;
  }

  private void choose() {
    for (Entry entry : entries) {
      byFile.computeIfAbsent(entry.file, made -> new ArrayList<>()).add(entry);
    }
    for (Entry entry : entries) {
      bySource.merge(entry.source, entry, this::inBetterFile);
    }
    Map<String, Entry> byProcess = new HashMap<>();
    for (Entry entry : bySource.values()) {
      byProcess.merge(
          entry.process, entry, (one, other) -> BEST_FIRST.compare(one, other) <= 0 ? one : other);
    }
    counting.addAll(byProcess.values());
  }

  private Entry inBetterFile(Entry one, Entry other) {
    int size = Integer.compare(sources(other.file), sources(one.file));
    return size < 0 || (size == 0 && one.file.compareTo(other.file) <= 0) ? one : other;
  }

  private int sources(String file) {
    return byFile.getOrDefault(file, List.of()).size();
  }

  /** The files that count, and what in them does not. */
  List<Engine.Part> parts(List<Fleet.Held> files) {
    List<Engine.Part> parts = new ArrayList<>();
    for (Fleet.Held file : files) {
      List<Entry> inside = byFile.getOrDefault(file.hash(), List.of());
      Set<String> without = new HashSet<>();
      inside.stream()
          .filter(entry -> !counting.contains(entry))
          .forEach(entry -> without.add(entry.source));
      if (without.size() < inside.size()) {
        parts.add(file.part(without));
      }
    }
    return parts;
  }

  /** The sources that are there, whether they count or not. */
  public Set<String> sources() {
    return Collections.unmodifiableSet(bySource.keySet());
  }

  /** Refuses what looks like a process that is there, but is another program. */
  public void checkSameProgram(Rows.Process process) throws Failure {
    for (Entry entry : entries) {
      if (entry.process.equals(process.process()) && !entry.main.equals(process.main())) {
        throw Failure.unreadable(
            process.name()
                + ": the fleet has another program ("
                + entry.main
                + ") with the PID "
                + process.pid()
                + ", on the host "
                + process.host()
                + ", that began at the same time; tell the hosts apart with --host");
      }
    }
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
