package dev.offcut.resident;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ConversationTest {
  private static final Duration SHORT = Duration.ofMillis(50);

  /** No process has such a number, and each test has one: who did not answer is remembered. */
  private static final AtomicLong NUMBERS = new AtomicLong(1L << 40);

  private final long pid = NUMBERS.incrementAndGet();
  private final CountDownLatch never = new CountDownLatch(1);

  @Test
  void hold_withAnAnswer_returnsIt() throws Exception {
    assertThat(Conversation.<String>hold(pid, SHORT.multipliedBy(1000), () -> "yes"))
        .isEqualTo("yes");
    assertThat(Conversation.isSilent(pid)).isFalse();
  }

  @Test
  void hold_thatFails_saysWhy() {
    assertThatThrownBy(
            () ->
                Conversation.hold(
                    pid,
                    SHORT.multipliedBy(1000),
                    () -> {
                      throw new IOException("refused");
                    }))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("refused");
    assertThat(Conversation.isSilent(pid)).isFalse();
  }

  @Test
  void hold_withoutAnAnswer_ends_andTheNextEndsAtOnce() {
    assertThatThrownBy(() -> Conversation.hold(pid, SHORT, this::answer))
        .isInstanceOf(Conversation.Unanswered.class);
    assertThat(Conversation.isSilent(pid)).isTrue();
    assertThatThrownBy(
            () ->
                Conversation.hold(
                    pid,
                    SHORT,
                    () -> {
                      throw new AssertionError("asked again");
                    }))
        .isInstanceOf(Conversation.Unanswered.class)
        .hasMessage("the process " + pid + " has not answered for 10 s");
  }

  private Object answer() throws InterruptedException {
    never.await();
    return never;
  }

  /** Each part comes within the patience, and all parts together take longer. */
  @Test
  void ask_withAnAnswerInParts_goesOn() throws Exception {
    Duration patience = Duration.ofSeconds(2);
    long began = System.nanoTime();
    String answer =
        Conversation.ask(
            pid,
            patience,
            conversation -> {
              while (System.nanoTime() - began < patience.multipliedBy(2).toNanos()) {
                conversation.heard();
                Thread.onSpinWait();
              }
              return "whole";
            });
    assertThat(answer).isEqualTo("whole");
  }
}
