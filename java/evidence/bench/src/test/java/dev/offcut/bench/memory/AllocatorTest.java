package dev.offcut.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.offcut.bench.Jdk;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AllocatorTest {
  private static final int BYTES = 2048;

  static Stream<String> everyone() {
    return Stream.of(
        "offcut",
        "offcut-chunks",
        "offcut-confined",
        "offcut-arena",
        "offcut-netty",
        "offcut-netty-simple",
        "jdk-ofConfined",
        "netty-adaptive",
        "netty-pooled",
        "netty-adaptive-simple",
        "netty-pooled-simple",
        "libc-malloc");
  }

  @ParameterizedTest
  @MethodSource("everyone")
  void take_several_areBlocksOfTheirOwn(String name) {
    try (Allocator allocator = Allocator.of(name);
        Slots table = allocator.table(3)) {
      for (int slot = 0; slot < 3; slot++) {
        table.take(slot, BYTES);
        table.fill(slot, BYTES);
      }
      assertThat(Math.abs(table.address(0) - table.address(1))).isGreaterThanOrEqualTo(BYTES);
      assertThat(Math.abs(table.address(1) - table.address(2))).isGreaterThanOrEqualTo(BYTES);
      for (int slot = 0; slot < 3; slot++) {
        table.give(slot);
      }
      allocator.trim();
    }
  }

  @ParameterizedTest
  @MethodSource("everyone")
  void give_overwritten_isNoticed(String name) {
    try (Allocator allocator = Allocator.of(name);
        Slots table = allocator.table(1)) {
      table.take(0, BYTES);
      long stamp = Memory.read(table.address(0));
      Memory.write(table.address(0), 1);
      assertThatExceptionOfType(AssertionError.class)
          .isThrownBy(() -> table.give(0))
          .withMessageContaining("block 0 was overwritten with 1");
      Memory.write(table.address(0), stamp);
      table.give(0);
    }
  }

  @Test
  void version_everyImplementation_isKnown() {
    MemorySuite suite = new MemorySuite();
    assertThat(Stream.concat(everyone(), Stream.of("offcut-hints", "jdk-ofShared")))
        .allSatisfy(impl -> assertThat(suite.version(impl, Jdk.OWN)).matches("\\d.*"));
    assertThat(suite.version("netty-pooled", Jdk.OWN)).isEqualTo("4.2.20.Final");
  }

  @Test
  void of_unknownName_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Allocator.of("none"));
    assertThatIllegalArgumentException().isThrownBy(() -> Arenas.of("none"));
  }
}
