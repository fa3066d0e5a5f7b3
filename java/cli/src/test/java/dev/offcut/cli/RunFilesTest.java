package dev.offcut.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunFilesTest {
  @ParameterizedTest
  @CsvSource({
    "org.example.Main, Main",
    "lib/app-1.2.jar, app-1.2",
    "app.jar, app",
    "org.example/org.example.Main, Main",
    "a;b c, a_b_c",
    "unknown, unknown",
  })
  void shortened_main_isAFileName(String main, String name) {
    assertThat(RunFiles.shortened(main)).isEqualTo(name);
  }
}
