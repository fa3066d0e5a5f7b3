package dev.offcut.bench.longmap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AddressesTest {
  private static final int COUNT = 5000;

  @Test
  void malloc_many_givesDistinctAlignedAddressesAtUnevenDistances() {
    try (Addresses addresses = Addresses.malloc(COUNT)) {
      long[] all = addresses.part(0, COUNT);
      assertThat(all).doesNotHaveDuplicates().doesNotContain(0);
      assertThat(Arrays.stream(all).allMatch(address -> address % 8 == 0)).isTrue();
      Set<Long> distances = new HashSet<>();
      for (int i = 1; i < COUNT; i++) {
        distances.add(all[i] - all[i - 1]);
      }
      assertThat(distances).hasSizeGreaterThan(5);
    }
  }

  @Test
  void part_ofTheMiddle_isThatPart() {
    try (Addresses addresses = Addresses.malloc(COUNT)) {
      long[] all = addresses.part(0, COUNT);
      assertThat(addresses.part(10, 5)).isEqualTo(Arrays.copyOfRange(all, 10, 15));
    }
  }

  @Test
  void span_ofAll_coversThem() {
    try (Addresses addresses = Addresses.malloc(COUNT)) {
      long[] all = addresses.part(0, COUNT);
      long lowest = Arrays.stream(all).min().orElseThrow();
      long highest = Arrays.stream(all).max().orElseThrow();
      assertThat(addresses.span()).isGreaterThan(highest - lowest);
      assertThat(addresses.span() % (64 << 20)).isZero();
    }
  }
}
