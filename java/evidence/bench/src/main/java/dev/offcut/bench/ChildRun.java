package dev.offcut.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One child JVM: an implementation as a program, or as a loop of JMH.
 *
 * @param impl as in the rows
 * @param threads of a loop; 1 for a program
 * @param jvm options of the JVM
 * @param environment variables of a program's process, beside those of this one
 * @param classPath of a program; null for that of this program
 * @param main the class of a program, or the method of a loop
 * @param args of a program
 * @param params of a loop; null for a program
 * @param isWhole whether the program's elapsed and CPU time are measured from outside
 * @param seconds it takes on a machine at rest
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
    boolean isWhole,
    double seconds) {
  /** A program that reports its figures itself; it takes {@code args}. */
  public static ChildRun program(String impl, double seconds, Class<?> main, Object... args) {
    return program(impl, seconds, main.getName(), args);
  }

  /** The same of a program that is on a class path of its own. */
  public static ChildRun program(String impl, double seconds, String main, Object... args) {
    List<String> words = Arrays.stream(args).map(String::valueOf).toList();
    return new ChildRun(impl, 1, List.of(), Map.of(), null, main, words, null, false, seconds);
  }

  /** The one benchmark of a class of JMH, whose parameters beside {@code impl} are given. */
  public static ChildRun loop(
      String impl, int threads, Class<?> benchmark, Map<String, String> params) {
    return new ChildRun(
        impl,
        threads,
        List.of(),
        Map.of(),
        null,
        benchmark.getName(),
        List.of(),
        params,
        false,
        Loop.SECONDS);
  }

  /** The same under another name. */
  public ChildRun named(String name) {
    return new ChildRun(
        name, threads, jvm, environment, classPath, main, args, params, isWhole, seconds);
  }

  /** With JVM options, after those it has. */
  public ChildRun jvm(List<String> options) {
    List<String> all = new java.util.ArrayList<>(jvm);
    all.addAll(options);
    return new ChildRun(
        impl, threads, all, environment, classPath, main, args, params, isWhole, seconds);
  }

  /** With variables of its process. */
  public ChildRun environment(Map<String, String> variables) {
    return new ChildRun(
        impl, threads, jvm, variables, classPath, main, args, params, isWhole, seconds);
  }

  /** With another class path than that of this program. */
  public ChildRun classPath(String path) {
    return new ChildRun(
        impl, threads, jvm, environment, path, main, args, params, isWhole, seconds);
  }

  /** Probably taking so many seconds. */
  public ChildRun seconds(double number) {
    return new ChildRun(
        impl, threads, jvm, environment, classPath, main, args, params, isWhole, number);
  }

  /** Measured from outside: elapsed time, and CPU of the whole process. */
  public ChildRun whole() {
    return new ChildRun(
        impl, threads, jvm, environment, classPath, main, args, params, true, seconds);
  }
}
