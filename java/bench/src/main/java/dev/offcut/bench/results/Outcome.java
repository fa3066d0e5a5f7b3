package dev.offcut.bench.results;

import dev.offcut.bench.read.RunFile;
import dev.offcut.bench.read.UnreadableFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of one run of a suite. A suite that failed may have rows all the same: those it got to.
 *
 * @param folder where it is kept
 * @param run null if there are no rows
 * @param failure why it has none, or not all of them; null if all is there
 * @param printed what the suite said, line by line; empty if that was not kept
 */
record Outcome(
    Path folder,
    String suite,
    @Nullable RunFile run,
    @Nullable String failure,
    List<String> printed) {
  /** What is kept of it in a folder. */
  static Outcome of(Path folder, String suite) {
    Path json = folder.resolve(suite + ".json");
    String failure = text(folder.resolve(suite + ".failed"));
    List<String> printed = text(folder.resolve(suite + ".txt")).lines().toList();
    if (!Files.exists(json)) {
      String why = failure.isEmpty() ? "there is no " + suite + ".json" : failure;
      return new Outcome(folder, suite, null, why, printed);
    }
    try {
      RunFile run = RunFile.read(json);
      if (!run.suite().equals(suite)) {
        String why = suite + ".json is of suite " + run.suite();
        return new Outcome(folder, suite, null, why, printed);
      }
      return new Outcome(folder, suite, run, failure.isEmpty() ? null : failure, printed);
    } catch (UnreadableFileException e) {
      return new Outcome(
          folder, suite, null, failure.isEmpty() ? e.getMessage() : failure, printed);
    }
  }

  /** The names of the files that it may consist of, and pages are made from. */
  List<String> files() {
    List<String> names = new ArrayList<>();
    for (String ending : List.of(".json", ".txt", ".failed")) {
      names.add(suite + ending);
    }
    if (suite.equals("objectstream")) {
      names.addAll(Headlines.profiles());
    }
    return names;
  }

  private static String text(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file).strip() : "";
    } catch (IOException e) {
      return "";
    }
  }
}
