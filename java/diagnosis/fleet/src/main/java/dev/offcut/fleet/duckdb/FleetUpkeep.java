package dev.offcut.fleet.duckdb;

import dev.offcut.command.read.Failure;
import dev.offcut.command.read.Figures;
import dev.offcut.fleet.Census;
import dev.offcut.fleet.Fleet;
import dev.offcut.fleet.Fleet.Held;
import dev.offcut.fleet.FleetTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Makes few large files of many small ones, and takes out what is old. At each moment each source
 * counts once: a new file counts when its rows of {@code processes} are there, and only then files
 * are deleted of which nothing counts any more. Several may do this at once.
 */
public final class FleetUpkeep {
  /**
   * Large enough that opening a file is little of reading it; small enough to be sorted in memory.
   */
  private static final long FULL_BYTES = 64L << 20;

  /** What is written is deleted if it does not count after this time: its writer is dead. */
  private static final long ABANDONED_MS = 24 * 3600_000L;

  /** What was there, and what is there now. */
  public record Done(
      int filesBefore, int filesAfter, long bytesBefore, long bytesAfter, int dropped) {
    /** For people. */
    public String sentence() {
      return "%s with %s before, %s with %s now"
          .formatted(
              Figures.count(filesBefore, "file"),
              Figures.bytes(bytesBefore),
              Figures.count(filesAfter, "file"),
              Figures.bytes(bytesAfter));
    }
  }

  private final Fleet fleet;
  private final Connection database;
  private final DuckDbEngine engine;
  private final Consumer<String> progress;

  /** The files that were there at the beginning. */
  private final Map<FleetTable, List<Held>> files = new EnumMap<>(FleetTable.class);

  private FleetUpkeep(Fleet fleet, DuckDbEngine engine, Consumer<String> progress) {
    this.fleet = fleet;
    this.engine = engine;
    this.database = engine.database();
    this.progress = progress;
  }

  /** Joins the files of each day and service. {@code progress} hears sentences. */
  public static Done compact(Fleet fleet, Consumer<String> progress) throws Failure {
    return run(fleet, progress, Long.MIN_VALUE);
  }

  /** Takes out the processes that ended before a time, then compacts. */
  public static Done drop(Fleet fleet, long beforeMs, Consumer<String> progress) throws Failure {
    return run(fleet, progress, beforeMs);
  }

  private static Done run(Fleet fleet, Consumer<String> progress, long beforeMs) throws Failure {
    try (DuckDbEngine engine = DuckDbEngine.open()) {
      FleetUpkeep upkeep = new FleetUpkeep(fleet, engine, progress);
      long[] before = upkeep.size();
      int dropped = Census.with(fleet, engine, census -> upkeep.compact(census, beforeMs));
      long[] after = upkeep.size();
      return new Done((int) before[0], (int) after[0], before[1], after[1], dropped);
    }
  }

  private long[] size() throws Failure {
    long files = 0;
    long bytes = 0;
    for (FleetTable table : FleetTable.values()) {
      for (Held file : fleet.files(table)) {
        files++;
        bytes += file.bytes();
      }
    }
    return new long[] {files, bytes};
  }

  /** A day and a service of the table of processes. */
  private record Place(LocalDate date, String service) {}

  private int compact(Census census, long beforeMs) throws Failure {
    files.clear();
    for (FleetTable table : FleetTable.values()) {
      files.put(table, fleet.files(table));
    }
    Map<String, List<Held>> byHash = byHash();
    Map<Place, List<Held>> places =
        new TreeMap<>(Comparator.comparing(Place::date).thenComparing(Place::service));
    for (Held file : files(FleetTable.PROCESSES)) {
      places
          .computeIfAbsent(new Place(file.date(), file.service()), made -> new ArrayList<>())
          .add(file);
    }
    Set<String> replaced = new HashSet<>();
    int dropped = 0;
    int done = 0;
    for (Map.Entry<Place, List<Held>> place : places.entrySet()) {
      List<String> batch = new ArrayList<>();
      long bytes = 0;
      for (Held file : place.getValue()) {
        if (census.sources(file.hash()) == 0) {
          continue; // it came after the census
        }
        Set<String> kept = new TreeSet<>(census.countingIn(file.hash()));
        Set<String> old = census.endingBefore(file.hash(), beforeMs);
        boolean loses = kept.size() < census.sources(file.hash()) || !old.isEmpty();
        dropped += (int) kept.stream().filter(old::contains).count();
        long size = bytes(byHash, file.hash());
        if (size >= FULL_BYTES && !loses) {
          continue;
        }
        batch.add(file.hash());
        bytes += size;
        if (bytes >= FULL_BYTES) {
          join(census, place.getKey(), batch, beforeMs, replaced);
          batch.clear();
          bytes = 0;
        }
      }
      join(census, place.getKey(), batch, beforeMs, replaced);
      done++;
      progress.accept(
          Figures.count(done) + " of " + Figures.count(places.size()) + " days of services");
    }
    delete(replaced);
    deleteAbandoned();
    return dropped;
  }

