package dev.offcut.command;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The command in a process of its own: for what depends on streams, signals and children. */
public final class CommandProcess {
  /** Longer than anything here takes on a busy machine: it only ends a hang. */
  private static final long MOST_SECONDS = 600;

  /** As the launcher starts the command; none runs long enough for the second compiler. */
  private static final List<String> SMALL = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  /** All that the command and the programs of the tests need. */
  static final String PATHS =
      String.join(
          File.pathSeparator,
          System.getProperty("jdk.module.path", ""),
          System.getProperty("java.class.path"));

  private final Path folder;
  private final List<String> options = new ArrayList<>();
  private final Map<String, String> environment;
  private List<String> starter = List.of();

  public CommandProcess(Path folder, Map<String, String> environment, String... options) {
    this.folder = folder;
    this.environment = environment;
    this.options.addAll(List.of(options));
  }

  /** From here on it is started by another command. */
  CommandProcess startedBy(List<String> words) {
    starter = List.copyOf(words);
    return this;
  }

  public record Ended(int exitCode, String out, String err) {}

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** A program of the tests, as words of a command. */
  static List<String> program(Class<?> main, String... arguments) {
    List<String> words = new ArrayList<>(List.of(java()));
    words.addAll(SMALL);
    words.addAll(List.of("-cp", PATHS, main.getName()));
    words.addAll(List.of(arguments));
    return words;
  }

  /** A program with more options of its JVM. */
  static List<String> with(List<String> program, String... options) {
    List<String> words = new ArrayList<>(program);
    words.addAll(1, List.of(options));
    return words;
  }

  /** The option by which a JVM gets the agent. */
  static String agent(String options) {
    return "-javaagent:" + System.getProperty("agent.jar") + "=" + options;
  }

  Process start(String... arguments) throws IOException {
    return start(List.of(arguments));
  }

  private List<String> command(List<String> arguments) {
    List<String> words = new ArrayList<>(starter);
    words.addAll(
        List.of(
            java(),
            "-Doffcut.agent.jar=" + System.getProperty("agent.jar"),
            "-Doffcut.retrofit.jar=" + System.getProperty("retrofit.jar"),
            "-Doffcut.heap.jar=" + System.getProperty("heap.jar")));
    words.addAll(SMALL);
    words.addAll(options);
    words.addAll(List.of("-cp", PATHS, "dev.offcut.command.Main"));
    words.addAll(arguments);
    return words;
  }

  Process start(List<String> arguments) throws IOException {
    return start(folder, command(arguments), environment);
  }

  /** With a stderr that nobody reads unless the test does. */
  Process startPiped(List<String> arguments) throws IOException {
    return new ProcessBuilder(command(arguments))
        .directory(folder.toFile())
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static Process start(Path folder, List<String> words, Map<String, String> environment)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(folder.toFile())
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile());
    builder.environment().keySet().removeAll(List.of("NO_COLOR", "JAVA_TOOL_OPTIONS"));
    builder.environment().putAll(environment);
    return builder.start();
  }

  public Ended run(List<String> arguments) throws IOException, InterruptedException {
    return ended(start(arguments));
  }

  public Ended run(String... arguments) throws IOException, InterruptedException {
    return run(List.of(arguments));
  }

  /** Through a shell, where $OFFCUT is the command. */
  public Ended shell(String script) throws IOException, InterruptedException {
    String command =
        java() + " " + String.join(" ", SMALL) + " -cp '" + PATHS + "' dev.offcut.command.Main";
    return ended(
        start(folder, List.of("sh", "-c", script.replace("$OFFCUT", command)), environment));
  }

  Ended ended(Process process) throws IOException, InterruptedException {
    if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("did not end: " + said());
    }
    return new Ended(process.exitValue(), read("out"), said());
  }

  String said() throws IOException {
    return read("err");
  }

  String printed() throws IOException {
    return read("out");
  }

  private String read(String name) throws IOException {
    return Files.readString(folder.resolve(name), StandardCharsets.UTF_8);
  }

  /** The only file of that ending. */
  Path only(String ending) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> found = files.filter(file -> file.toString().endsWith(ending)).toList();
      if (found.size() != 1) {
        throw new IllegalStateException("not one " + ending + " but " + found);
      }
      return found.getFirst();
    }
  }
}
