package dev.offcut.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LauncherTest {
  @ParameterizedTest
  @ValueSource(strings = {"1.8", "9", "11", "16"})
  void javaBelow17_isTooOldAndSaidSo(String version) {
    assertThat(Launcher.isTooOld(version)).isTrue();
    assertThat(Launcher.needs(version))
        .isEqualTo("this is Java " + version + ", the agent needs 17");
  }

  @ParameterizedTest
  @ValueSource(strings = {"17", "21", "25", "100"})
  void java17OrNewer_isNot(String version) {
    assertThat(Launcher.isTooOld(version)).isFalse();
  }
}
