package dev.offcut.apps;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * One of the programs, run as a user runs it: alone, with the agent, and under {@code offcut run}.
 *
 * @param main what is run
 * @param options for its JVM
 * @param arguments of its own
 */
record Program(Class<?> main, List<String> options, List<String> arguments) {
  /** Longer than anything here takes on a busy machine. */
  private static final long MOST_SECONDS = 300;

  private static final String AGENT = System.getProperty("agent.jar", "");
  private static final String RETROFIT = System.getProperty("retrofit.jar", "");
  private static final String COMMAND = System.getProperty("command.jar", "");

  /** Lines of the JDK's logging begin with the time, but for this. */
  private static final String NO_TIME = "-Djava.util.logging.SimpleFormatter.format=%4$s: %5$s%n";

  static Program of(Class<?> main, String... arguments) {
    return new Program(main, List.of(), List.of(arguments));
  }

  Program with(String... more) {
    return new Program(main, List.of(more), arguments);
  }

  /** What became of it; {@code err} without the lines that are Offcut's. */
  record Ended(int exitCode, String out, String err) {}

  Ended alone(Path folder) throws IOException, InterruptedException {
    return ended(folder, command(List.of()));
  }

  /** With all that can be rewritten. */
  Ended withRetrofit(Path folder) throws IOException, InterruptedException {
    return ended(folder, command(List.of("-javaagent:" + RETROFIT)));
  }

  /**
   * Under {@code offcut run}, with all that can be rewritten; leaves {@code run.offcut},
   * {@code run.txt} and {@code run.html}.
   */
  Ended underOffcut(Path folder) throws IOException, InterruptedException {
    List<String> words = offcut("run", "-o", "run", "--rewrite", "streams,jna", "--");
    words.addAll(command(List.of()));
    return ended(folder, words);
  }

  /** What {@code offcut report --json} says of what {@link #underOffcut} left. */
  static Report report(Path folder) throws IOException, InterruptedException {
    Ended ended = ended(folder, offcut("report", "--json", "run.offcut"));
    if (ended.exitCode() != 0) {
      throw new IllegalStateException(ended.toString());
    }
    return Report.read(ended.out());
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static List<String> offcut(String... words) {
    List<String> command = new ArrayList<>(List.of(java(), "-Doffcut.agent.jar=" + AGENT));
    command.add("-Doffcut.retrofit.jar=" + RETROFIT);
    command.addAll(List.of("-cp", COMMAND, "dev.offcut.command.Main"));
    command.addAll(List.of(words));
    return command;
  }

  private List<String> command(List<String> first) {
    List<String> command = new ArrayList<>(List.of(java()));
    command.addAll(first);
    command.add(NO_TIME);
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    return command;
  }

  private static Ended ended(Path folder, List<String> command)
      throws IOException, InterruptedException {
    Path out = folder.resolve("stdout");
    Path err = folder.resolve("stderr");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("OFFCUT_"));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.start();
    if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new IllegalStateException("did not end: " + command + Files.readString(err));
    }
    String said = Files.readString(out, StandardCharsets.UTF_8);
    return new Ended(process.exitValue(), said, withoutOurs(err));
  }

  private static String withoutOurs(Path err) throws IOException {
    return Files.readAllLines(err, StandardCharsets.UTF_8).stream()
        .filter(line -> !line.startsWith("offcut") && !line.startsWith("  next: "))
        .collect(Collectors.joining("\n"));
  }
}
