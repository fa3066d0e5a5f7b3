package dev.offcut.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.memory.LiveSet.Victims;
import org.junit.jupiter.api.Test;

class VictimsTest {
  @Test
  void times_many_keepsAllBlocksAndFreesThemAtTheEnd() {
    Allocator allocator = Allocator.of("offcut");
    Victims victims = new Victims(allocator, 100, new int[] {100, 200}, 0);
    victims.begin();
    victims.times(10_000);
    assertThat(victims.liveBytes()).isBetween(10_000L, 20_000L);
    victims.end();
    assertThat(victims.residentBytes()).isPositive();
    allocator.close(); // which throws if a block is left
  }
}
