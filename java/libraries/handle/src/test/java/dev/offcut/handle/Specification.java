package dev.offcut.handle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The files of {@code spec/} at the root of the repository. */
final class Specification {
  private Specification() {}

  static Path file(String name) {
    return Path.of("../../../spec", name);
  }

  /** The texts of a file of wordings, by the name of their case. */
  static Map<String, String> cases(String file) throws IOException {
    Map<String, String> sections = new LinkedHashMap<>();
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(file(file))) {
      if (line.startsWith("== ")) {
        sections.put(line.substring(3), "");
        lines.clear();
      } else if (!line.startsWith("#") && !line.isEmpty() && !sections.isEmpty()) {
        lines.add(line);
        String name = List.copyOf(sections.keySet()).get(sections.size() - 1);
        sections.put(name, String.join(System.lineSeparator(), lines) + System.lineSeparator());
      }
    }
    return sections;
  }
}
