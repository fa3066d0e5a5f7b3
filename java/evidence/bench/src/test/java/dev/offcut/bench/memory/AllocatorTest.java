package dev.offcut.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AllocatorTest {
  private static final int BYTES = 2048;

  static Stream<String> everyone() {
    return Stream.of(
        "offcut",
        "offcut-confined",
        "offcut-netty",
        "netty-adaptive",
        "netty-pooled",
        "libc-malloc-critical");
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
  @SuppressWarnings("restricted") // a word of a block that lives
  void give_overwritten_isNoticed(String name) {
    try (Allocator allocator = Allocator.of(name);
        Slots table = allocator.table(1)) {
      table.take(0, BYTES);
      MemorySegment word = MemorySegment.ofAddress(table.address(0)).reinterpret(Long.BYTES);
      long stamp = word.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
      word.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 1);
      assertThatExceptionOfType(AssertionError.class)
          .isThrownBy(() -> table.give(0))
          .withMessageContaining("block 0 was overwritten with 1");
      word.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, stamp);
      table.give(0);
    }
  }
}
