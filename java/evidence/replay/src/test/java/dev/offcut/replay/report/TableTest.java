package dev.offcut.replay.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.replay.report.Report.Ordinal;
import dev.offcut.replay.report.Report.Sizes;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
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

  @Test
  void of_ordinals_areEnglish() {
    assertThat(List.of(1, 2, 3, 4, 11, 12, 13, 21, 111, 122).stream().map(Ordinal::of))
        .containsExactly(
            "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "111th", "122nd");
  }
}
