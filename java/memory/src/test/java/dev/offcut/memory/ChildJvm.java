package dev.offcut.memory;

import dev.offcut.handle.Handle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program of the tests in a JVM of its own. */
final class ChildJvm {
  private ChildJvm() {}

  /** How it ended, and what it printed. */
  record Ended(int exitCode, String said) {}

  static Ended run(List<String> options, Class<?> program, String... arguments) throws Exception {
    String handle =
        Path.of(Handle.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .toString();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(options);
    command.add("-cp");
    command.add(String.join(":", "target/classes", "target/test-classes", handle));
    command.add(program.getName());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), said);
  }
}
