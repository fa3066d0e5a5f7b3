package dev.offcut.command.show;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.judge.Evidence;
import dev.offcut.command.judge.Finding;
import dev.offcut.command.read.CallSite;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.DigestBuilder;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedactionTest {
  private static final Digest DIGEST =
      new DigestBuilder()
          .digest(true)
          .with(
              new Digest.Target(
                  1,
                  "/home/me/app.jar",
                  List.of("/home/me/app.jar", "--password=x", "/secret/place/file", "C:\\a\\b.txt"),
                  "25",
                  "",
                  1,
                  "none",
                  0),
              List.of("cannot read /home/me/cache/x.bin: it is gone"),
              List.of("cannot read /home/me/cache/x.bin: it is gone"));

  @Test
  void apply_args_leavesTheProgram() {
    Digest.Target target = Redaction.apply(DIGEST, Set.of(Redaction.args)).target();
    assertThat(target.command()).containsExactly("/home/me/app.jar");
  }

  @Test
  void apply_paths_leavesTheNamesOfFiles() {
    Digest digest = Redaction.apply(DIGEST, Set.of(Redaction.paths));
    assertThat(digest.target().main()).isEqualTo("app.jar");
    assertThat(digest.target().command())
        .containsExactly("app.jar", "--password=x", "file", "b.txt");
    assertThat(digest.notes()).containsExactly("cannot read x.bin: it is gone");
  }

  @ParameterizedTest
  @CsvSource({
    "secret-project/build/libs/app.jar, app.jar",
    "../acme/app.jar, app.jar",
    "./app.jar, app.jar",
    "acme//lib/app.jar, app.jar",
    "acme\\lib\\app.jar, app.jar",
    "C:\\My Apps\\app.jar, app.jar",
    "/home/My Apps/app.jar, app.jar",
    "--out=acme/night/x.txt, --out=x.txt",
    "acme/a.jar:/opt/acme/b.jar, a.jar:b.jar",
    "a(b)/c.txt, c.txt",
    "app.jar, app.jar",
    "two words, two words",
  })
  void apply_paths_ofAnArgument(String given, String shown) {
    assertThat(withoutPaths(given, "").target().command()).containsExactly(shown);
  }

  @ParameterizedTest
  @CsvSource({
    "cannot read acme/cache/x.bin: it is gone, cannot read x.bin: it is gone",
    "(in /opt/acme/x.bin), (in x.bin)",
    "read 'acme/x.bin' and ../acme/y.bin, read 'x.bin' and y.bin",
  })
  void apply_paths_ofASentence(String given, String shown) {
    // In CSV an apostrophe within a column is one.
    assertThat(withoutPaths("", given).notes()).containsExactly(shown);
    assertThat(withoutPaths("", given).limits()).containsExactly(shown);
  }

  /** A part of resident memory may be a file, whose folders may have blanks. */
  @Test
  void apply_paths_ofPartsAndFindings() {
    String file = "mapped files: /home/me/secret place/x.bin";
    Digest.Memory memory =
        new Digest.Memory(
            4096,
            4096,
            null,
            true,
            List.of(new Digest.Part(file, 4096), new Digest.Part("metaspace", 0)),
            List.of("as /home/me/secret place/x.bin says"),
            List.of(new Digest.Growth(file, 1, 40, 1, 1, 1)));
    Finding finding =
        new Finding(
            Finding.Severity.GROWING,
            Finding.What.GROWING_PART,
            null,
            null,
            file,
            null,
            CallSite.UNKNOWN,
            0,
            0,
            1,
            0,
            0,
            List.of(new Evidence.Reason("See a/b.txt")),
            List.of());
    Digest redacted =
        Redaction.apply(DIGEST.with(memory, List.of(finding)), Set.of(Redaction.paths));
    assertThat(redacted.memory().parts())
        .extracting(Digest.Part::part)
        .containsExactly("mapped files: x.bin", "metaspace");
    assertThat(redacted.memory().remarks()).containsExactly("as x.bin says");
    assertThat(redacted.memory().growing().getFirst().part()).isEqualTo("mapped files: x.bin");
    assertThat(redacted.findings().getFirst().title()).isEqualTo("mapped files: x.bin");
    assertThat(redacted.findings().getFirst().text()).startsWith("See b.txt.");
  }

  /** Must not look at the rest of a word from each of its letters. */
  @Test
  void apply_paths_longWord() {
    String word = "x".repeat(1 << 20);
    assertThat(withoutPaths(word, "").target().command()).containsExactly(word);
  }

  private static Digest withoutPaths(String argument, String note) {
    Digest given =
        DIGEST.with(
            new Digest.Target(1, "Main", List.of(argument), "25", "", 1, "none", 0),
            List.of(note),
            List.of(note));
    return Redaction.apply(given, Set.of(Redaction.paths));
  }

  @Test
  void apply_nothing_changesNothing() {
    assertThat(Redaction.apply(DIGEST, Set.of())).isEqualTo(DIGEST);
  }
}
