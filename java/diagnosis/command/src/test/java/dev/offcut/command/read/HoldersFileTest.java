package dev.offcut.command.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.command.read.Holders.Held;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class HoldersFileTest {
  private static final Holders HOLDERS =
      Holders.of(
          List.of(
              new Held("buffer.direct", 3, "the static field a.B.c → \"d\""),
              new Held("closeable:a.B", 1, "native code that runs")));

  @Test
  void parse_whatWasWritten_isTheSame() throws IOException {
    assertThat(HoldersFile.parse(HoldersFile.text(HOLDERS))).isEqualTo(HOLDERS);
    Holders none = Holders.none("The program was killed.");
    assertThat(HoldersFile.parse(HoldersFile.text(none))).isEqualTo(none);
  }

  @Test
  void parse_fieldsOfANewerVersion_arePassedOver() throws IOException {
    String newer =
        HoldersFile.text(HOLDERS)
            .replace("\"problem\":", "\"new\":{\"a\":[1]},\"problem\":")
            .replace("\"count\":3", "\"count\":3,\"more\":[{}]");
    assertThat(HoldersFile.parse(newer)).isEqualTo(HOLDERS);
  }

  @Test
  void parse_anotherText_fails() {
    String text = HoldersFile.text(HOLDERS);
    for (String other :
        List.of(
            "",
            "[]",
            text.replace("offcut.holders/1", "offcut.holders/2"),
            text.substring(0, text.length() / 2))) {
      assertThatThrownBy(() -> HoldersFile.parse(other)).isInstanceOf(IOException.class);
    }
  }
}
