package dev.offcut.fleet;

import dev.offcut.command.read.Failure;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The files of a fleet that cannot be read, and the sets of files that lack one. A set is all files
 * of one hash. Its sources do not count if one of its files is damaged or missing, because their
 * sums would be too small.
 */
final class Damage {
  private final Set<String> hashes = new HashSet<>();

  /** A sentence for each file or set, by name. */
  private final Map<String, String> problems = new TreeMap<>();

  /** Reads all files to their end; returns whether one more turned out to be damaged. */
  boolean search(Fleet fleet, Engine engine) throws Failure {
    int before = problems.size();
    for (FleetTable table : FleetTable.values()) {
      for (Fleet.Held file : fleet.files(table)) {
        if (!problems.containsKey(file.name())) {
          String problem = engine.problem(file.part(Set.of()));
          if (!problem.isEmpty() && fleet.store().isThere(file.name())) {
            add(
                file.hash(),
                file.name(),
                "is damaged (" + problem + "), so its sources are left out",
                "delete the file");
          }
        }
      }
    }
    return problems.size() > before;
  }

  /**
   * Finds sets that lack a file.
   *
   * @param needed by hash: of how many files besides that of {@code processes} a set was made
   */
  void findMissing(Map<String, Long> needed, Collection<List<Fleet.Held>> tables) {
    Map<String, Long> there = new HashMap<>();
    for (List<Fleet.Held> files : tables) {
      for (Fleet.Held file : files) {
        if (file.table() != FleetTable.PROCESSES) {
          there.merge(file.hash(), 1L, Long::sum);
        }
      }
    }
    needed.forEach(
        (hash, count) -> {
          long left = there.getOrDefault(hash, 0L);
          if (left < count) {
            add(
                hash,
                hash + Fleet.ENDING,
                ("lacks %s of its %s files beside the one in processes, so its sources are"
                        + " left out")
                    .formatted(count - left, count),
                "delete its other files");
          }
        });
  }

  /** Finds files that no file of {@code processes} has a name for. */
  void findOrphans(Fleet fleet) throws Failure {
    Set<String> known = new HashSet<>();
    fleet.files(FleetTable.PROCESSES).forEach(file -> known.add(file.hash()));
    for (FleetTable table : FleetTable.values()) {
      for (Fleet.Held file : fleet.files(table)) {
        if (!known.contains(file.hash())) {
          add(
              file.hash(),
              file.name(),
              "does not count: processes has no file of this name; it is missing, or adding it was"
                  + " interrupted",
              "keep the file");
        }
      }
    }
  }

  private void add(String hash, String name, String what, String first) {
    hashes.add(hash);
    problems.put(name, name + " " + what + ". To do: " + first + ", and add its sources again.");
  }

  /** Whether all files of a set can be read, as far as is known. */
  boolean isWhole(String hash) {
    return !hashes.contains(hash);
  }

  /** What is wrong, a sentence each. */
  List<String> problems() {
    return List.copyOf(problems.values());
  }
}
