package dev.offcut.bench.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.ChildRunner;
import dev.offcut.bench.Jdk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SqliteSuiteTest {
  private final SqliteSuite suite = new SqliteSuite();

  @Test
  void rows_nameTheirSqlite() {
    for (Case of : suite.cases(false)) {
      assertThat(of.runs()).extracting(ChildRun::impl).filteredOn(suite::isOurs).hasSize(1);
      for (ChildRun run : of.runs()) {
        assertThat(suite.version(run.impl(), Jdk.OWN))
            .containsPattern("\\(SQLite 3\\.\\d+\\.\\d+\\)");
      }
    }
    assertThat(suite.bars()).hasSize(6);
  }

  /** What must be there is the jar; what runs from it is measured where Debian's package is. */
  @Test
  void peerOfTheSameSqlite_isInFrontOfTheNewest(@TempDir Path folder) throws Exception {
    Path jar = folder.resolve("sqlite-jdbc.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      zip.putNextEntry(new ZipEntry("META-INF/maven/org.xerial/sqlite-jdbc/pom.properties"));
      zip.write("version=3.40.1.0".getBytes(UTF_8));
    }
    Path library = folder.resolve("lib/some-cpu/jni/libsqlitejdbc.so");
    Files.createDirectories(library.getParent());
    assertThat(new SqliteSuite(jar, folder.resolve("lib")).leftOut()).hasSize(3);
    Files.createFile(library);
    SqliteSuite here = new SqliteSuite(jar, folder.resolve("lib"));
    assertThat(here.leftOut()).isEmpty();
    assertThat(here.cases(true))
        .flatMap(Case::runs)
        .filteredOn(run -> run.impl().equals("sqlite-jdbc-system"))
        .hasSize(3)
        .allMatch(run -> String.valueOf(run.classPath()).startsWith(jar + ":"))
        .allMatch(run -> run.toString().contains("lib.path=" + library.getParent() + ","));
    String ours = here.version("offcut", Jdk.OWN);
    assertThat(here.version("sqlite-jdbc-system", Jdk.OWN))
        .isEqualTo("3.40.1.0" + ours.substring(ours.indexOf(" (")));
  }

  @Test
  void withoutDebiansPackage_itsRowsAreLeftOutWithAWord(@TempDir Path folder) {
    SqliteSuite without = new SqliteSuite(folder.resolve("sqlite-jdbc.jar"), folder);
    assertThat(without.cases(true)).flatMap(Case::runs).hasSize(6);
    assertThat(without.leftOut())
        .hasSize(3)
        .allMatch(what -> what.what().contains("Debian: libxerial-sqlite-jdbc-java"));
  }

  static Stream<ChildRun> runs() {
    return new SqliteSuite().cases(true).stream().flatMap(of -> of.runs().stream());
  }

  @ParameterizedTest
  @MethodSource("runs")
  void child_findsItsRows(ChildRun run) throws Exception {
    assertThat(ChildRunner.figures(run)).containsKeys("cpu_ns_per_op", "alloc_bytes_per_op");
  }
}
