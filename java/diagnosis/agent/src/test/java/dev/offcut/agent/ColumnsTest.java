package dev.offcut.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ColumnsTest {
  @Test
  void lines_areAlignedAndTheLastColumnIsNotPadded() {
    Columns table = new Columns();
    table.add(List.of("PID", "JAVA", "PROGRAM"));
    table.add(List.of("12345", "25", "a"));
    assertThat(table.lines()).containsExactly("  PID  JAVA  PROGRAM", "12345    25  a");
  }

  @Test
  void lines_ofNoRows_areNone() {
    assertThat(new Columns().lines()).isEmpty();
  }
}
