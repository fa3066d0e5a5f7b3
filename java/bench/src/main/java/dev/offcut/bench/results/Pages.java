package dev.offcut.bench.results;

import dev.offcut.bench.results.BarsPicture.Picture;
import dev.offcut.cli.page.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The pages of results: one for each suite in Markdown, the pictures in them, all suites as one
 * page in HTML, and the summary. The rows they are made of lie beside them.
 */
final class Pages {
  private final List<Section> sections;

  Pages(List<Section> sections) {
    this.sections = sections;
  }

  void writeTo(Path folder) throws IOException {
    Files.createDirectories(folder);
    for (Section section : sections) {
      write(section, folder);
    }
    Files.writeString(folder.resolve(RuntimesTable.NAME + ".md"), RuntimesTable.page(sections));
    Files.writeString(folder.resolve(Summary.PAGE), Summary.of(sections));
    Picture all = Summary.picture(sections);
    Files.writeString(folder.resolve(all.name()), all.svg());
    String text = sections.stream().map(MarkdownPage::of).collect(Collectors.joining("\n"));
    byte[] html = Page.of("results", "results · offcut", text, ResultsJson.of(sections));
    Files.write(folder.resolve("index.html"), html);
  }

  private static void write(Section section, Path folder) throws IOException {
    keepBeside(section.outcome(), folder);
    Files.writeString(folder.resolve(section.outcome().suite() + ".md"), MarkdownPage.of(section));
    for (Picture picture : section.pictures()) {
      Files.writeString(folder.resolve(picture.name()), picture.svg());
    }
  }

  /** So that the pages can be made again, and compared with another run. */
  private static void keepBeside(Outcome outcome, Path folder) throws IOException {
    if (Files.isSameFile(outcome.folder(), folder)) {
      return;
    }
    for (String name : outcome.files()) {
      Path kept = outcome.folder().resolve(name);
      Path copy = folder.resolve(name);
      Files.deleteIfExists(copy); // of a run before
      if (Files.exists(kept)) {
        Files.copy(kept, copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  /**
   * The part of the repository's README that is made of results: what stands between two marks. It
   * is renewed with the pages in the repository, and with no others.
   */
  static final class Readme {
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
}
