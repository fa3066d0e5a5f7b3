package dev.offcut.bench.handle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.handle.Subject.Closing;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubjectTest {
  @ParameterizedTest
  @ValueSource(strings = {"plain", "offcut", "offcut-cleaner", "jdk-cleaner", "jdk-finalize"})
  void close_twice_releasesOnce(String impl) {
    Resource.room(1);
    Closing handle = Subject.of(impl).open(1);
    assertThat(Resource.releases(1)).isZero();
    handle.close();
    handle.close();
    assertThat(Resource.releases(1)).isEqualTo(1);
  }
}
