package dev.offcut.command.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Recorded.Latest;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LatestTest {
  private final Latest<String, Integer> latest = new Latest<>();

  private static Instant at(double seconds) {
    return Instant.ofEpochMilli(Math.round(seconds * 1000));
  }

  @Test
  void put_outOfOrder_keepsTheLatest() {
    latest.put("a", at(5), 5);
    latest.put("a", at(3), 3);
    latest.put("b", at(1), 1);
    assertThat(latest.get("a")).isEqualTo(5);
    assertThat(latest.all()).containsExactly(5, 1);
  }

  @Test
  void inLastRound_gone_isLeftOut() {
    latest.put("gone", at(1), 1);
    latest.put("a", at(10.2), 2);
    latest.put("b", at(10.9), 3);
    assertThat(latest.inLastRound()).containsExactly(2, 3);
  }
}
