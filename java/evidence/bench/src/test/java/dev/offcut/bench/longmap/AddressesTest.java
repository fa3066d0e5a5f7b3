package dev.offcut.bench.longmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.longmap.Addresses.Walk;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;
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
  void span_ofAll_coversThem() {
    try (Addresses addresses = Addresses.malloc(COUNT)) {
      long[] all = addresses.part(0, COUNT);
      long lowest = Arrays.stream(all).min().orElseThrow();
      long highest = Arrays.stream(all).max().orElseThrow();
      assertThat(addresses.span()).isGreaterThan(highest - lowest);
      assertThat(addresses.span() % (64 << 20)).isZero();
    }
  }

  @Test
  void next_behindTheEnd_goesOnBelowAndNeverRepeats() {
    Walk walk = new Walk(new long[] {1064, 1000, 1096}, 128);
    long[] all = LongStream.generate(walk::next).limit(3000).toArray();
    assertThat(all).doesNotHaveDuplicates();
    assertThat(all).startsWith(1064, 1000, 1096);
    assertThat(all[3]).isEqualTo(1064 - 128);
    assertThat(all[7]).isEqualTo(1000 - 2 * 128);
  }
}
