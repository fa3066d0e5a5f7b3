package dev.offcut.arrow;

import static java.nio.file.StandardOpenOption.CREATE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in docs/user/arrow.md: it is compiled, and prints what the page says. */
class GuideTest {
  private static final Path PAGE = Path.of("..", "..", "docs", "user", "arrow.md");
  private static final Pattern PROGRAM =
      Pattern.compile("```java\n(import .*?public final class (\\w+) .*?)```", Pattern.DOTALL);
  private static final Pattern OUTPUT = Pattern.compile("prints:\n\n```\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path folder = Path.of("");

  @Test
  void program_ofThePage_printsWhatThePageSays() throws Exception {
    String page = Files.readString(PAGE);
    Matcher program = PROGRAM.matcher(page);
    Matcher output = OUTPUT.matcher(page);
    assertThat(program.find() && output.find()).isTrue();
    assertThat(run(program.group(2), program.group(1))).isEqualTo(output.group(1));
  }

  private String run(String name, String source) throws IOException, InterruptedException {
    String classPath = System.getProperty("java.class.path");
    Path file = folder.resolve(name + ".java");
    Files.writeString(file, source, CREATE);
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-cp", classPath, "-d", folder.toString(), file.toString()))
        .isZero();
    Path out = folder.resolve("out");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            folder + System.getProperty("path.separator") + classPath,
            name);
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    assertThat(process.waitFor()).as(Files.readString(out)).isZero();
    return Files.readString(out);
  }
}
