package dev.offcut.bench.objectstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.ObjectInput;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Without leaves, whose classes are made for a run. */
class GraphTest {
  private final Graph integers = Graph.named("list_1000_integers");

  @ParameterizedTest
  @ValueSource(strings = {"stock", "jboss-river"})
  void check_writtenAndReadAgainAndAgain_passes(String impl) throws Exception {
    Subject subject = Subject.named(impl);
    byte[] bytes = subject.written(integers.create());
    for (int i = 0; i < 2; i++) {
      try (ObjectInput in = subject.open(new ByteArrayInputStream(bytes))) {
        List<?> graph = (List<?>) in.readObject();
        assertThat(graph).hasSize(1000);
        integers.check(graph);
      }
    }
  }

  @Test
  void check_anotherGraph_throws() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> integers.check(List.of(1, 2, 3)))
        .withMessageContaining("another graph");
  }
}
