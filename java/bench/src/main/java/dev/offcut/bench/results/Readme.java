package dev.offcut.bench.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The part of the repository's README that is made of results: what stands between two marks. It is
 * renewed with the pages in the repository, and with no others.
 */
final class Readme {
  static final String BEGIN = "<!-- results: made by ./offcut bench all -->\n";
  static final String END = "<!-- end of results -->\n";

  private Readme() {}

  /** Puts the summary into a file that has the marks; leaves every other as it is. */
  static void renew(Path file, List<Section> sections, String path) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    String text = Files.readString(file);
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END, Math.max(0, begin));
    if (begin >= 0 && end >= 0) {
      String block = "\n" + Summary.block(sections, path) + "\n";
      Files.writeString(
          file, text.substring(0, begin + BEGIN.length()) + block + text.substring(end));
    }
  }
}
