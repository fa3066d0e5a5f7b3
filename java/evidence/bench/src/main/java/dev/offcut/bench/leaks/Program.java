package dev.offcut.bench.leaks;

import dev.offcut.bench.Agent;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One run of a program of the collection, in a folder of its own.
 *
 * @param broken its form
 * @param folder for what the run leaves
 * @param classes the jar or the folder of the collection's classes
 */
record Program(Leak leak, boolean broken, Path folder, Path classes) {
  /** A run takes some seconds; under some tools several times that. */
  static final long MOST_SECONDS = 180;

  private static final String PACKAGE = "dev.offcut.leaks.";

  static Path jar() {
    return Agent.target("evidence/leaks").resolve("offcut-leaks.jar");
  }

  /** A program of this JDK. */
  static String jdk(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  /** The command that starts it, with further JVM options first. */
  List<String> command(List<String> more) {
    List<String> command = new ArrayList<>(List.of(jdk("java"), "-XX:+UseG1GC", "-Xmx512m"));
    command.addAll(more);
    command.addAll(leak.jvm());
    command.addAll(broken ? leak.jvmBroken() : List.of());
    command.addAll(List.of("-cp", classPath(), PACKAGE + leak.main(), broken ? "broken" : "fixed"));
    command.addAll(leak.arguments());
    return command;
  }

  private String classPath() {
    Path target = Agent.target("evidence/leaks");
    String first = broken ? leak.firstBroken() : leak.firstFixed();
    List<String> path = new ArrayList<>(List.of(classes.toString()));
    if (!first.isEmpty()) {
      path.add(target.resolve(first) + "/*");
    }
    path.add(target.resolve("lib") + "/*");
    return String.join(File.pathSeparator, path);
  }

  /** A process that is to be started, with what this form has in its environment. */
  ProcessBuilder process(List<String> command) {
    ProcessBuilder process = new ProcessBuilder(command).directory(folder.toFile());
    if (!broken) {
      process.environment().putAll(leak.environmentFixed());
    }
    return process;
  }

  /**
   * Runs a command to its end.
   *
   * @return what it printed
   * @throws IOException where it failed, or took too long
   */
  String run(List<String> command) throws IOException, InterruptedException {
    Path out = folder.resolve("out.txt");
    Process process =
        process(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    finish(process);
    String printed = Files.readString(out, StandardCharsets.ISO_8859_1);
    if (process.exitValue() != 0) {
      String end = printed.substring(Math.max(0, printed.length() - 1_000));
      throw new IOException("exit status " + process.exitValue() + "\n" + command + "\n" + end);
    }
    return printed;
  }

  static void finish(Process process) throws IOException, InterruptedException {
    if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("it did not end within " + MOST_SECONDS + " s");
    }
  }
}
