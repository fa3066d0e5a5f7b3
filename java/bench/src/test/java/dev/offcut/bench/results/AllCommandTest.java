package dev.offcut.bench.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.BenchRun;
import dev.offcut.bench.Suites;
import dev.offcut.bench.results.Pages.Readme;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files beside it are samples: no number in them was measured. */
class AllCommandTest {
  private static final String LAUNCHER = "offcut.launcher";

  private static Path sample(String name) {
    try {
      return Path.of(Objects.requireNonNull(AllCommandTest.class.getResource(name), name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A launcher that measures nothing: it copies a sample, or fails. */
  private static String standIn(Path folder) {
    return """
        #!/bin/sh
        echo "$*" >>"%1$s/calls"
        case $2 in
          handle) cp "%2$s/handle.json" "$4" ;;
          go) cp "%2$s/go.json" "$4" && cat "%2$s/go.txt" ;;
          *) echo "$2 <cannot>" >&2 && exit 4 ;;
        esac
        """
        .formatted(folder, sample("kept"));
  }

  private static BenchRun from(Path folder, Path pages) {
    return BenchRun.of("all", "--from", folder.toString(), "--pages", pages.toString());
  }

  private static <T> T withLauncher(Path launcher, Supplier<T> action) {
    return with(LAUNCHER, launcher, action);
  }

  private static <T> T with(String property, Path value, Supplier<T> action) {
    System.setProperty(property, value.toString());
    try {
      return action.get();
    } finally {
      System.clearProperty(property);
    }
  }

  /** A tree with a README that has the marks. */
  private static Path tree(Path folder) throws IOException {
    Path launcher = folder.resolve("launcher");
    Files.writeString(launcher, standIn(folder));
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    Files.createDirectories(folder.resolve("docs/results"));
    Files.writeString(
        folder.resolve("README.md"), "# Of it\n" + Readme.BEGIN + "old\n" + Readme.END + "end\n");
    return folder;
  }

  @Test
  void quick_withoutPages_leavesTheResultsAndTheReadmeAlone(@TempDir Path folder)
      throws IOException {
    Path root = tree(folder);
    withLauncher(
        root.resolve("launcher"),
        () -> with("offcut.root", root, () -> BenchRun.of("all", "--quick")));
    assertThat(root.resolve("docs/results")).isEmptyDirectory();
    assertThat(root.resolve("README.md")).content().contains("old");
    assertThat(root.resolve("java/target/results-quick"))
        .isDirectoryContaining(file -> file.endsWith("index.html"))
        .isDirectoryContaining(file -> file.endsWith("handle.json"));
  }

  @Test
  void full_withoutPages_renewsTheResultsAndTheReadme(@TempDir Path folder) throws IOException {
    Path root = tree(folder);
    withLauncher(
        root.resolve("launcher"), () -> with("offcut.root", root, () -> BenchRun.of("all")));
    assertThat(root.resolve("docs/results"))
        .isDirectoryContaining(file -> file.endsWith("summary.svg"))
        .isDirectoryContaining(file -> file.endsWith("handle.json"));
    assertThat(root.resolve("README.md"))
        .content()
        .startsWith("# Of it\n" + Readme.BEGIN)
        .contains("(docs/results/summary.svg)", "| 1,000 ±10 (JDK's Cleaner) |")
        .contains("**300 ±3** (Offcut's handle) |", "6,000 ±60 (finalizer) |")
        .doesNotContain("old")
        .endsWith(Readme.END + "end\n");
  }

  @Test
  void from_rowsOfTheQuickForm_areNotTakenForResults(@TempDir Path folder) throws IOException {
    Path root = tree(folder);
    Path kept = Files.createDirectory(root.resolve("kept"));
    String rows = Files.readString(sample("kept/handle.json"));
    Files.writeString(
        kept.resolve("handle.json"), rows.replace("\"quick\": false", "\"quick\": true"));
    with("offcut.root", root, () -> BenchRun.of("all", "--from", kept.toString()));
    assertThat(root.resolve("docs/results")).isEmptyDirectory();
    assertThat(kept.resolve("README.md")).content().contains("**A first look**");
  }

  @Test
  void from_pageOfHandle_isAsItWasAgreed(@TempDir Path pages) throws IOException {
    from(sample("kept"), pages);
    assertThat(pages.resolve("handle.md")).hasSameTextualContentAs(sample("handle.md"));
  }

  @Test
  void from_pageOfGo_hasTheBarsThatItPrinted(@TempDir Path pages) throws IOException {
    from(sample("kept"), pages);
    assertThat(Files.readString(pages.resolve("go.md")))
        .contains("GoFinalizerCostsNotes", "| offcut-pool | – | 6 ±1 | 0.10 × | – | – |")
        .contains("| 8 | 7.476 | 736.0 | – | 800 |")
        .contains(
            "| cgo_alloc_free_closed, cpu_ns_per_op: offcut-pool / direct ≤ 1.3 | 0.1 | met |")
        .contains("| register_only_closed, cpu_ns_per_op: offcut-pool ≤ 8 |  | NOT met: not");
  }

  @Test
  void from_suiteThatFailed_isSaidInItsPageAndOnStderr(@TempDir Path pages) throws IOException {
    BenchRun run = from(sample("kept"), pages);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .contains("bench all: replay: `./offcut bench replay` ended with status 1.")
        .contains("bench all: memory: there is no memory.json");
    assertThat(Files.readString(pages.resolve("replay.md")))
        .contains("**Not measured**: `./offcut bench replay` ended with status 1.")
        .contains("no class space in &lt;this JVM>")
        .contains("| fixed: JDK 10 and before | about 800 | 40 % | – | – | – |");
  }

  @Test
  void from_page_hasAllSuitesAndNeedsNothingElse(@TempDir Path pages) throws IOException {
    from(sample("kept"), pages);
    String page = Files.readString(pages.resolve("index.html"));
    assertThat(page)
        .contains("\"schema\":\"offcut.results/1\"", "\"suite\":\"longmap\"", "default-src 'none'")
        .contains("no class space in \\u003cthis JVM>", "# Results: handle")
        .doesNotContain("{{", "src=\"");
  }

  @Test
  void measure_everySuiteInItsOwnProcess_othersGoOnWhenOneFails(@TempDir Path folder)
      throws IOException {
    Path launcher = folder.resolve("launcher");
    Files.writeString(launcher, standIn(folder));
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    Path kept = folder.resolve("kept");
    Path pages = folder.resolve("pages");
    BenchRun run =
        withLauncher(
            launcher,
            () ->
                BenchRun.of(
                    "all", "--quick", "--out", kept.toString(), "--pages", pages.toString()));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).containsPattern("handle +ok").containsPattern("memory +FAILED");
    assertThat(run.err()).contains("longmap: longmap <cannot>");
    assertThat(Files.readAllLines(folder.resolve("calls")))
        .hasSize(Suites.all().size())
        .contains("bench handle --json " + kept.resolve("handle.json") + " --quick");
    assertThat(kept.resolve("memory.failed")).content().contains("status 4", "memory <cannot>");
    assertThat(Files.readString(pages.resolve("go.md"))).contains("| met |");
    assertThat(pages.resolve("handle.md")).hasSameTextualContentAs(sample("handle.md"));
  }

  @Test
  void measure_anew_leavesNothingOfTheRunBefore(@TempDir Path folder) throws IOException {
    Path launcher = folder.resolve("launcher");
    Files.writeString(launcher, "#!/bin/sh\nexit 4\n");
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    Files.copy(sample("kept/handle.json"), folder.resolve("handle.json"));
    Files.copy(sample("kept/handle.json"), folder.resolve("handle-2.json"));
    withLauncher(
        launcher,
        () -> BenchRun.of("all", "--out", folder.toString(), "--pages", folder.toString()));
    assertThat(folder.resolve("handle.json")).doesNotExist();
    assertThat(folder.resolve("handle-2.json")).doesNotExist();
    assertThat(Files.readString(folder.resolve("handle.md"))).contains("ended with status 4");
  }

  /** A suite that takes hours, its cases in two runs. */
  @Test
  void from_partOfASuite_hasAPageOfItsOwn_untilTheSuiteIsWhole(@TempDir Path folder)
      throws IOException {
    Path kept = Files.createDirectory(folder.resolve("kept"));
    Path pages = folder.resolve("pages");
    Files.copy(sample("kept/handle.json"), kept.resolve("handle.json"));
    Files.copy(sample("kept/handle.json"), kept.resolve("handle-2.json"));
    from(kept, pages);
    assertThat(pages.resolve("handle-2.json")).exists();
    assertThat(pages.resolve("handle-2.md"))
        .content()
        .startsWith("# Results: handle-2\n")
        .contains("`./offcut bench handle --case ")
        .doesNotContain("Source: ");
    assertThat(pages.resolve("handle.md"))
        .content()
        .contains("`./offcut bench handle --case ", "Source: ");
    assertThat(pages.resolve("README.md")).content().contains("[handle-2](handle-2.md)");
    assertThat(pages.resolve("index.html")).content().contains("\"suite\":\"handle-2\"");

    Files.delete(kept.resolve("handle-2.json"));
    from(kept, pages);
    assertThat(pages.resolve("handle-2.json")).doesNotExist();
    assertThat(pages.resolve("handle-2.md")).doesNotExist();
    assertThat(pages.resolve("handle.md")).content().doesNotContain("--case");
  }

  @Test
  void from_noDirectory_isSaidInASentence(@TempDir Path folder) {
    Path none = folder.resolve("none");
    BenchRun run = from(none, folder);
    assertThat(run.err()).isEqualTo("bench all: there is no directory " + none + "\n");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void from_withQuick_isMisuse(@TempDir Path folder) {
    BenchRun run = BenchRun.of("all", "--from", folder.toString(), "--quick");
    assertThat(run.err()).contains("--from measures nothing; leave out --quick and --out");
    assertThat(run.status()).isEqualTo(2);
  }
}
