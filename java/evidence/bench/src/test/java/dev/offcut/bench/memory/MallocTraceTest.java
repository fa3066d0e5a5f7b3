package dev.offcut.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.StringReader;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MallocTraceTest {
  private static MallocTrace read(String text) {
    return MallocTrace.read(new BufferedReader(new StringReader(text)));
  }

  @Test
  void read_wordsAndComments_areBlocksInSlots() {
    MallocTrace trace = read("# what it is\n8 4368x2\n-2 16 -2 -1\n");
    assertThat(trace.sizes()).containsExactly(8, 4368, 4368, 0, 16, 0, 0);
    assertThat(trace.slots()).containsExactly(0, 1, 2, 1, 1, 2, 1);
    assertThat(trace.slotCount()).isEqualTo(3);
    assertThat(trace.peakStep()).isEqualTo(3);
  }

  @Test
  void read_smallBlock_hasRoomForItsNumber() {
    assertThat(read("1 8 9").sizes()).containsExactly(8, 8, 9);
  }

  @Test
  void closed_freesWhatIsLeft() {
    MallocTrace trace = read("8x3 -2").closed();
    assertThat(trace.sizes()).containsExactly(8, 8, 8, 0, 0, 0);
    assertThat(trace.slots()).containsExactly(0, 1, 2, 1, 0, 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "8 -2", "8 -1 -1", "8x2 -1x2"})
  void read_freeOfNoBlock_isRefused(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("frees no block that lives");
  }

  @Test
  void named_theKeptOnes_areWhole() {
    for (String name : List.of("cc1", "git", "python", "sqlite")) {
      MallocTrace trace = MallocTrace.named(name);
      assertThat(trace.sizes().length).as(name).isGreaterThan(10_000);
      int[] sizes = trace.closed().sizes();
      assertThat(Arrays.stream(sizes).filter(size -> size == 0)).hasSize(sizes.length / 2);
    }
    assertThatThrownBy(() -> MallocTrace.named("none")).hasMessage("there is no recording none");
  }
}
