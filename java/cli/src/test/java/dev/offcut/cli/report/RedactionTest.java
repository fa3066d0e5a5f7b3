package dev.offcut.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.cli.digest.Digest;
import dev.offcut.cli.digest.DigestBuilder;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

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

  @Test
  void apply_nothing_changesNothing() {
    assertThat(Redaction.apply(DIGEST, Set.of(Redaction.env))).isEqualTo(DIGEST);
  }
}
