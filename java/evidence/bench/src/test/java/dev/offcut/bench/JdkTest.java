package dev.offcut.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.offcut.bench.ChildJvm.ChildFailure;
import dev.offcut.bench.Rows.Row;
import dev.offcut.bench.Rows.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdkTest {
  @Test
  void at_homeOfThisJvm_isOurOwn() throws IOException {
    assertThat(Jdk.at(Jdk.OWN.home())).isEqualTo(Jdk.OWN);
    assertThat(Jdk.OWN.runtime()).isEqualTo("java " + Runtime.version());
  }

  @Test
  void at_releaseWithoutTheWholeVersion_hasTheShortOne(@TempDir Path home) throws IOException {
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"17.0.15\"\n");
    assertThat(Jdk.at(home).runtime()).isEqualTo("java 17.0.15");
  }

  @Test
  void at_noJdk_saysWhatIsMissing(@TempDir Path home) throws IOException {
    assertThatIOException().isThrownBy(() -> Jdk.at(home)).withMessageContaining("release");
    Files.writeString(home.resolve("release"), "OS_NAME=\"Linux\"\n");
    assertThatIOException()
        .isThrownBy(() -> Jdk.at(home))
        .withMessageContaining("has no JAVA_VERSION");
  }

  @Test
  void place_ofAnotherJdk_namesIt() {
    Jdk other = new Jdk(Path.of("other"), "17.0.15");
    Case of = TestSuite.caseOf("one", 1);
    ChildRun run = TestSuite.run("ours", 0);
    assertThat(Series.of(of, run, "m").place()).isEqualTo("one, G1, 1 thread");
    assertThat(Series.of(of, run.on(other), "m").place())
        .isEqualTo("one, G1, 1 thread, java 17.0.15");
    assertThat(run.on(other).label()).isEqualTo("java 17.0.15, G1, 1 thread, ours");
  }

  @Test
  void run_classPathOfItsOwn_isTheChilds() {
    ChildRun run = TestSuite.run("works", 0).classPath("no-such.jar");
    assertThatExceptionOfType(ChildFailure.class)
        .isThrownBy(() -> new ChildJvm().run(run, 60))
        .withMessageContaining("-cp no-such.jar");
  }

  @Test
  void rows_sameRunOnTwoJdks_areTwo() {
    Jdk other = new Jdk(Path.of("other"), "17.0.15");
    ChildRun run = TestSuite.run("ours", 0);
    Case of = TestSuite.caseOf("one", 1, run, run.on(other));
    Samples samples = new Samples();
    samples.add(Series.of(of, run, "reclaimed"), 0, 1, "count");
    samples.add(Series.of(of, run.on(other), "reclaimed"), 0, 2, "count");
    List<Row> rows = samples.rows(of, new TestSuite());
    assertThat(rows).extracting(Row::value).containsExactly(1.0, 2.0);
  }
}
