package dev.offcut.bench.results;

import dev.offcut.bench.results.Section.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The top of a kept profile: which frames are in most of its stacks. */
final class ProfileTable {
  /** Of the file, each line of which is percent anywhere, percent on top, frame. */
  static final String ENDING = ".frames";

  private static final int LINES = 16;

  private ProfileTable() {}

  /** Null if it was not kept. */
  static @Nullable Table of(Path file) {
    if (!Files.exists(file)) {
      return null;
    }
    try {
      List<List<String>> lines =
          Files.readAllLines(file).stream()
              .limit(LINES)
              .map(line -> List.of(line.split(" ", 3)))
              .map(cells -> List.of(cells.get(2), cells.get(0), cells.get(1)))
              .toList();
      String name = String.valueOf(file.getFileName()).replace(ENDING, "");
      return new Table(
          "Profile: " + name, List.of("frame", "in % of the stacks", "on top in %"), lines);
    } catch (IOException e) {
      return null;
    }
  }
}
