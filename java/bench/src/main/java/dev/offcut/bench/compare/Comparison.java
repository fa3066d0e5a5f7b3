package dev.offcut.bench.compare;

import dev.offcut.bench.Sides;
import dev.offcut.bench.compare.Change.Verdict;
import dev.offcut.bench.read.FileRow;
import dev.offcut.bench.read.RunFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Two runs of one suite.
 *
 * @param differs facts about the runs that are not the same: as {@code cpu: this → that}
 * @param changes what both have, what is to be acted on first
 * @param onlyBase rows that the new run lacks
 * @param onlyNow rows that the base lacks
 */
record Comparison(
    RunFile base,
    RunFile now,
    List<String> differs,
    List<Change> changes,
    List<FileRow> onlyBase,
    List<FileRow> onlyNow) {
  /** What makes absolute values of two runs hard to compare. */
  private static final List<String> FACTS =
      List.of("quick", "runtime", "cpu", "cpus", "memory_bytes", "os", "arch");

  static Comparison of(RunFile base, RunFile now, Sides sides) {
    Map<FileRow.Key, FileRow> rest = new LinkedHashMap<>();
    now.rows().forEach(row -> rest.put(row.key(), row));
    List<Change> changes = new ArrayList<>();
    List<FileRow> onlyBase = new ArrayList<>();
    for (FileRow row : base.rows()) {
      FileRow other = rest.remove(row.key());
      if (other == null) {
        onlyBase.add(row);
      } else {
        changes.add(Change.of(row, other, sides));
      }
    }
    changes.sort(Comparator.comparing(Change::verdict)); // stable: else in the order of the file
    List<FileRow> onlyNow = new ArrayList<>(rest.values());
    return new Comparison(base, now, differs(base, now), changes, onlyBase, onlyNow);
  }

  private static List<String> differs(RunFile base, RunFile now) {
    return FACTS.stream()
        .filter(name -> !base.fact(name).equals(now.fact(name)))
        .map(name -> name + ": " + known(base, name) + " → " + known(now, name))
        .toList();
  }

  private static String known(RunFile file, String name) {
    return file.fact(name).isEmpty() ? "unknown" : file.fact(name);
  }

  long count(Verdict verdict) {
    return changes.stream().filter(change -> change.verdict() == verdict).count();
  }

  /** What is not the same. */
  List<Change> beyondNoise() {
    return changes.stream().filter(change -> change.verdict() != Verdict.SAME).toList();
  }
}
