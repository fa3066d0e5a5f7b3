package dev.offcut.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * When no profiler comes into a program: one sentence says why. {@code NativeCallersTest} has the
 * others.
 */
class ProfilerTest {
  @TempDir private Path folder = Path.of("");

  @AfterEach
  void forgetTheLibrary() {
    System.clearProperty(Profiler.PROPERTY);
  }

  private static String problem(Path folder, Path library, String... words) {
    System.setProperty(Profiler.PROPERTY, library.toString());
    Child.Command command = new Child.Command(List.of(words), Path.of("a.jar"), "", null);
    try (Profiler profiler = new Profiler(folder, command, 1 << 16)) {
      return profiler.problem();
    }
  }

  @Test
  void problem_noLibrary_saysWhereItWasLookedFor() {
    assertThat(problem(folder, folder, "java"))
        .startsWith("async-profiler's library is not at " + folder);
  }

  @Test
  void problem_theProgramHasAProfiler_saysToTakeItOut() throws IOException {
    Path library = Files.writeString(folder.resolve("a.so"), "");
    assertThat(problem(folder, library, "java", "-agentpath:/opt/libasyncProfiler.so=start"))
        .startsWith("the program loads async-profiler itself");
  }

  @Test
  void problem_aFolderWithAComma_saysToChooseAnother() throws IOException {
    Path library = Files.writeString(folder.resolve("a.so"), "");
    Path other = Files.createDirectory(folder.resolve("a,b"));
    assertThat(problem(other, library, "java")).contains("whose name has a comma");
  }

  @Test
  void problem_noSuchJava_isLeftToTheProgramsStart() throws IOException {
    Path library = Files.writeString(folder.resolve("a.so"), "");
    assertThat(problem(folder, library, folder.resolve("none/java").toString())).isEmpty();
  }
}
