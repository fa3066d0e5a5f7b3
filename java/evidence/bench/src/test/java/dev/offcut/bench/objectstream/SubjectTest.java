package dev.offcut.bench.objectstream;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In this JVM, which has neither the agent nor the guard. */
class SubjectTest {
  @Test
  void check_jvmAsItIs_passes() {
    assertThatCode(() -> Subject.named("stock").check()).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "offcut-agent, ObjectInputStream is not rewritten",
    "guard-8246633, the guard: NONE",
    "guard-8246633-loader, the guard: NONE"
  })
  void check_jvmIsAnother_throws(String impl, String message) {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> Subject.named(impl).check())
        .withMessage(impl + ", but " + message);
  }
}
