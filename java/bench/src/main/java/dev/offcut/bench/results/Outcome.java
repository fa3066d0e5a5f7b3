package dev.offcut.bench.results;

import dev.offcut.bench.read.RunFile;
import dev.offcut.bench.read.UnreadableFileException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of one run of a suite. A suite that failed may have rows all the same: those it got to.
 *
 * @param folder where it is kept
 * @param name of its files: that of the suite, or of a {@link #parts part}
 * @param run null if there are no rows
 * @param failure why it has none, or not all of them; null if all is there
 * @param printed what the suite said, line by line; empty if that was not kept
 */
record Outcome(
    Path folder,
    String suite,
    String name,
    @Nullable RunFile run,
    @Nullable String failure,
    List<String> printed) {
  /**
   * What is kept of it in a folder. Of a suite that takes hours the cases may be measured in
   * several runs: those after the first are kept as {@code SUITE-2}, {@code SUITE-3} and so on.
   */
  static List<Outcome> parts(Path folder, String suite) {
    List<Outcome> parts = new ArrayList<>();
    for (String name = suite; name != null; name = next(folder, suite, parts.size())) {
      parts.add(in(folder, suite, name));
    }
    return parts;
  }

  private static @Nullable String next(Path folder, String suite, int count) {
    String name = suite + "-" + (count + 1);
    return Files.exists(folder.resolve(name + ".json")) ? name : null;
  }

  private static Outcome in(Path folder, String suite, String name) {
    Path json = folder.resolve(name + ".json");
    String failure = text(folder.resolve(name + ".failed"));
    List<String> printed = text(folder.resolve(name + ".txt")).lines().toList();
    if (!Files.exists(json)) {
      String why = failure.isEmpty() ? "there is no " + name + ".json" : failure;
      return new Outcome(folder, suite, name, null, why, printed);
    }
    try {
      RunFile run = RunFile.read(json);
      if (!run.suite().equals(suite)) {
        String why = name + ".json is of suite " + run.suite();
        return new Outcome(folder, suite, name, null, why, printed);
      }
      return new Outcome(folder, suite, name, run, failure.isEmpty() ? null : failure, printed);
    } catch (UnreadableFileException e) {
      return new Outcome(
          folder, suite, name, null, failure.isEmpty() ? e.getMessage() : failure, printed);
    }
  }

  /** Whether it is one after the first. */
  boolean isLaterPart() {
    return !name.equals(suite);
  }

  /** Whether it has some of the cases alone. */
  boolean isPart() {
    return isLaterPart() || next(folder, suite, 1) != null;
  }

  /** Removes what is kept of later parts: they are of runs before. */
  static void removeLaterParts(Path folder, String suite) throws IOException {
    String part = suite + "-[0-9]+\\.(json|txt|failed|md)";
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(
            folder, file -> String.valueOf(file.getFileName()).matches(part))) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
  }

  /** The names of the files that it may consist of, and pages are made from. */
  List<String> files() {
    List<String> names = new ArrayList<>();
    for (String ending : List.of(".json", ".txt", ".failed")) {
      names.add(name + ending);
    }
    if (suite.equals("objectstream") && !isLaterPart()) {
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
