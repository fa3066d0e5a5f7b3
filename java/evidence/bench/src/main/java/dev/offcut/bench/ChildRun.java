package dev.offcut.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One child JVM: an implementation under one collector on some threads.
 *
 * @param impl as in the rows
 * @param threads of the program; 1 where it has no threads of its own
 * @param gc the collector's name in {@code -XX:+Use…GC}
 * @param jvm whose JVM it is, and how it is started
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
    Jvm jvm,
    String main,
    List<String> args,
    double estimate,
    int firstRound,
    @Nullable String process) {
  private static final String UNSAFE = "--sun-misc-unsafe-memory-access";
  private static final int UNSAFE_SINCE = 23;

  /**
   * How a JVM is started.
   *
   * @param options beside the collector's
   * @param environment variables of its process, beside those of this one
   * @param classPath null for that of this program
   */
  record Jvm(
      Jdk jdk, List<String> options, Map<String, String> environment, @Nullable String classPath) {}

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
    Jvm own = new Jvm(Jdk.OWN, List.of(), Map.of(), null);
    return new ChildRun(impl, 1, gc, own, main, words, 1, 0, null);
  }

  /** On so many threads. */
  public ChildRun threads(int number) {
    return new ChildRun(impl, number, gc, jvm, main, args, estimate, firstRound, process);
  }

  private ChildRun with(Jvm other) {
    return new ChildRun(impl, threads, gc, other, main, args, estimate, firstRound, process);
  }

  /** On another JDK, without the options that an older one does not know. */
  public ChildRun on(Jdk other) {
    List<String> known =
        jvm.options.stream()
            .filter(option -> other.feature() >= UNSAFE_SINCE || !option.startsWith(UNSAFE))
            .toList();
    return with(new Jvm(other, known, jvm.environment, jvm.classPath));
  }

  /** With JVM options. */
  public ChildRun jvm(List<String> options) {
    return with(new Jvm(jvm.jdk, options, jvm.environment, jvm.classPath));
  }

  /** With variables of its process. */
  public ChildRun environment(Map<String, String> variables) {
    return with(new Jvm(jvm.jdk, jvm.options, variables, jvm.classPath));
  }

  /** With another class path than that of this program. */
  public ChildRun classPath(String path) {
    return with(new Jvm(jvm.jdk, jvm.options, jvm.environment, path));
  }

  /** Probably taking so many seconds. */
  public ChildRun estimate(double seconds) {
    return new ChildRun(impl, threads, gc, jvm, main, args, seconds, firstRound, process);
  }

  /** From a later round on. */
  public ChildRun from(int round) {
    return new ChildRun(impl, threads, gc, jvm, main, args, estimate, round, process);
  }

  /** As a whole process, whose metrics begin with {@code prefix}. */
  public ChildRun process(String prefix) {
    return new ChildRun(impl, threads, gc, jvm, main, args, estimate, firstRound, prefix);
  }

  /** Whose JVM it is. */
  public Jdk jdk() {
    return jvm.jdk;
  }

  /** Further JVM options. */
  public List<String> jvmArgs() {
    return jvm.options;
  }

  /** Variables of its process, beside those of this one. */
  public Map<String, String> environment() {
    return jvm.environment;
  }

  /** Null for that of this program. */
  public @Nullable String classPath() {
    return jvm.classPath;
  }

  /** In the words of progress and failures. */
  String label() {
    String where = jdk().equals(Jdk.OWN) ? "" : jdk().runtime() + ", ";
    return where + gc + ", " + threads + (threads == 1 ? " thread, " : " threads, ") + impl;
  }
}
