package dev.offcut.examples.budget;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class MainTest {
  /** The pools are closed at the end, which fails if a buffer of Netty or of Arrow is in use. */
  @Test
  void run_severalBatches_comeBackAndNothingIsLeft() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Main.run(5, new PrintStream(out, true, UTF_8));
    assertThat(out.toString(UTF_8))
        .contains("5 batches, sum " + 49_999L * 25_000 + ", as sent")
        .contains("the first half of them, searched: sum " + 19_999L * 10_000)
        .containsPattern("lucene +[1-9]")
        .contains("refused: 67108864 bytes for batches of pool arrow: the limit of budget server")
        .contains("The largest holder is owner batches of pool arrow with 33554432 bytes")
        .contains("after the refusal: sum " + 9_999L * 5_000);
  }
}
