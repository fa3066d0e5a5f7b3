package dev.offcut.stress;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.StateCase;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.SpinLoopStyle;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * The jcstress tests in this JVM, one after the other: the short form, without jcstress's search
 * for JVM modes and without a JVM for each test, so that most of the time goes into samples. The
 * long form is {@code org.openjdk.jcstress.Main}.
 *
 * <pre>
 *   java -cp … [-Dstress.outcomes=true] dev.offcut.stress.Jcstress [milliseconds a test [regex of names]]
 * </pre>
 *
 * Prints a line a test, and at the end all outcomes of those that failed. Ends with 1 if one did.
 */
public final class Jcstress {
  /**
   * States between two meetings of the actors. More samples with more; but a promotion takes longer
   * than a close, and then only the first states of a stride are raced for.
   */
  private static final int STRIDE_SIZE = 4;

  private static final int STRIDES = 256;
  private static final int MAX_FOOTPRINT_MB = 64;

  private final int millis;
  private final List<String> failures = new ArrayList<>();

  private Jcstress(int millis) {
    this.millis = millis;
  }

  /** Runs the tests. */
  public static void main(String[] args) {
    Jcstress run = new Jcstress(args.length > 0 ? Integer.parseInt(args[0]) : 200);
    String only = args.length > 1 ? args[1] : ".*";
    List<String> names = TestList.tests().stream().filter(n -> n.matches(only)).sorted().toList();
    long failed = names.stream().map(TestList::getInfo).filter(test -> !run.passes(test)).count();
    run.failures.forEach(System.out::println);
    System.out.printf(Locale.ROOT, "%d tests, %d failed%n", names.size(), failed);
    System.exit(failed == 0 && !names.isEmpty() ? 0 : 1);
  }

  private boolean passes(TestInfo test) {
    long start = System.nanoTime();
    TestResult result;
    try {
      result = runner(test).run();
    } catch (IOException | ReflectiveOperationException e) {
      throw new IllegalStateException(test.name() + ": not a test of jcstress 0.16", e);
    }
    boolean passed =
        result.status() == Status.NORMAL
            && result.getStateKeys().stream().noneMatch(id -> isForbidden(test, id));
    String line =
        String.format(
            Locale.ROOT,
            "%s %s, %,d samples, %d ms",
            passed ? "passed" : "FAILED",
            test.name(),
            result.getTotalCount(),
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    System.out.println(line);
    if (Boolean.getBoolean("stress.outcomes")) {
      outcomes(test, result).forEach(System.out::println);
    }
    if (!passed) {
      failures.add(line);
      failures.addAll(outcomes(test, result));
    }
    return passed;
  }

  private static List<String> outcomes(TestInfo test, TestResult result) {
    List<String> lines = new ArrayList<>();
    for (String id : result.getStateKeys()) {
      StateCase matched = matched(test, id);
      lines.add(
          String.format(
              Locale.ROOT,
              "  %,12d  %-24s %s: %s",
              result.getCount(id),
              id,
              matched.expect(),
              matched.description()));
    }
    lines.add("  " + result.status());
    result.getMessages().forEach(message -> lines.add("  " + message));
    return lines;
  }

  private static boolean isForbidden(TestInfo test, String id) {
    Expect expect = matched(test, id).expect();
    return expect == Expect.FORBIDDEN || expect == Expect.UNKNOWN;
  }

  private static StateCase matched(TestInfo test, String id) {
    return test.cases().stream().filter(c -> c.matches(id)).findFirst().orElse(test.unmatched());
  }

  private Runner<?> runner(TestInfo test) throws IOException, ReflectiveOperationException {
    try {
      return Class.forName(test.generatedRunner())
          .asSubclass(Runner.class)
          .getConstructor(ForkedTestConfig.class)
          .newInstance(config(test));
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(test.name(), e.getCause());
    }
  }

  /** As jcstress sends it to a JVM that it starts. */
  @SuppressWarnings("EnumOrdinal") // the harness reads the ordinal
  private ForkedTestConfig config(TestInfo test) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(SpinLoopStyle.THREAD_YIELD.ordinal()); // more actors than cores would starve
    out.writeInt(millis);
    out.writeInt(1);
    out.writeUTF(test.generatedRunner());
    out.writeInt(MAX_FOOTPRINT_MB);
    out.writeInt(STRIDE_SIZE);
    out.writeInt(STRIDES);
    out.writeBoolean(false);
    return new ForkedTestConfig(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
  }
}
