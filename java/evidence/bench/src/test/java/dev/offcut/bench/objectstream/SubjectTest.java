package dev.offcut.bench.objectstream;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In this JVM, which has neither the agent nor the guard. */
class SubjectTest {
  @ParameterizedTest
  @ValueSource(strings = {"stock", "jboss-river"})
  void check_jvmAsItIs_passes(String impl) {
    assertThatCode(() -> Subject.named(impl).check()).doesNotThrowAnyException();
  }

  @Test
  void check_withoutTheAgent_isNoRowOfTheAgents() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> Subject.named("offcut-agent").check())
        .withMessage("offcut-agent, but ObjectInputStream is not rewritten");
  }

  @ParameterizedTest
  @ValueSource(strings = {"guard-8246633", "guard-8246633-loader"})
  void check_withoutTheGuard_isNoRowOfTheGuards(String impl) {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> Subject.named(impl).check())
        .withMessage(impl + ", but the guard: NONE");
  }
}
