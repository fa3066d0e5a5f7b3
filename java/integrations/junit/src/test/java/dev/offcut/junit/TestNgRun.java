package dev.offcut.junit;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.testng.IConfigurationListener;
import org.testng.ITestListener;
import org.testng.ITestResult;
import org.testng.Reporter;
import org.testng.TestNG;

/**
 * A program that runs classes of tests with TestNG. Its arguments are the names of the classes. For
 * each test that has ended, and each method around tests that failed, it prints {@code ===}, how it
 * ended, its name with its arguments, and what it threw; at the end, how the run ended and what it
 * threw; then what TestNG's report has of them.
 */
public final class TestNgRun implements ITestListener, IConfigurationListener {
  private final Map<String, Integer> count = new HashMap<>();
  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  /** Runs the tests. */
  public static void main(String[] args) throws ClassNotFoundException {
    TestNG run = new TestNG(false);
    TestNgRun listener = new TestNgRun();
    run.addListener(listener);
    run.setVerbose(0);
    Class<?>[] classes = new Class<?>[args.length];
    for (int i = 0; i < args.length; i++) {
      classes[i] = Class.forName(args[i], false, TestNgRun.class.getClassLoader());
    }
    run.setTestClasses(classes);
    try {
      run.run();
      listener.print("run", run.hasFailure() ? "FAILED" : "SUCCESSFUL", null);
    } catch (NativeLeakError e) {
      listener.print("run", "THROWN", e);
    }
    if (!Reporter.getOutput().isEmpty()) {
      listener.out.println("=== REPORTED report\n" + String.join("\n", Reporter.getOutput()));
    }
  }

  private synchronized void print(String name, String status, @Nullable Throwable thrown) {
    StringWriter text = new StringWriter();
    if (thrown != null) {
      thrown.printStackTrace(new PrintWriter(text, true));
    }
    int times = count.merge(name, 1, Integer::sum);
    out.println("=== " + status + " " + name + (times == 1 ? "" : " " + times) + "\n" + text);
  }

  private void print(ITestResult result, String status) {
    Object[] arguments = result.getParameters();
    boolean has = arguments.length > 0 && result.getMethod().isTest();
    print(result.getName() + (has ? Arrays.toString(arguments) : ""), status, thrown(result));
  }

  private static @Nullable Throwable thrown(ITestResult result) {
    return result.getStatus() == ITestResult.FAILURE ? result.getThrowable() : null;
  }

  @Override
  public void onTestSuccess(ITestResult result) {
    print(result, "SUCCESSFUL");
  }

  @Override
  public void onTestFailure(ITestResult result) {
    print(result, "FAILED");
  }

  @Override
  public void onTestSkipped(ITestResult result) {
    print(result, "SKIPPED");
  }

  @Override
  public void onConfigurationFailure(ITestResult result) {
    print(result, "FAILED");
  }
}
