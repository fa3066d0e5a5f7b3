package dev.offcut.examples.sqlite;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A JVM of its own, on the class path of this one. It has one compiler and the serial collector,
 * which start soonest.
 */
final class ChildJvm implements AutoCloseable {
  private static final long LIMIT_SECONDS = 120;

  /** How it ended, and what it said. */
  record Result(int code, String out, String err) {}

  private final Process process;
  private final BufferedReader err;
  private final CompletableFuture<String> out;
  private final StringBuilder errRead = new StringBuilder();

  private ChildJvm(Process process) {
    this.process = process;
    this.err = process.errorReader(StandardCharsets.UTF_8);
    this.out =
        CompletableFuture.supplyAsync(() -> read(process.inputReader(StandardCharsets.UTF_8)));
  }

  /** Starts {@code main}; {@code launcher} stands before the java command. */
  static ChildJvm start(
      List<String> launcher, List<String> options, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(launcher);
    command.add(System.getProperty("java.home") + "/bin/java");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(options);
    command.addAll(List.of("-cp", classPath(), main.getName()));
    command.addAll(List.of(arguments));
    return new ChildJvm(new ProcessBuilder(command).start());
  }

  /** Runs {@code main} to its end. */
  static Result run(List<String> options, Class<?> main, String... arguments) throws Exception {
    try (ChildJvm child = start(List.of(), options, main, arguments)) {
      return child.result();
    }
  }

  /** The module path holds what the modules are made of, the tests' classes are patched in. */
  private static String classPath() {
    return Stream.of("jdk.module.path", "java.class.path")
        .map(name -> System.getProperty(name, ""))
        .reduce("target/test-classes", (a, b) -> a + File.pathSeparator + b);
  }

  /** Reads stderr until a line has this in it. */
  void awaitLine(String part) throws IOException {
    for (String line = err.readLine(); line != null; line = err.readLine()) {
      errRead.append(line).append('\n');
      if (line.contains(part)) {
        return;
      }
    }
    throw new AssertionError("no line with \"" + part + "\" in: " + errRead);
  }

  /** Sends a signal, such as INT. */
  void signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  Result result() throws Exception {
    errRead.append(read(err));
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("still running after " + LIMIT_SECONDS + " s; so far: " + errRead);
    }
    return new Result(process.exitValue(), out.get(), errRead.toString());
  }

  private static String read(BufferedReader reader) {
    StringBuilder text = new StringBuilder();
    reader.lines().forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
