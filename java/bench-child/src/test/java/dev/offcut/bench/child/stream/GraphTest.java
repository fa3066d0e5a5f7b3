package dev.offcut.bench.child.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.ObjectInputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Without leaves, whose classes are made for a run. */
class GraphTest {
  private final Graph integers = Graph.named("list_1000_integers");

  @Test
  void serialized_readAgain_isTheGraph() throws Exception {
    try (var in = new ObjectInputStream(new ByteArrayInputStream(integers.serialized()))) {
      List<?> graph = (List<?>) in.readObject();
      assertThat(graph).hasSize(1000);
      integers.check(graph);
    }
  }

  @Test
  void check_anotherGraph_throws() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> integers.check(List.of(1, 2, 3)))
        .withMessageContaining("another graph");
  }

  @Test
  void named_unknown_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Graph.named("nest"));
  }
}
