package dev.offcut.command.run;

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

  /** How near a multiple of a ratio is to a whole number, at its worst and by its place. */
  private static double step(double ratio) {
    double worst = 1;
    for (int times = 1; times < 40; times++) {
      double part = times * ratio;
      worst = Math.min(worst, times * Math.abs(part - Math.rint(part)));
    }
    return worst;
  }

  @Test
  void inStepWithNothing_powersOfTwo_areFarFromEachSmallFraction() {
    for (long asked = 1 << 12; asked <= 1 << 22; asked <<= 1) {
      long sampled = Profiler.inStepWithNothing(asked);
      assertThat(sampled).isBetween(asked / 2, asked);
      for (long size = asked >> 2; size <= asked << 2; size <<= 1) {
        assertThat(step((double) size / sampled)).as("%d of %d", size, sampled).isGreaterThan(0.02);
      }
    }
    assertThat(step(1 << 16)).isZero();
  }

  @Test
  void inStepWithNothing_eachBlock_isEachBlock() {
    assertThat(Profiler.inStepWithNothing(0)).isZero();
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
  void problem_aLibraryWithAnEqualsSign_saysToNameACopy() throws IOException {
    Path other = Files.createDirectory(folder.resolve("a=b"));
    Path library = Files.writeString(other.resolve("a.so"), "");
    assertThat(problem(folder, library, "java"))
        .isEqualTo(
            "the path of async-profiler, "
                + library
                + ", has an equals sign; name a copy elsewhere with -Doffcut.profiler=PATH.");
  }

  @Test
  void problem_noSuchJava_isLeftToTheProgramsStart() throws IOException {
    Path library = Files.writeString(folder.resolve("a.so"), "");
    assertThat(problem(folder, library, folder.resolve("none/java").toString())).isEmpty();
  }
}
