package dev.offcut.bench.objectstream;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Without leaves, whose classes are made for a run. */
class GraphTest {
  private final Graph integers = Graph.named("list_1000_integers");

  @Test
  void check_itsOwnGraph_passes() {
    assertThatCode(() -> integers.check(integers.create())).doesNotThrowAnyException();
  }

  @Test
  void check_anotherGraph_throws() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> integers.check(List.of(1, 2, 3)))
        .withMessageContaining("another graph");
  }
}
