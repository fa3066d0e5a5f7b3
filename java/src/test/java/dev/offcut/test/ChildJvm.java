package dev.offcut.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program that a test runs in a JVM of its own. It runs to an end within a limit, or fails the
 * test with what it printed and with its threads. For one thread.
 *
 * <p>This file is compiled into the tests of every module, by the pom above them: no library gets a
 * dependency by it.
 */
public final class ChildJvm {
  private static final long DUMP_SECONDS = 2;

  private final List<String> words = new ArrayList<>();
  private int seconds = 600;

  private ChildJvm(Path home) {
    words.add(home.resolve("bin/java").toString());
  }

  /** A JVM of the JDK that runs the tests. */
  public static ChildJvm with(String... options) {
    return of(Path.of(System.getProperty("java.home")), options);
  }

  /** A JVM of the JDK in a folder. */
  public static ChildJvm of(Path home, String... options) {
    return new ChildJvm(home).and((Object[]) options);
  }

  /** Adds options or arguments. */
  public ChildJvm and(Object... more) {
    for (Object word : more) {
      words.add(String.valueOf(word));
    }
    return this;
  }

  /** Adds a class path. */
  public ChildJvm classPath(Path... entries) {
    return and(
        "-cp", String.join(File.pathSeparator, Stream.of(entries).map(Path::toString).toList()));
  }

  /** Adds a program of the tests, on the path of the tests, and its arguments. */
  public ChildJvm program(Class<?> main, Object... arguments) {
    return and("-cp", testPath(), main.getName()).and(arguments);
  }

  /** On a module path, the classes of the tests are patched in, and in neither property. */
  public static String testPath() {
    return String.join(
        File.pathSeparator,
        Path.of(System.getProperty("basedir", "."), "target", "test-classes").toString(),
        System.getProperty("jdk.module.path", ""),
        System.getProperty("java.class.path", ""));
  }

  /** Puts words before the JVM's: a program that starts it. */
  public ChildJvm startedBy(String... starter) {
    words.addAll(0, List.of(starter));
    return this;
  }

  /** The time until it must have ended; ten minutes if nothing is said. */
  public ChildJvm within(int limitSeconds) {
    seconds = limitSeconds;
    return this;
  }

  /** The command. */
  public List<String> words() {
    return List.copyOf(words);
  }

  /** Starts it, with pipes for what it reads and prints. */
  public Process start() throws IOException {
    return new ProcessBuilder(words).start();
  }

  /** Runs it to its end, which must be a good one. */
  public Output run() throws IOException, InterruptedException {
    Output output = runToAnyEnd();
    assertThat(output.exitCode()).as("%s: %s", words, output).isZero();
    return output;
  }

  /** Runs it to its end. */
  public Output runToAnyEnd() throws IOException, InterruptedException {
    Path out = Files.createTempFile("offcut-child", ".out");
    Path err = Files.createTempFile("offcut-child", ".err");
    Process process =
        new ProcessBuilder(words).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    process.getOutputStream().close(); // it reads nothing
    boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
    if (!ended) {
      printThreads(process);
      process.destroyForcibly().waitFor();
    }
    Output output = new Output(lines(out), lines(err), process.exitValue());
    Files.delete(out);
    Files.delete(err);
    assertThat(ended).as("%s ended within %s s: %s", words, seconds, output).isTrue();
    return output;
  }

  private static void printThreads(Process process) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-QUIT", String.valueOf(process.pid())).start().waitFor();
    process.waitFor(DUMP_SECONDS, TimeUnit.SECONDS);
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8).lines().toList();
  }

  /** What a process printed, line by line, and its exit code. */
  public record Output(List<String> out, List<String> err, int exitCode) {
    /** Both streams as one text, stdout first. */
    public String text() {
      return outText() + errText();
    }

    /** What it printed on stdout. */
    public String outText() {
      return text(out);
    }

    /** What it printed on stderr. */
    public String errText() {
      return text(err);
    }

    private static String text(List<String> lines) {
      return String.join("", lines.stream().map(line -> line + "\n").toList());
    }

    /** The lines on stderr that Offcut itself printed. */
    public List<String> said() {
      return err.stream().filter(line -> line.startsWith("offcut: ")).toList();
    }

    /** The value behind a word that the program printed. */
    public String value(String word) {
      return out.stream()
          .filter(line -> line.startsWith(word + " "))
          .map(line -> line.substring(word.length() + 1))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no " + word + " in " + this));
    }
  }
}
