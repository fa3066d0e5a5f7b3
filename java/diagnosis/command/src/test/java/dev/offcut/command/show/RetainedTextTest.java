package dev.offcut.command.show;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.DigestBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told of the time between two marks, where it is not known which of several ended. */
class RetainedTextTest {
  private static Digest with(Digest.Kind kind) {
    Digest none = new DigestBuilder().digest(false);
    return new Digest(
        false,
        none.target(),
        none.notes(),
        none.limits(),
        none.gaps(),
        none.coverage(),
        List.of(kind),
        none.closeables(),
        none.watchedClasses(),
        none.sites(),
        none.filled(),
        none.handles(),
        none.handleLeaks(),
        none.pools(),
        none.bufferPools(),
        none.forcedCollections(),
        none.finalizers(),
        none.saved(),
        none.loaders(),
        none.memory(),
        none.findings(),
        none.series(),
        none.maps(),
        null,
        null);
  }

  private static Digest unsafe(long opened, long closed, long lost) {
    long open = opened - closed - lost;
    return with(
        new Digest.Kind(
            "unsafe", opened, closed, 0, lost, open, 1024 * open, 0, 1024 * opened, 1024 * lost));
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
