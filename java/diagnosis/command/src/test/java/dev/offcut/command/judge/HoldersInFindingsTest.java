package dev.offcut.command.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.judge.Finding.Severity;
import dev.offcut.command.read.Holders;
import dev.offcut.command.read.Holders.Held;
import dev.offcut.command.read.NativeCallers;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HoldersInFindingsTest {
  private static final String KIND = "closeable:a.Ticket";

  private static Held held(long count, String by) {
    return new Held(KIND, count, by);
  }

  private static Finding finding(Severity severity, @Nullable String kind) {
    return Finding.of(severity, Finding.What.OPEN_OBJECTS)
        .kind(kind, null)
        .advise(Advice.CLOSE_HANDLES);
  }

  private static String with(Holders holders, Severity severity, String kind) {
    return finding(severity, kind).with(holders).text();
  }

  @Test
  void with_manyWays_saysTheMostBeforeWhatToDo() {
    Holders holders =
        Holders.of(
            List.of(
                held(1, "e"),
                held(20, "b"),
                held(3_000, "the static field a.Orders.cache (java.util.HashMap)"),
                new Held("buffer.direct", 9_999, "x"),
                held(2, "d"),
                held(10, "c")));
    assertThat(with(holders, Severity.OPEN, KIND))
        .isEqualTo(
            "The program still holds them. This is intended if they belong to a cache or a pool. What holds them: the static field a.Orders.cache (java.util.HashMap):"
                + " 3,000; b: 20; c: 10; 2 other paths: 3. To do: close each in try-with-resources.");
    assertThat(with(holders, Severity.GROWING, KIND)).contains("What holds them: ");
  }

  @Test
  void with_noneFound_saysThatTheyWereClosedMeanwhile() {
    assertThat(with(Holders.of(List.of()), Severity.OPEN, KIND))
        .isEqualTo(
            "The program still holds them. This is intended if they belong to a cache or a pool. When the heap was dumped, none of them was in it any more. To do:"
                + " close each in try-with-resources.");
  }

  @Test
  void with_anythingElse_staysTheSame() {
    Holders holders = Holders.of(List.of(held(1, "a")));
    for (Finding finding :
        List.of(
            finding(Severity.LOST, KIND),
            finding(Severity.LATE, KIND),
            finding(Severity.OPEN, null),
            finding(Severity.OPEN, "unsafe"),
            finding(Severity.OPEN, NativeCallers.KIND))) {
      assertThat(finding.with(holders)).isEqualTo(finding);
    }
    Finding open = finding(Severity.OPEN, KIND);
    assertThat(open.with(Holders.none("The program was killed."))).isEqualTo(open);
  }
}
