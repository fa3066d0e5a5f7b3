package dev.offcut.agent;

import dev.offcut.agent.stream.StreamRetrofit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** What the agent saved, as lines: at exit into a file, or on stderr if it is called so. */
final class Report {
  private static final String STDERR = "stderr";

  private Report() {}

  /** Writes it when the program ends. */
  static void atExit(String file) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> write(file), "offcut report"));
  }

  /** Writes it now. */
  static void write(String file) {
    try {
      List<String> lines = StreamRetrofit.report();
      if (file.equals(STDERR)) {
        for (String line : lines) {
          Messages.say(line);
        }
      } else {
        Files.write(Path.of(file), lines);
      }
    } catch (IOException | InvalidPathException | ReflectiveOperationException e) {
      Messages.say("the report could not be written to " + file + " (" + e + ")");
    }
  }
}
