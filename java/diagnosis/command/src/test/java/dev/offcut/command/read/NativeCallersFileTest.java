package dev.offcut.command.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.command.read.NativeCallers.Place;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class NativeCallersFileTest {
  private static final NativeCallers CALLERS =
      new NativeCallers(
          "",
          65_536,
          Instant.ofEpochSecond(1),
          Instant.ofEpochSecond(3),
          List.of("2 samples"),
          100,
          300,
          60,
          List.of(Instant.ofEpochSecond(2), Instant.ofEpochSecond(3)),
          List.of(new NativeCallers.Series("a.B.c(B.java:1)", 5_000, List.of(2_000L, 4_000L))),
          List.of(
              new Place(
                  "arena",
                  List.of("take(liba.so)", "a.B.c(B.java:1)"),
                  1,
                  List.of("b.jar"),
                  40,
                  5_000,
                  30,
                  4_000,
                  3,
                  1.5e9,
                  new NativeCallers.Ended(10, 9, 8, 7, 6, 5, List.of("a.D.run(D.java:5)")))),
          List.of());

  @Test
  void parse_whatWasWritten_isTheSame() throws IOException {
    assertThat(NativeCallersFile.parse(NativeCallersFile.text(CALLERS))).isEqualTo(CALLERS);
    NativeCallers none = NativeCallers.none("There is no sampler.");
    assertThat(NativeCallersFile.parse(NativeCallersFile.text(none))).isEqualTo(none);
  }

  @Test
  void parse_fieldsOfANewerVersion_arePassedOver() throws IOException {
    String newer =
        NativeCallersFile.text(CALLERS).replace("\"jvm\":", "\"new\":{\"a\":[1]},\"jvm\":");
    assertThat(NativeCallersFile.parse(newer)).isEqualTo(CALLERS);
  }

  @Test
  void parse_anotherText_fails() {
    String text = NativeCallersFile.text(CALLERS);
    for (String other :
        List.of(
            "",
            "[]",
            text.replace("offcut.native/2", "offcut.native/1"),
            text.replace("[2000,4000]", "[2000]"),
            text.substring(0, text.length() / 2))) {
      assertThatThrownBy(() -> NativeCallersFile.parse(other)).isInstanceOf(IOException.class);
    }
  }
}
