package dev.offcut.command.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VersionsTest {
  @Test
  void isNewer_minorOrMajor_is() {
    assertThat(Versions.isNewer("0.2.0", "0.1.9")).isTrue();
    assertThat(Versions.isNewer("1.0.0", "0.9.0")).isTrue();
    assertThat(Versions.isNewer("0.10.0-SNAPSHOT", "0.9.0")).isTrue();
  }

  @Test
  void isNewer_patchOrUnknown_isNot() {
    assertThat(Versions.isNewer("0.1.7", "0.1.0-SNAPSHOT")).isFalse();
    assertThat(Versions.isNewer("0.1.0", "1.0.0")).isFalse();
    assertThat(Versions.isNewer("", "0.1.0")).isFalse();
    assertThat(Versions.isNewer("unpacked", "0.1.0")).isFalse();
  }
}
