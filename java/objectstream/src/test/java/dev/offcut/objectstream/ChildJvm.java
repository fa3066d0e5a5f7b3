package dev.offcut.objectstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of the tests in a JVM of its own, with the classes alone: no test libraries. */
final class ChildJvm {
  private ChildJvm() {}

  /** What it prints. Fails if it does not end well within four minutes. */
  static String run(Class<?> program, String... options) throws IOException, InterruptedException {
    return run(240, program, options);
  }

  /** What it prints. Fails if it does not end well within so many seconds. */
  static String run(int seconds, Class<?> program, String... options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    Path target = Path.of(System.getProperty("basedir", "."), "target");
    String classPath =
        target.resolve("classes") + File.pathSeparator + target.resolve("test-classes");
    command.addAll(List.of("-cp", classPath, program.getName()));
    Path output = Files.createTempFile("offcut-objectstream", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
    process.destroyForcibly().waitFor();
    String said = Files.readString(output);
    Files.delete(output);
    assertThat(ended).as("ended: %s", said).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }
}
