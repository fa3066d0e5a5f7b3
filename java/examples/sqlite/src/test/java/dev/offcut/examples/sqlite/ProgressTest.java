package dev.offcut.examples.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What the progress line says. */
final class ProgressTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void line_halfway_hasPercentRateAndTimeLeft() {
    assertThat(Progress.line("querying", "statements", 250_000, 500_000, 65 * SECOND))
        .isEqualTo(
            "querying   [##############..............]  50 %  3,846 statements/s  1:05 left");
  }

  @Test
  void line_ofBytes_hasMebibytes() {
    assertThat(Progress.line("importing", "bytes", 3 << 20, 6 << 20, 2 * SECOND))
        .contains(" 50 %  1.5 MiB/s  0:02 left");
  }

  @Test
  void line_withoutAKnownEnd_isThePhase() {
    assertThat(Progress.line("importing", "bytes", 10, 0, SECOND)).isEqualTo("importing");
    assertThat(Progress.line("importing", "rows", 0, 10, SECOND)).isEqualTo("importing");
  }

  @Test
  void silent_writesNothing_linesWriteEachPhase() {
    assertThat(phases(Progress.Style.SILENT)).isEmpty();
    assertThat(phases(Progress.Style.LINES).lines())
        .containsExactly("offcut: importing", "offcut: querying");
  }

  private static String phases(Progress.Style style) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Progress progress =
        new Progress(new PrintStream(bytes, true, StandardCharsets.UTF_8), style)) {
      progress.begin("importing", "rows", 10);
      progress.reached(10);
      progress.begin("querying", "statements", 10);
      progress.add(1);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
