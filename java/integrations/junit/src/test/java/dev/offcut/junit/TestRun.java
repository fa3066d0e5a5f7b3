package dev.offcut.junit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * A program that runs classes of tests, with the JUnit of its class path. Its arguments are names
 * of classes, and configuration parameters as {@code name=value}. For each test and class that has
 * ended it prints {@code ===}, how it ended, its name, and what it threw. It prints what they
 * report as {@code === REPORTED}.
 */
public final class TestRun implements TestExecutionListener {
  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  /** Runs the tests. */
  public static void main(String[] args) throws ClassNotFoundException {
    LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
    List<String> classes = new ArrayList<>();
    for (String arg : args) {
      int value = arg.indexOf('=');
      if (value > 0) {
        request.configurationParameter(arg.substring(0, value), arg.substring(value + 1));
      } else {
        classes.add(arg);
      }
    }
    for (String name : classes) {
      request.selectors(selectClass(Class.forName(name, false, TestRun.class.getClassLoader())));
    }
    LauncherFactory.create().execute(request.build(), new TestRun());
  }

  @Override
  public synchronized void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
    out.println(
        "=== REPORTED report of " + test.getDisplayName() + "\n" + entry.getKeyValuePairs());
  }

  @Override
  public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
    StringWriter text = new StringWriter();
    result.getThrowable().ifPresent(thrown -> thrown.printStackTrace(new PrintWriter(text, true)));
    if (test.isTest() || result.getThrowable().isPresent()) {
      out.println("=== " + result.getStatus() + " " + test.getDisplayName() + "\n" + text);
    }
  }
}
