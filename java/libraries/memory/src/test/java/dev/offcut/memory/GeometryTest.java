package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Levels and sizes. */
final class GeometryTest {
  @ParameterizedTest
  @CsvSource({
    "4194304, 1024",
    "2097152, 1024",
    "65536, 1024",
    "67108864, 1024",
    "16384, 256",
    "16777216, 256",
    "4194304, 65536",
    "4294967296, 65536"
  })
  void level_isTheSmallestChunkThatHolds(long rootBytes, int leafBytes) {
    Geometry geometry = new Geometry(rootBytes, leafBytes);
    assertThat(geometry.bytes(0)).isEqualTo(rootBytes);
    assertThat(geometry.bytes(geometry.leafLevel())).isEqualTo(leafBytes);
    assertThat(geometry.bytes(geometry.granuleLevel())).isEqualTo(geometry.granuleBytes());
    assertThat((long) geometry.granuleBytes() * geometry.granulesPerRoot()).isEqualTo(rootBytes);
    assertThat(geometry.level(1)).isEqualTo(geometry.leafLevel());
    for (int level = 0; level <= geometry.leafLevel(); level++) {
      long bytes = geometry.bytes(level);
      assertThat(geometry.level(bytes)).isEqualTo(level);
      int smaller = Math.min(level + 1, geometry.leafLevel());
      assertThat(geometry.level(bytes - 1)).as("half of it is too small").isEqualTo(level);
      assertThat(geometry.level(bytes / 2)).isEqualTo(smaller);
      if (level > 0) {
        assertThat(geometry.level(bytes + 1)).isEqualTo(level - 1);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1024",
    "4194304, 0",
    "4194304, 1000",
    "4194304, 131072",
    "32768, 1024",
    "134217728, 1024",
    "-4194304, 1024",
    "4194304, -1024"
  })
  void impossible_isRefused(long rootBytes, int leafBytes) {
    assertThatThrownBy(() -> new Geometry(rootBytes, leafBytes))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