  private Map<String, List<Held>> byHash() {
    Map<String, List<Held>> all = new HashMap<>();
    for (FleetTable table : FleetTable.values()) {
      for (Held file : files(table)) {
        all.computeIfAbsent(file.hash(), made -> new ArrayList<>()).add(file);
      }
    }
    return all;
  }

  private static long bytes(Map<String, List<Held>> byHash, String hash) {
    return byHash.getOrDefault(hash, List.of()).stream().mapToLong(Held::bytes).sum();
  }

  /** Writes what is kept of some files as one; the files are then replaced. */
  private void join(
      Census census, Place place, List<String> hashes, long beforeMs, Set<String> replaced)
      throws Failure {
    TreeSet<String> kept = new TreeSet<>();
    int inside = 0;
    for (String hash : hashes) {
      kept.addAll(census.countingIn(hash));
      kept.removeAll(census.endingBefore(hash, beforeMs));
      inside += census.sources(hash);
    }
    if (hashes.isEmpty() || (hashes.size() == 1 && kept.size() == inside)) {
      return;
    }
    String target = fleet.nameOf(kept);
    if (!kept.isEmpty() && !hashes.contains(target)) {
      int written = 0;
      for (FleetTable table : FleetTable.PROCESSES_LAST) {
        if (table == FleetTable.PROCESSES) {
          checkNothingIsGone();
        }
        written += write(census, table, place, Set.copyOf(hashes), kept, target, written);
      }
    }
    hashes.stream().filter(hash -> !hash.equals(target)).forEach(replaced::add);
  }

  /**
   * Whoever deletes files deletes those of {@code processes} first. As long as these are there, the
   * others were there when they were read.
   */
  private void checkNothingIsGone() throws Failure {
    if (!new HashSet<>(fleet.files(FleetTable.PROCESSES))
        .containsAll(files(FleetTable.PROCESSES))) {
      throw Failure.other("another compaction of " + fleet.place() + " runs; try again later");
    }
  }

  private List<Held> files(FleetTable table) {
    return files.getOrDefault(table, List.of());
  }

  /**
   * Writes the rows of a table; returns how many files that were.
   *
   * @param others how many files of other tables were written before
   */
  private int write(
      Census census,
      FleetTable table,
      Place place,
      Set<String> hashes,
      Set<String> kept,
      String target,
      int others)
      throws Failure {
    Map<LocalDate, List<Held>> days = new TreeMap<>();
    for (Held file : files(table)) {
      if (hashes.contains(file.hash()) && file.service().equals(place.service())) {
        days.computeIfAbsent(file.date(), made -> new ArrayList<>()).add(file);
      }
    }
    for (Map.Entry<LocalDate, List<Held>> day : days.entrySet()) {
      String select =
          "SELECT %s FROM (%s)"
              .formatted(
                  table.columns().stream()
                      .map(DuckDbEngine::name)
                      .collect(Collectors.joining(", ")),
                  engine.select(table, census.parts(day.getValue())));
      String sources =
          kept.stream().map(DuckDbEngine::quoted).collect(Collectors.joining(", ", "(", ")"));
      String rows =
          table == FleetTable.STACKS
              ? "SELECT min(source) AS source, stack, min(line) AS line, min(frames) AS frames FROM ("
                  + select
                  + ") GROUP BY stack ORDER BY stack"
              : "SELECT *"
                  + DuckDbWriter.counted(table, others)
                  + " FROM ("
                  + select
                  + ") WHERE source IN "
                  + sources
                  + DuckDbWriter.order(table);
      try (Statement statement = database.createStatement()) {
        DuckDbWriter.copy(
            fleet, statement, rows, Fleet.file(table, day.getKey(), place.service(), target));
      } catch (SQLException e) {
        throw DuckDbWriter.cannotWrite(fleet, e);
      }
    }
    return days.size();
  }

  /** Those of {@code processes} first: without them, the others do not count. */
  private void delete(Set<String> hashes) throws Failure {
    for (FleetTable table : FleetTable.values()) { // processes is the first
      for (Held file : files(table)) {
        if (hashes.contains(file.hash())) {
          file.delete();
        }
      }
    }
  }

  private void deleteAbandoned() throws Failure {
    Set<String> counting =
        fleet.files(FleetTable.PROCESSES).stream().map(Held::hash).collect(Collectors.toSet());
    long before = System.currentTimeMillis() - ABANDONED_MS;
    for (FleetTable table : FleetTable.values()) {
      for (Held file : fleet.files(table)) {
        long written = file.changedMs();
        if (!counting.contains(file.hash()) && written < before) {
          file.delete();
        }
      }
    }
    fleet.store().deleteUnfinished(before);
  }
}
