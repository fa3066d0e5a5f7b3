package dev.offcut.replay.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.replay.report.TextReport.Sizes;
import dev.offcut.replay.report.TextReport.TextMap;
import dev.offcut.replay.space.Space.NodeMap;
import dev.offcut.replay.space.Space.Piece;
import dev.offcut.replay.space.Space.State;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextReportTest {
  private static final int CELL = 4 << 10;

  @Test
  void of_cells_sayWhatMatters() {
    List<NodeMap> map =
        List.of(
            new NodeMap(
                6 * CELL,
                List.of(
                    new Piece(0, CELL, State.IN_USE),
                    new Piece(CELL, CELL / 2, State.IN_USE),
                    new Piece(CELL + CELL / 2, CELL / 2, State.FREE),
                    new Piece(2 * CELL, CELL / 2, State.FREE),
                    new Piece(2 * CELL + CELL / 2, CELL / 2, State.FREE),
                    new Piece(3 * CELL, 2 * CELL, State.FREE),
                    new Piece(5 * CELL, CELL, State.UNTOUCHED))));
    assertThat(TextMap.of(map, "  ")).isEqualTo("  #+:.._\n");
  }

  @Test
  void of_nodes_followEachOther() {
    NodeMap used = new NodeMap(CELL, List.of(new Piece(0, CELL, State.IN_USE)));
    NodeMap free = new NodeMap(CELL, List.of(new Piece(0, CELL, State.UNTOUCHED)));
    assertThat(TextMap.of(List.of(used, free, used), "")).isEqualTo("#_#\n");
  }

  @Test
  void cellWords_largeSpaces_areAtMostTenRows() {
    long words = 128 << 20;
    List<NodeMap> map = List.of(new NodeMap(words, List.of(new Piece(0, words, State.UNTOUCHED))));
    assertThat(TextMap.of(map, "").lines()).hasSizeLessThanOrEqualTo(10).hasSizeGreaterThan(4);
  }

  @Test
  void text_columns_areAsWideAsTheirWidest() {
    Table table = new Table();
    table.add(List.of("policy", "classes"));
    table.add(List.of("a longer name", "7"));
    assertThat(table.text()).isEqualTo("policy         classes\na longer name        7\n");
  }

  @Test
  void ofBytes_kibAndMib_haveNoIdleDigits() {
    assertThat(Sizes.ofBytes(10 << 20)).isEqualTo("10 MiB");
    assertThat(Sizes.ofBytes((10 << 20) + (1 << 19))).isEqualTo("10.5 MiB");
    assertThat(Sizes.ofBytes(100L << 20)).isEqualTo("100 MiB");
    assertThat(Sizes.ofBytes(3000L << 20)).isEqualTo("3,000 MiB");
    assertThat(Sizes.ofBytes(6L << 20)).isEqualTo("6,144 KiB");
    assertThat(Sizes.ofWords(0)).isEqualTo("0 KiB");
  }
}
