package dev.offcut.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is asked of an agent that runs. */
class RequestTest {
  @Test
  void answer_withoutANameForIt_isOneSentence() {
    Request.answer("?report", word -> null);
    assertThat(System.getProperty(Presence.SAID))
        .contains("the request ?report has no name for its answer: ?WORD,NAME; ignored");
  }
}
