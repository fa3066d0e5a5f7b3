package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the words print, as files. With {@code -Dgolden.update=FOLDER} they are written there
 * instead of compared.
 */
final class Golden {
  private Golden() {}

  static void check(String name, String printed) throws IOException {
    String text = withoutTimes(withoutSeconds(printed));
    String folder = System.getProperty("golden.update", "");
    if (!folder.isEmpty()) {
      Files.writeString(Path.of(folder, name), text);
      return;
    }
    try (InputStream in = Golden.class.getResourceAsStream("/golden/" + name)) {
      assertThat(in).as("golden file %s", name).isNotNull();
      assertThat(text)
          .as("golden file %s", name)
          .isEqualTo(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /** Of figures over time the last: how many there are depends on when a second begins. */
  private static String withoutSeconds(String text) {
    int series = text.indexOf("\"series\":");
    return series < 0
        ? text
        : text.substring(0, series)
            + text.substring(series).replaceAll("\\[[^\\[\\]]*,([^,\\[\\]]+)]", "[$1]");
  }

  /** What differs from one run to the next. */
  private static String withoutTimes(String text) {
    return text.replaceAll("\"started\":\"[^\"]*\"", "\"started\":\"STARTED\"")
        .replaceAll("\"seconds\":[0-9.]+", "\"seconds\":0")
        .replaceAll("\"time\":\\[[0-9.,]+]", "\"time\":[0]")
        .replaceAll("\"tool\":\"[^\"]*\"", "\"tool\":\"TOOL\"")
        .replaceAll(", [0-9.]+ s(, level|\n)", ", SECONDS s$1")
        .replaceAll("(Scenario|Thread)\\.java:[0-9]+", "$1.java:LINE");
  }
}
