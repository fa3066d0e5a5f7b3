package dev.offcut.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PresenceTest {
  @BeforeEach
  @AfterEach
  void clear() {
    System.clearProperty(Presence.SAID);
  }

  @Test
  void keep_ofTheSameLine_keepsItOnce() {
    Presence.keep("one line");
    Presence.keep("one");
    Presence.keep("one line");
    assertThat(System.getProperty(Presence.SAID)).isEqualTo("one line\none");
  }

  @Test
  void keep_withoutEnd_keepsNoMoreThanIsRead_andSaysSo() {
    String line = "a line of the agent, and some words more; number ";
    for (int i = 0; i < 10_000; i++) {
      Presence.keep(line + i);
    }
    assertThat(System.getProperty(Presence.SAID))
        .startsWith(line + "0\n" + line + "1\n")
        .endsWith("\nthe agent said more, which is not kept")
        .hasSizeBetween(20_000, 20_200);
  }

  @Test
  void request_withoutANameForItsAnswer_isOneSentence() {
    Request.answer("?report");
    assertThat(System.getProperty(Presence.SAID))
        .contains("the request ?report has no name for its answer: ?WORD,NAME; ignored");
  }
}
