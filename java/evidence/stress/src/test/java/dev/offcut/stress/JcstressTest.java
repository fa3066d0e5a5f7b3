package dev.offcut.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jcstress.Main;

/**
 * The jcstress tests: none may see an outcome that its argument forbids. The short form runs them
 * in one JVM; the long form does so for longer, and then lets jcstress run each in JVMs of several
 * kinds: interpreted, C1, C2, and C2 with its instructions shuffled.
 */
class JcstressTest {
  private static final int MILLIS_A_TEST = StressJvm.LONG ? 3_000 : 100;

  @Test
  void jcstress_inOneJvm_seesNothingForbidden() throws Exception {
    // A small young generation: the collector, and with it the real net, is never far.
    List<String> lines =
        StressJvm.same()
            .with("-Xmx256m", "-Xmn32m", "-XX:+UseParallelGC")
            .run(900, Jcstress.class, MILLIS_A_TEST);
    assertThat(lines.get(lines.size() - 1)).endsWith(" 0 failed");
    assertThat(lines).filteredOn(line -> line.startsWith("passed")).hasSizeGreaterThan(30);
  }

  @Test
  void jcstress_inManyJvms_seesNothingForbidden() throws Exception {
    assumeTrue(StressJvm.LONG, "takes an hour: only with -Dstress.long=true");
    try {
      List<String> lines =
          StressJvm.same()
              .run(
                  4 * 3600,
                  Main.class,
                  "-m",
                  "default",
                  "-sc",
                  "false", // one mode for all actors: else 34 JVMs a test instead of 8
                  "-af",
                  "NONE",
                  "-spinStyle",
                  "THREAD_YIELD",
                  "-strideSize",
                  "16", // as in Jcstress, where the reason stands
                  "-strideCount",
                  "64",
                  "-r",
                  "target/jcstress");
      assertThat(lines).anyMatch(line -> line.contains("RUN RESULTS"));
    } finally {
      deleteRawResults();
    }
  }

  /** jcstress leaves them in the working directory. */
  private static void deleteRawResults() throws IOException {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(Path.of(""), "jcstress-results-*.bin.gz")) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
  }
}
