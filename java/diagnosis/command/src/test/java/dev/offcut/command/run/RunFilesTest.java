package dev.offcut.command.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Outside;
import dev.offcut.command.run.ProgramRun.Left;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

  @Test
  void keepOther_whatIsThere_stays(@TempDir Path folder) throws Exception {
    Digest.Target target =
        new Digest.Target(7, "org.example.Main", List.of(), "25", "", 1, "sample", 128);
    RunFiles files = new RunFiles(folder.resolve("run"), false);
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    for (String content : List.of("first", "second")) {
      Path recording = Files.writeString(folder.resolve("recording"), content);
      Left left = new Left(null, recording, recording, Outside.NOTHING);
      files.keepOther(left, target, new PrintStream(said, true, UTF_8));
    }
    assertThat(folder.resolve("run-Main.7.jfr")).hasContent("first");
    assertThat(folder.resolve("run-Main.7-2.jfr")).hasContent("second");
    assertThat(said.toString(UTF_8)).contains("run-Main.7-2.jfr, of another JVM");
  }
}
