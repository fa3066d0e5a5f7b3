package dev.offcut.bench.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.offcut.bench.BenchRun;
import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Jdk;
import dev.offcut.bench.Suites;
import dev.offcut.bench.results.Pages.Readme;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files beside it are samples: no number in them was measured. */
class AllCommandTest {
  private static final List<Jdk> NO_MORE = List.of();

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
    withLauncher(
        launcher,
        () -> BenchRun.of("all", "--out", folder.toString(), "--pages", folder.toString()));
    assertThat(folder.resolve("handle.json")).doesNotExist();
    assertThat(Files.readString(folder.resolve("handle.md"))).contains("ended with status 4");
  }

  /** A file as a run writes it now: with its bars, what was left out, and a busy machine. */
  @Test
  void from_barsOfTheRun_areShownAsItJudgedThem(@TempDir Path folder) throws IOException {
    Path kept = Files.createDirectory(folder.resolve("kept"));
    String rows = Files.readString(sample("kept/handle.json"));
    String bars =
        """
        "left_out": ["open_close: fewer than 3 rounds, for want of time", "live_3m without JNA",
          "first: fewer than 3 rounds, for want of time"],
        "bars": [{"bar": "a | bar", "measured": 0.31, "low": 0.29, "high": 0.334, "rounds": 3,
          "decided": true, "met": true, "verdict": "met, decided after 3 rounds"}],
        "rows": [\
        """;
    String load = "\"others_load_before\": 0.3, \"others_load\": 2.25, \"seconds\"";
    Files.writeString(
        kept.resolve("handle.json"),
        rows.replaceFirst("\"rows\": \\[", bars).replaceFirst("\"seconds\"", load));
    from(kept, folder);
    assertThat(folder.resolve("handle.md"))
        .content()
        .contains("| a \\| bar | 0.310 (0.290 to 0.334) | met, decided after 3 rounds |")
        .contains("**Note**: The machine was busy: the load of other programs during the run was")
        .contains(" 2.25. ", "**Note**: Left out: live_3m without JNA.")
        .contains("**Note**: Left out: fewer than 3 rounds, for want of time: open_close; first.")
        .doesNotContain("≤ 0.45");
    assertThat(folder.resolve("index.html"))
        .content()
        .contains("\"notes\":[\"The machine was busy: ");
  }

  private static double roundSeconds(String suite) {
    return Suites.roundSeconds(suite, NO_MORE);
  }

  @Test
  void roundSeconds_moreJdks_countTheirHeadlines() {
    Jdk newer = new Jdk(Path.of("newer"), "28-ea+8");
    Jdk older = new Jdk(Path.of("older"), "21.0.1+1");
    double more = Suites.roundSeconds("memory", List.of(newer, older)) - roundSeconds("memory");
    double headlines =
        Suites.headlines("memory").stream()
            .flatMap(of -> of.runs().stream().filter(run -> isOfHeadline(of, run)))
            .mapToDouble(ChildRun::estimate)
            .sum();
    assertThat(more).isPositive().isCloseTo(headlines, within(1e-6)); // the older needs 25
  }

  private static boolean isOfHeadline(Case of, ChildRun run) {
    return run.threads() == 1 && Objects.requireNonNull(of.headline()).impls().contains(run.impl());
  }

  @Test
  void measure_noJdk_isRefusedBeforeMeasuring(@TempDir Path folder) throws IOException {
    Path root = tree(folder);
    BenchRun run =
        withLauncher(
            root.resolve("launcher"),
            () -> with("offcut.root", root, () -> BenchRun.of("all", "--jdks", "nowhere")));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("--jdks: nowhere is no JDK");
    assertThat(root.resolve("calls")).doesNotExist();
  }

  @Test
  void share_isTheFirstRoundAndAPartOfWhatThoseOfAllLeave() {
    List<String> all = Suites.all();
    double rounds = all.stream().mapToDouble(AllCommandTest::slowRoundSeconds).sum();
    double left = rounds + 1_000;
    for (int i = 0; i < all.size(); i++) {
      double share = AllCommand.share(left, all.subList(i, all.size()), NO_MORE);
      assertThat(share).isGreaterThanOrEqualTo(slowRoundSeconds(all.get(i)));
      left -= share; // each uses all of it
    }
    assertThat(left).isCloseTo(0, within(1e-6));
    List<String> two = List.of("memory", "go");
    double leastOfBoth = slowRoundSeconds("memory") + slowRoundSeconds("go");
    assertThat(AllCommand.share(leastOfBoth + 100, two, NO_MORE) - slowRoundSeconds("memory"))
        .isCloseTo(
            100
                * Suites.furtherSeconds("memory", NO_MORE)
                / (Suites.furtherSeconds("memory", NO_MORE) + Suites.furtherSeconds("go", NO_MORE)),
            within(1e-6));
  }

  /** What is reserved for the first round of a suite. */
  private static double slowRoundSeconds(String suite) {
    return AllCommand.SLOW * roundSeconds(suite);
  }

  @Test
  void share_noTimeForAllFirstRounds_isLessThanTheFirstRound() {
    assertThat(AllCommand.share(-5, Suites.all(), NO_MORE)).isZero();
    assertThat(AllCommand.share(100, List.of("memory", "go"), NO_MORE))
        .isPositive()
        .isLessThan(roundSeconds("memory"));
  }

  @Test
  void limit_withoutTime_isNotTheZeroThatMeansNoLimit() {
    assertThat(AllCommand.limit(0)).isEqualTo(0.01);
    assertThat(AllCommand.limit(90)).isEqualTo(1.5);
  }

  @Test
  void share_ofASuiteWithoutBars_isAllThatIsLeft() {
    assertThat(AllCommand.share(1_000, List.of("contention"), NO_MORE)).isEqualTo(1_000);
  }

  @Test
  void measure_withMinutes_givesEachSuiteItsShare(@TempDir Path folder) throws IOException {
    Path root = tree(folder);
    BenchRun run =
        withLauncher(
            root.resolve("launcher"),
            () -> with("offcut.root", root, () -> BenchRun.of("all", "--minutes", "6")));
    assertThat(run.err()).containsPattern("\\[\\d+:\\d\\d of 6 min\\] longmap: longmap <cannot>");
    List<String> calls = Files.readAllLines(root.resolve("calls"));
    assertThat(calls).hasSize(Suites.all().size()).allMatch(call -> call.contains(" --minutes "));
    double first = Double.parseDouble(calls.getFirst().replaceFirst(".* --minutes ", ""));
    assertThat(first)
        .isCloseTo(
            AllCommand.share(6 * 0.97, Suites.all(), NO_MORE), within(0.1)); // some time passed
    // The others fail at once, so the last one has all of the time.
    assertThat(calls.getLast()).startsWith("bench go ").containsPattern("--minutes 5\\.[6-8]");
  }

  /** Rows of two more JDKs, as --jdks makes them; the longmap's measurement needs 25. */
  @Test
  void from_pageOfRuntimes_hasAColumnForEach(@TempDir Path folder) throws IOException {
    Path kept = Files.createDirectory(folder.resolve("kept"));
    String rows = Files.readString(sample("kept/handle.json"));
    String head = rows.substring(0, rows.indexOf("\"rows\""));
    Files.writeString(
        kept.resolve("handle.json"),
        head
            + "\"rows\": ["
            + row("open_close", "offcut", "0.1", "java 17.0.9+9", "cpu_ns_per_op", 31)
            + ","
            + row("open_close", "offcut", "0.1", "java 25.0.3+9", "cpu_ns_per_op", 21)
            + ","
            + row("open_close", "offcut", "0.1", "java 28-ea+8", "cpu_ns_per_op", 11)
            + ","
            + row("open_close", "jdk-cleaner", "25.0.3+9", "java 25.0.3+9", "cpu_ns_per_op", 61)
            + "]}");
    Files.writeString(
        kept.resolve("longmap.json"),
        head.replace("\"handle\"", "\"longmap\"")
            + "\"rows\": ["
            + row("mixed_80_10_10", "offcut", "0.1", "java 25.0.3+9", "cpu_ns_per_op", 7)
            + "]}");
    Files.writeString(
        kept.resolve("go.json"),
        head.replace("\"handle\"", "\"go\"").replace("java 25.0.3+9", "go1.26.8")
            + "\"rows\": ["
            + row("closed", "offcut-pool", "0.1", "go1.26.8", "cpu_ns_per_op", 90)
            + ","
            + row("closed", "offcut-pool", "0.1", "go1.27.0", "cpu_ns_per_op", 80)
            + ","
            + row("closed", "plain", "go1.26.8", "go1.26.8", "cpu_ns_per_op", 70)
            + "]}");
    from(kept, folder);
    assertThat(folder.resolve("runtimes.md"))
        .content()
        .contains("| java 17.0.9+9 | java 25.0.3+9 | java 27: not measured | java 28-ea+8 |")
        .contains("| handle | open_close | cpu_ns_per_op, ns | offcut | 0.1 | 31 | 21 | – | 11 |")
        .contains("| jdk-cleaner | the runtime's | – | 61 | – | – |")
        .contains("| longmap | mixed_80_10_10 | cpu_ns_per_op, ns | offcut | 0.1 | needs 25 | 7 |")
        .contains("| implementation | version | go1.26.8 | go1.27.0 |")
        .contains("| go | closed | cpu_ns_per_op, ns | offcut-pool | 0.1 | 90 | 80 |")
        .doesNotContain("| plain |");
    assertThat(folder.resolve("README.md")).content().contains("[runtimes](runtimes.md)");
    assertThat(folder.resolve("index.html")).content().contains("\"suite\":\"runtimes\"");
  }

  private static String row(
      String of, String impl, String version, String runtime, String metric, int value) {
    return """
        {"case": "%s", "impl": "%s", "version": "%s", "runtime": "%s", "threads": 1, "gc": "G1",
         "metric": "%s", "value": %d, "unit": "ns", "spread": 0, "rounds": 3}"""
        .formatted(of, impl, version, runtime, metric, value);
  }

  @Test
  void measure_onOtherRuntimes_passesThemOn_eachToItsLanguage(@TempDir Path folder)
      throws IOException {
    Path root = tree(folder);
    Path jdk = Files.createDirectories(folder.resolve("jdk 17"));
    Files.writeString(jdk.resolve("release"), "JAVA_RUNTIME_VERSION=\"17.0.9+9\"\n");
    Path same = Files.createDirectories(folder.resolve("same"));
    Files.writeString(same.resolve("release"), "JAVA_RUNTIME_VERSION=\"17.0.1+9\"\n");
    Path jdk21 = Files.createDirectories(folder.resolve("jdk21"));
    Files.writeString(jdk21.resolve("release"), "JAVA_RUNTIME_VERSION=\"21.0.1+9\"\n");
    System.setProperty("offcut.jdks", jdk21 + ":" + jdk + ":" + same + ":");
    try {
      withLauncher(
          root.resolve("launcher"), () -> with("offcut.root", root, () -> BenchRun.of("all")));
    } finally {
      System.clearProperty("offcut.jdks");
    }
    List<String> calls = Files.readAllLines(root.resolve("calls"));
    assertThat(calls)
        .filteredOn(call -> call.startsWith("bench handle "))
        .allMatch(call -> call.endsWith(" --jdks " + jdk));
    assertThat(calls)
        .filteredOn(call -> call.startsWith("bench go "))
        .allMatch(call -> call.endsWith(" --toolchains go1.27.0"));
  }

  @Test
  void minutes_withQuickOrFrom_isMisuse(@TempDir Path folder) {
    assertThat(BenchRun.of("all", "--quick", "--minutes", "5").err())
        .contains("--quick takes a minute for each suite; leave out --minutes");
    assertThat(BenchRun.of("all", "--from", folder.toString(), "--minutes", "5").status())
        .isEqualTo(2);
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
    assertThat(run.err())
        .contains("--from measures nothing; leave out --quick, --minutes and --out");
    assertThat(run.status()).isEqualTo(2);
  }
}
