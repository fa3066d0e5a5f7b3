package dev.offcut.command.show;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.DigestBuilder;
import dev.offcut.command.read.GivenFields;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What is told of the time between two marks, where it is not known which of several ended. */
class RetainedTextTest {
  private static Digest unsafe(long opened, long closed, long lost) {
    long open = opened - closed - lost;
    String names = "kind opened closed lost open bytes openedBytes lostBytes";
    DigestBuilder builder = new DigestBuilder();
    builder.take(
        GivenFields.of(
            "offcut.ResourceStatistics",
            Instant.EPOCH,
            names,
            "unsafe",
            opened,
            closed,
            lost,
            open,
            1024 * open,
            1024 * opened,
            1024 * lost));
    return builder.digest(false);
  }

  private static String between(Digest first, Digest second) {
    return DiffText.retained(first, second, 60);
  }

  @Test
  void someEnded_whichIsNotKnown_isARange() {
    assertThat(between(unsafe(100, 0, 0), unsafe(150, 30, 0)))
        .containsPattern("unsafe +50 +30 +20 to 50 +20\\.0 KiB to 50\\.0 KiB")
        .contains("It is not known when the resources that ended were opened.");
  }

  @Test
  void allThatIsOpen_isNoMoreThanWhatIsHeld() {
    assertThat(between(unsafe(10, 0, 0), unsafe(1_000, 980, 0)))
        .containsPattern("unsafe +990 +980 +10 to 20 +10\\.0 KiB to 20\\.0 KiB");
  }

  @Test
  void noneEnded_isExact() {
    assertThat(between(unsafe(100, 40, 0), unsafe(150, 40, 5)))
        .containsPattern("(?m)unsafe +50 +0 +50 +50\\.0 KiB$")
        .doesNotContain("The smaller figure");
  }

  @Test
  void allEnded_isNothing() {
    assertThat(between(unsafe(100, 100, 0), unsafe(150, 150, 0)))
        .contains("No tracked resource that was opened since the first mark is still held.");
  }
}
