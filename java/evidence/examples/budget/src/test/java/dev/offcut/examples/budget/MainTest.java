package dev.offcut.examples.budget;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class MainTest {
  /** The pool is closed at the end, which fails if a buffer of Netty is in use. */
  @Test
  void run_parserHoldsMemory_requestIsRefusedUntilItIsFreed() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Main.run(new PrintStream(out, true, UTF_8));
    assertThat(out.toString(UTF_8))
        .contains("4194304 numbers, sum 8796090925056, as sent")
        .containsPattern("parser +33554432")
        .containsPattern("connections of pool server +[1-9]")
        .contains(
            "refused: 50331648 bytes for requests of pool server: the limit of budget service")
        .contains("The largest holder is parser with 33554432 bytes")
        .contains("after the parser has freed its memory: a request of 50331648 bytes succeeds");
  }
}
