package dev.offcut.retrofit.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The command's figures, which its own test has too: a report of either is read beside the other.
 */
class FiguresTest {
  @Test
  void bytes_unit_growsWithTheSize() {
    assertThat(Figures.bytes(0)).isEqualTo("0 B");
    assertThat(Figures.bytes(1023)).isEqualTo("1023 B");
    assertThat(Figures.bytes(1024)).isEqualTo("1.0 KiB");
    assertThat(Figures.bytes(1024 * 1024 - 1)).isEqualTo("1.0 MiB");
    assertThat(Figures.bytes(5L << 40)).isEqualTo("5.0 TiB");
    assertThat(Figures.bytes(-(3L << 20))).isEqualTo("-3.0 MiB");
  }

  @Test
  void lines_ofColumns_areAlignedAndTheLastColumnIsNotPadded() {
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
