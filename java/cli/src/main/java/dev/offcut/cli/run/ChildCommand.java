package dev.offcut.cli.run;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A command that starts a JVM, with the agent added: behind {@code java} if that is what it begins
 * with, else in a variable that every JVM reads, whatever script starts it.
 */
final class ChildCommand {
  private static final String VARIABLE = "JAVA_TOOL_OPTIONS";

  private final List<String> words;
  private final List<String> added;

  ChildCommand(List<String> words, Path agent, String agentOptions, Path repository) {
    this.words = List.copyOf(words);
    this.added =
        List.of(
            // Where it is found, should the program be killed. One that the program sets itself
            // holds.
            "-XX:FlightRecorderOptions:repository=" + repository,
            "-javaagent:" + agent + "=" + agentOptions);
  }

  /** Whether the command starts a JVM by itself. */
  boolean isJava() {
    try {
      Path name = Path.of(words.getFirst()).getFileName();
      return name != null && (name.toString().equals("java") || name.toString().equals("java.exe"));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** How to start it. Its streams are ours. */
  ProcessBuilder process() {
    List<String> command = new ArrayList<>(words);
    if (isJava()) {
      command.addAll(1, added);
    }
    ProcessBuilder process = new ProcessBuilder(command).inheritIO();
    if (!isJava()) {
      addTo(process.environment());
    }
    return process;
  }

  private void addTo(Map<String, String> environment) {
    StringBuilder options = new StringBuilder(environment.getOrDefault(VARIABLE, ""));
    for (String option : added) {
      options.append(options.isEmpty() ? "" : " ").append(quoted(option));
    }
    environment.put(VARIABLE, options.toString());
  }

  /** As the JVM reads the variable: quotes keep blanks. */
  private static String quoted(String option) {
    return option.indexOf(' ') < 0 ? option : "\"" + option + "\"";
  }
}
