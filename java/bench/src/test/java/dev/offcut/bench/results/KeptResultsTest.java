package dev.offcut.bench.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.BenchRun;
import dev.offcut.bench.results.Pages.Readme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The results in the repository: no figure in their pages, nor in the README's part of them, is of
 * another origin than the rows beside them. If it fails after a change of the pages, {@code
 * ./offcut bench all --from docs/results --pages docs/results} makes them anew.
 */
class KeptResultsTest {
  private static final Path ROOT = Path.of("../..");
  private static final String INDEX = "index.html";
  private static final Path RESULTS = ROOT.resolve("docs/results");

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  @Test
  void pages_areMadeOfTheRowsBesideThem(@TempDir Path folder) throws IOException {
    BenchRun.of("all", "--from", RESULTS.toString(), "--pages", folder.toString());
    assertThat(names(folder)).isEqualTo(names(RESULTS));
    for (String name : names(folder)) {
      if (!name.equals(INDEX)) {
        assertThat(RESULTS.resolve(name)).hasSameTextualContentAs(folder.resolve(name));
      }
    }
    assertThat(data(RESULTS.resolve(INDEX)).equals(data(folder.resolve(INDEX))))
        .as("index.html shows the rows beside it")
        .isTrue(); // else the failure would print half a megabyte
  }

  /** What the page shows; around it are scripts and styles, which change without the results. */
  private static String data(Path page) throws IOException {
    String html = Files.readString(page);
    int from = html.indexOf("id=\"offcut-data\">");
    return html.substring(from, html.indexOf("</script>", from));
  }

  @Test
  void readme_hasTheirSummary(@TempDir Path folder) throws IOException {
    String page = Files.readString(RESULTS.resolve(Summary.PAGE));
    String table =
        page.substring(page.indexOf("| measured |"), page.indexOf("\nEach suite"))
            .replaceAll("\\((\\w+\\.md)\\)", "(docs/results/$1)");
    assertThat(Files.readString(ROOT.resolve("README.md")))
        .contains(Readme.BEGIN, table)
        .contains("(docs/results/summary.svg)");
  }
}
