package dev.offcut.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.junit.JunitRun.Results;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Leaks that are known, for which no test fails. */
class IgnoredTest {
  @TempDir private Path folder = Path.of("");

  private String file(String... lines) throws Exception {
    return Files.write(folder.resolve("known.txt"), List.of(lines)).toString();
  }

  private static String err(Results results) {
    return String.join("\n", results.err());
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 6})
  void known_failsNoTest_andIsToldOnce(int junit) throws Exception {
    Results results = JunitRun.run(junit, List.of(), "shop.KnownTests");

    assertThat(results.failed()).containsExactly("leaksOther()");
    for (String text : List.of(results.of("report of KnownTests"), err(results))) {
      assertThat(text)
          .containsOnlyOnce("@NoNativeLeaks ignores 6 known leaks of KnownTests: ")
          .contains("1 image opened at shop.KnownTests.leaksKnown(KnownTests.java:");
    }
    assertThat(err(results))
        .contains("1 image opened at shop.KnownTests$Inner.leaksInside(KnownTests.java:")
        .contains("offcut: @NoNativeLeaks ignore = \"shop.Nothing\" of class shop.KnownTests")
        .contains(
            "ignore = \"pixel\" of void shop.KnownTests.leaksByKind() matches no leak; remove")
        .doesNotContain("\"imag\"", "\"shop.KnownTests");
    assertThat(results.of("report of KnownTests")).contains("\"shop.Nothing\"", "\"pixel\"");
  }

  @Test
  void file_isForAllTests() throws Exception {
    String parameter =
        Ignored.FILE
            + "="
            + file("# ours", "shop.OneTests  # soon", "", "shop.KnownTests", "no.Such");
    Results results = JunitRun.run(6, List.of(), parameter, "shop.OneTests", "shop.KnownTests");

    assertThat(results.failed()).isEmpty();
    assertThat(err(results))
        .contains("ignores 1 known leak of OneTests: 1 image opened at shop.OneTests.leaksChecked(")
        .containsOnlyOnce("\"no.Such\" of " + folder.resolve("known.txt") + " matches no leak")
        .doesNotContain("\"shop.OneTests\"");
  }

  @Test
  void file_namesClassesOfWhatWasOpened() throws Exception {
    String property = "-D" + Ignored.FILE + "=" + file("java.util.zip.Infl", "direct buffer");
    Results results =
        JunitRun.run(6, List.of(JunitRun.agent("level=full"), property), "shop.NativeTests");

    assertThat(results.failed()).containsExactly("leaksUnsafe()");
  }

  @ParameterizedTest
  @CsvSource({
    "shop.BlankTests, BlankTests, of class shop.BlankTests cannot ignore \" \"",
    "shop.LineTests, leaks(), of void shop.LineTests.leaks() cannot ignore \"shop.LineTests.leaks("
  })
  void badString_isOneError(String tests, String failed, String error) throws Exception {
    Results results = JunitRun.run(6, List.of(), tests);

    assertThat(results.failed()).containsExactly(failed);
    assertThat(results.of(failed))
        .contains("@NoNativeLeaks " + error)
        .contains("write how the name of a class begins, such as");
  }

  @Test
  void badFile_isOneError() throws Exception {
    String missing = folder.resolve("none.txt").toString();
    List<String> options = List.of("-D" + Ignored.FILE + "=" + missing);
    assertThat(JunitRun.run(6, options, "shop.NothingTests").of("NothingTests"))
        .contains("@NoNativeLeaks cannot read " + missing + ", the file");
    Results results =
        JunitRun.run(6, List.of(), Ignored.FILE + "=" + file("shop", "*"), "shop.NothingTests");
    assertThat(results.of("NothingTests")).contains("known.txt:2: cannot ignore \"*\"; write");
  }
}
