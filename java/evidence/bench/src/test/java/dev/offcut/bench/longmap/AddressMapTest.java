package dev.offcut.bench.longmap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AddressMapTest {
  static Stream<String> everyone() {
    return Stream.of("offcut", "jdk-chm", "artemis", "jctools");
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
}
