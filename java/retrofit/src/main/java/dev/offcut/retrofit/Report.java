package dev.offcut.retrofit;

import dev.offcut.agent.Messages;
import dev.offcut.agent.publish.LastStep;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The report that is written when the program has ended and its shutdown hooks too: into a file, or
 * on stderr if the file is called so.
 */
final class Report implements Runnable {
  private static final String STDERR = "stderr";

  private final String file;
  private final Lines report;

  private Report(String file, Lines report) {
    this.file = file;
    this.report = report;
  }

  /** What is in it. */
  interface Lines {
    List<String> now() throws ReflectiveOperationException;
  }

  /** Has it written. */
  static void atExit(String file, Instrumentation instrumentation, Lines report) {
    LastStep.add(instrumentation, "offcut report", new Report(file, report));
  }

  @Override
  public void run() {
    try {
      List<String> lines = report.now();
      if (file.equals(STDERR)) {
        lines.forEach(Messages::print);
      } else {
        Files.write(Path.of(file), lines);
      }
    } catch (IOException | RuntimeException | ReflectiveOperationException e) {
      // At exit nobody else would hear of it: a path that is none, a security manager that forbids.
      Messages.say("the report could not be written to " + file + " (" + e + ")");
    }
  }
}
