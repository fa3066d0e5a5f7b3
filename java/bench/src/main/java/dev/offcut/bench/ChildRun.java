package dev.offcut.bench;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One child JVM: an implementation under one collector on some threads.
 *
 * @param impl as in the rows
 * @param threads of the program; 1 where it has no threads of its own
 * @param gc the collector's name in {@code -XX:+Use…GC}
 * @param jdk whose JVM it is
 * @param jvmArgs further JVM options
 * @param classPath null for that of this program
 * @param main the name of the class that measures, or is measured as a whole
 * @param args its arguments
 * @param estimate seconds it takes on a machine at rest, for the time left
 * @param firstRound 0, or the round from which on it takes part: what has time to wait
 * @param process where the subject is the whole process: what the names of the metrics begin with
 *     that the parent takes (elapsed, user and CPU time)
 */
public record ChildRun(
    String impl,
    int threads,
    String gc,
    Jdk jdk,
    List<String> jvmArgs,
    @Nullable String classPath,
    String main,
    List<String> args,
    double estimate,
    int firstRound,
    @Nullable String process) {
  /**
   * On one thread of this JDK, without options, from the first round on; the program takes {@code
   * args}.
   */
  public static ChildRun of(String impl, String gc, Class<?> main, Object... args) {
    return of(impl, gc, main.getName(), args);
  }

  /** The same of a program that is on a class path of its own. */
  public static ChildRun of(String impl, String gc, String main, Object... args) {
    List<String> words = Arrays.stream(args).map(String::valueOf).toList();
    return new ChildRun(impl, 1, gc, Jdk.OWN, List.of(), null, main, words, 1, 0, null);
  }

  /** On so many threads. */
  public ChildRun threads(int number) {
    return new ChildRun(
        impl, number, gc, jdk, jvmArgs, classPath, main, args, estimate, firstRound, process);
  }

  /** On another JDK. */
  public ChildRun on(Jdk other) {
    return new ChildRun(
        impl, threads, gc, other, jvmArgs, classPath, main, args, estimate, firstRound, process);
  }

  /** With JVM options. */
  public ChildRun jvm(List<String> options) {
    return new ChildRun(
        impl, threads, gc, jdk, options, classPath, main, args, estimate, firstRound, process);
  }

  /** With another class path than that of this program. */
  public ChildRun classPath(String path) {
    return new ChildRun(
        impl, threads, gc, jdk, jvmArgs, path, main, args, estimate, firstRound, process);
  }

  /** Probably taking so many seconds. */
  public ChildRun estimate(double seconds) {
    return new ChildRun(
        impl, threads, gc, jdk, jvmArgs, classPath, main, args, seconds, firstRound, process);
  }

  /** From a later round on. */
  public ChildRun from(int round) {
    return new ChildRun(
        impl, threads, gc, jdk, jvmArgs, classPath, main, args, estimate, round, process);
  }

  /** As a whole process, whose metrics begin with {@code prefix}. */
  public ChildRun process(String prefix) {
    return new ChildRun(
        impl, threads, gc, jdk, jvmArgs, classPath, main, args, estimate, firstRound, prefix);
  }

  /** In the words of progress and failures. */
  String label() {
    String where = jdk.equals(Jdk.OWN) ? "" : jdk.runtime() + ", ";
    return where + gc + ", " + threads + (threads == 1 ? " thread, " : " threads, ") + impl;
  }
}
