package dev.offcut.bench.results;

import dev.offcut.bench.objectstream.Programs;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/**
 * One suite in a process of its own, through the launcher, which knows how each is built and run.
 * Its rows, what it printed and why it failed are kept: {@code SUITE.json}, {@code .txt}, {@code
 * .failed}; and its profiles beside them.
 */
final class SuiteProcess {
  private static final int LAST_LINES = 6;

  private final String launcher;
  private final Path folder;
  private final PrintStream progress;
  private final Supplier<String> prefix;

  /** {@code prefix}: what stands before a line of progress. */
  SuiteProcess(String launcher, Path folder, PrintStream progress, Supplier<String> prefix) {
    this.launcher = launcher;
    this.folder = folder;
    this.progress = progress;
    this.prefix = prefix;
  }

  /** Whether everything of it was measured. */
  boolean run(String suite, List<String> options) throws IOException, InterruptedException {
    for (String old : List.of(".json", ".txt", ".failed")) {
      Files.deleteIfExists(folder.resolve(suite + old)); // not to be taken for this run's
    }
    Deque<String> last = new ArrayDeque<>();
    int status = status(suite, options, last);
    if (status != 0) {
      String why =
          "`./offcut bench " + suite + "` ended with status " + status + ". Its last lines:";
      Files.writeString(
          folder.resolve(suite + ".failed"), why + "\n" + String.join("\n", last) + "\n");
    }
    return status == 0;
  }

  private int status(String suite, List<String> options, Deque<String> last)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(launcher, "bench", suite));
    command.addAll(List.of("--json", folder.resolve(suite + ".json").toString()));
    command.addAll(options);
    File printed = folder.resolve(suite + ".txt").toFile();
    ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(printed);
    builder.environment().put(Programs.PROFILES, folder.toString());
    Process process = builder.start();
    Thread end = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(end); // who stops this stops the suite, too
    try (BufferedReader said = process.errorReader(StandardCharsets.UTF_8)) {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        progress.println(prefix.get() + suite + ": " + line);
        last.add(line);
        if (last.size() > LAST_LINES) {
          last.remove();
        }
      }
      return process.waitFor();
    } finally {
      process.destroy();
      Runtime.getRuntime().removeShutdownHook(end);
    }
  }
}
