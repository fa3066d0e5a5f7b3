package dev.offcut.longmap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of the tests in a JVM of its own. */
final class ChildJvm {
  private ChildJvm() {}

  /** What the program says; fails unless it ends in time, with status 0. */
  static String run(Class<?> program, String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    Path output = Files.createTempFile("offcut-longmap", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(120, TimeUnit.SECONDS);
    process.destroyForcibly().waitFor();
    String said = Files.readString(output);
    Files.delete(output);
    assertThat(ended).as("ended: %s", said).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }
}
