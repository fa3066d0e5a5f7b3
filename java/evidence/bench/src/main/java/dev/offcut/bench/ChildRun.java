package dev.offcut.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One child process: an implementation as a program, or as a loop of JMH.
 *
 * @param impl as in the rows
 * @param threads of a loop; 1 for a program
 * @param jvm options of the JVM
 * @param environment variables of a program's process, beside those of this one
 * @param classPath of a program; null for that of this program
 * @param main the class of a program, or of a loop; empty for a command that is no JVM's
 * @param args of a program, or all words of a command
 * @param params of a loop; null for a program
 * @param isWhole whether the program's elapsed and CPU time are measured from outside
 */
public record ChildRun(
    String impl,
    int threads,
    List<String> jvm,
    Map<String, String> environment,
    @Nullable String classPath,
    String main,
    List<String> args,
    @Nullable Map<String, String> params,
    boolean isWhole) {
  /** A program that reports its figures itself; it takes {@code args}. */
  public static ChildRun program(String impl, Class<?> main, Object... args) {
    return program(impl, main.getName(), args);
  }

  /** The same of a program that is on a class path of its own. */
  public static ChildRun program(String impl, String main, Object... args) {
    List<String> words = Arrays.stream(args).map(String::valueOf).toList();
    return new ChildRun(impl, 1, List.of(), Map.of(), null, main, words, null, false);
  }

  /** Any command, measured from outside. */
  public static ChildRun command(String impl, List<String> words) {
    return new ChildRun(impl, 1, List.of(), Map.of(), null, "", words, null, true);
  }

  /** The one benchmark of a class of JMH, whose parameters beside {@code impl} are given. */
  public static ChildRun loop(
      String impl, int threads, Class<?> benchmark, Map<String, String> params) {
    return new ChildRun(
        impl, threads, List.of(), Map.of(), null, benchmark.getName(), List.of(), params, false);
  }

  /** The same under another name. */
  public ChildRun named(String name) {
    return new ChildRun(name, threads, jvm, environment, classPath, main, args, params, isWhole);
  }

  /** With JVM options, after those it has. */
  public ChildRun jvm(List<String> options) {
    List<String> all = new ArrayList<>(jvm);
    all.addAll(options);
    return new ChildRun(impl, threads, all, environment, classPath, main, args, params, isWhole);
  }

  /** With variables of its process. */
  public ChildRun environment(Map<String, String> variables) {
    return new ChildRun(impl, threads, jvm, variables, classPath, main, args, params, isWhole);
  }

  /** With another class path than that of this program. */
  public ChildRun classPath(String path) {
    return new ChildRun(impl, threads, jvm, environment, path, main, args, params, isWhole);
  }

  /** Measured from outside: elapsed time, and CPU of the whole process. */
  public ChildRun whole() {
    return new ChildRun(impl, threads, jvm, environment, classPath, main, args, params, true);
  }
}
