package dev.offcut.bench.objectstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Without leaves, whose classes are made for a run. */
class GraphTest {
  private final Graph integers = Graph.named("list_1000_integers");

  @ParameterizedTest
  @ValueSource(strings = {"stock", "fixed-loader", "jboss-river", "jboss-serial"})
  void check_writtenAndReadAgainAndAgain_passes(String impl) throws Exception {
    Streams streams = Subject.named(impl).streams();
    byte[] bytes = streams.written(integers.create());
    for (int i = 0; i < 2; i++) {
      try (ObjectInput in = streams.open(new ByteArrayInputStream(bytes))) {
        List<?> graph = (List<?>) in.readObject();
        assertThat(graph).hasSize(1000);
        integers.check(graph);
      }
    }
  }

  /** The JDK can read what JBoss Marshalling writes in this protocol. */
  @Test
  void written_protocolSerial_isReadByTheJdk() throws Exception {
    byte[] bytes = Subject.named("jboss-serial").streams().written(integers.create());
    try (ObjectInput in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      integers.check(in.readObject());
    }
  }

  @Test
  void new_unknownProtocol_isRefused() {
    assertThatIOException()
        .isThrownBy(() -> new JbossStreams("creek"))
        .withMessage("JBoss Marshalling has no protocol creek");
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
