package dev.offcut.bench.longmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.offcut.bench.Jdk;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AddressMapTest {
  static Stream<String> everyone() {
    return Stream.concat(Stream.of(LongmapCases.OURS), LongmapCases.PEERS.stream());
  }

  @ParameterizedTest
  @MethodSource("everyone")
  void of_everyImplementation_isAMap(String impl) {
    AddressMap map = AddressMap.of(impl);
    assertThat(map.put(4096, "a")).isNull();
    assertThat(map.put(8192, "b")).isNull();
    assertThat(map.put(4096, "c")).isEqualTo("a");
    assertThat(map.get(4096)).isEqualTo("c");
    assertThat(map.remove(4096)).isEqualTo("c");
    assertThat(map.remove(4096)).isNull();
    assertThat(map.get(4096)).isNull();
    assertThat(map.get(8192)).isEqualTo("b");
  }

  @ParameterizedTest
  @MethodSource("everyone")
  void of_everyImplementation_hasAVersion(String impl) {
    assertThat(new LongmapSuite().version(impl, Jdk.OWN)).matches("\\d.*");
  }

  @Test
  void of_unknownName_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> AddressMap.of("none"));
  }

  @Test
  void version_peers_areThoseOfTheDesign() {
    LongmapSuite suite = new LongmapSuite();
    assertThat(
            Stream.of("artemis", "bookkeeper", "jctools").map(impl -> suite.version(impl, Jdk.OWN)))
        .containsExactly("2.56.0", "4.17.2", "4.0.7");
    assertThat(
            Stream.of("fastutil-striped", "hppc-striped", "agrona-sync", "jna-stock")
                .map(impl -> suite.version(impl, Jdk.OWN)))
        .containsExactly("8.5.19", "0.13.0", "2.6.0", "5.19.1");
  }
}
