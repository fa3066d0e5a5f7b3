package dev.offcut.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TrimmedTest {
  @Test
  void steps_ofARecording_areBlocksInOrder() {
    assertThat(Trimmed.steps("# what it is\n8 4368x2\n-0 -2x1 16\n"))
        .containsExactly(8, 4368, 4368, 0, -2, 16);
  }
}
