package dev.offcut.junit;

import dev.offcut.junit.TestScopes.Place;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.testng.IConfigurationListener;
import org.testng.IDataProviderMethod;
import org.testng.IExecutionListener;
import org.testng.IInvokedMethod;
import org.testng.IInvokedMethodListener;
import org.testng.ITestContext;
import org.testng.ITestListener;
import org.testng.ITestNGMethod;
import org.testng.ITestResult;
import org.testng.Reporter;
import org.testng.annotations.AfterMethod;
import org.testng.xml.XmlSuite.ParallelMode;

/**
 * What {@link NoNativeLeaks} does, for TestNG, which finds it by itself. It does nothing for tests
 * without the annotation.
 *
 * <p>TestNG reports a test before the test's {@code @AfterMethod} methods run. So a test without
 * such methods fails itself; with some, the last one of them fails, and the message names the test.
 * Later tests run nevertheless. What {@code @BeforeClass} leaves open fails the last
 * {@code @AfterClass} method. If there is none, and for skipped tests, the run fails at its end.
 */
public final class NativeLeakListener
    implements IInvokedMethodListener, IConfigurationListener, ITestListener, IExecutionListener {
  private static final Checks.Words WORDS =
      new Checks.Words("@AfterMethod", "@BeforeClass", "@AfterClass");

  /**
   * The test of a thread, from its first {@code @BeforeMethod} to its last {@code @AfterMethod}.
   */
  private static final ThreadLocal<@Nullable RunningTest> TEST = new ThreadLocal<>();

  /** What a thread runs for a test or a class, while it does. */
  private static final ThreadLocal<@Nullable Place> PLACE = new ThreadLocal<>();

  /** The tests of all threads. Who takes one out ends it. */
  private static final Set<RunningTest> RUNNING = ConcurrentHashMap.newKeySet();

  /** By instance: TestNG may run several of a class. Guarded by itself. */
  private static final IdentityHashMap<Object, RunningClass> CLASSES = new IdentityHashMap<>();

  /** Failures without a method that could fail for them. */
  private static final ConcurrentLinkedQueue<NativeLeakError> LEFT = new ConcurrentLinkedQueue<>();

  private static volatile boolean parallel;

  private record RunningClass(TestScope scope, ITestContext context) {}

  /** Makes the listener; TestNG calls this. */
  public NativeLeakListener() {}

  private static final class RunningTest {
    final TestScope scope;
    private final ITestNGMethod method;
    private final Object instance;
    private final ITestContext context;
    private boolean hasRun;

    RunningTest(TestScope scope, ITestNGMethod method, Object instance, ITestContext context) {
      this.scope = scope;
      this.method = method;
      this.instance = instance;
      this.context = context;
    }

    boolean isOf(ITestNGMethod its, Object of) {
      return instance == of && method.getConstructorOrMethod().equals(its.getConstructorOrMethod());
    }

    /** The method after it that runs last; null if there is none. */
    @Nullable Method last() {
      ITestNGMethod[] all = method.getTestClass().getAfterTestMethods();
      for (int i = all.length - 1; i >= 0; i--) {
        Method after = all[i].getConstructorOrMethod().getMethod();
        if (runsAfter(after.getAnnotation(AfterMethod.class))) {
          return after;
        }
      }
      return null;
    }

    private boolean runsAfter(@Nullable AfterMethod after) {
      if (after == null) {
        return true;
      }
      List<String> groups = Arrays.asList(method.getGroups());
      return !after.lastTimeOnly()
          && (after.onlyForGroups().length == 0
              || Arrays.stream(after.onlyForGroups()).anyMatch(groups::contains));
    }
  }

  // Before.

  @Override
  public void beforeConfiguration(ITestResult result, @Nullable ITestNGMethod test) {
    Object instance = result.getInstance();
    ITestNGMethod called = result.getMethod();
    if (instance == null) {
      return;
    }
    if (test != null
        && (called.isBeforeMethodConfiguration() || called.isAfterMethodConfiguration())) {
      RunningTest running = running(result, test, instance, called.isBeforeMethodConfiguration());
      if (running != null) {
        enter(running.scope);
      }
    } else if ((called.isBeforeClassConfiguration() || called.isAfterClassConfiguration())
        && Checks.isClassChecked(instance.getClass())) {
      begin(result, called);
      enter(ofClass(instance, result.getTestContext()));
    }
  }

  @Override
  public void beforeInvocation(IInvokedMethod invoked, ITestResult result) {
    Object instance = result.getInstance();
    if (!invoked.isTestMethod() || instance == null) {
      return;
    }
    ITestNGMethod method = result.getMethod();
    RunningTest running = running(result, method, instance, true);
    if (running != null) {
      Object[] arguments = result.getParameters();
      String name = method.getMethodName() + "(";
      running.scope.name(
          instance.getClass(),
          method.getConstructorOrMethod().getMethod(),
          arguments == null || arguments.length == 0 ? name : Arrays.toString(arguments),
          Checks.isShared(method.getConstructorOrMethod().getMethod(), instance.getClass()));
      running.hasRun = true;
      enter(running.scope);
    }
  }

  /**
   * The test of this thread; null if it is not checked.
   *
   * @param begins whether the test has not run yet
   */
  private static @Nullable RunningTest running(
      ITestResult result, ITestNGMethod test, Object instance, boolean begins) {
    RunningTest running = TEST.get();
    if (running != null && running.isOf(test, instance) && !(begins && running.hasRun)) {
      return running;
    }
    if (running != null) { // a method after it did not run, since another one failed
      addLeft(end(running));
    }
    Method method = test.getConstructorOrMethod().getMethod();
    Class<?> type = instance.getClass();
    if (!begins || !(Checks.isClassChecked(type) || Checks.isAnnotated(method))) {
      return null;
    }
    begin(result, test);
    TestScope scope = new TestScope(type, null, ofClass(instance, result.getTestContext()));
    scope.name(type, method, method.getName() + "(", Checks.isShared(method, type));
    RunningTest made = new RunningTest(scope, test, instance, result.getTestContext());
    TEST.set(made);
    RUNNING.add(made);
    TestScopes.begin(scope);
    return made;
  }

  private static void enter(TestScope scope) {
    PLACE.set(TestScopes.enter(scope));
  }

  private static TestScope ofClass(Object instance, ITestContext context) {
    synchronized (CLASSES) {
      return CLASSES.computeIfAbsent(
              instance,
              unseen -> new RunningClass(new TestScope(instance.getClass(), null, null), context))
          .scope;
    }
  }

  private static void begin(ITestResult result, ITestNGMethod method) {
    Checks.remarkOnce();
    problem(result, method);
    for (Ledger ledger : Ledger.all()) {
      ledger.begin(); // a test may have changed what is recorded
    }
    ITestContext context = result.getTestContext();
    IDataProviderMethod data = method.getDataProviderMethod();
    if (context.getSuite().getXmlSuite().getParallel() != ParallelMode.NONE
        || context.getCurrentXmlTest().getParallel() != ParallelMode.NONE
        || method.getThreadPoolSize() > 1
        || (data != null && data.isParallel())) {
      parallel = true;
    }
    TestScopes.areParallel(parallel);
  }

  // After.

  @Override
  public void afterInvocation(IInvokedMethod invoked, ITestResult result) {
    Place place = PLACE.get();
    if (place == null) {
      return;
    }
    PLACE.remove();
    TestScopes.leave(place);
    ITestNGMethod called = result.getMethod();
    RunningTest running = TEST.get();
    if (called.isAfterClassConfiguration()) {
      ITestNGMethod[] all = called.getTestClass().getAfterClassMethods();
      if (isSame(called, all[all.length - 1].getConstructorOrMethod().getMethod())) {
        fail(result, endOfClass(result.getInstance()));
      }
    } else if (running != null && (invoked.isTestMethod() || called.isAfterMethodConfiguration())) {
      Method last = running.last();
      if (last == null ? invoked.isTestMethod() : isSame(called, last)) {
        fail(result, end(running));
      }
    }
    String problem = problem(result, called);
    if (problem != null && invoked.isTestMethod()) {
      fail(result, new NativeLeakError("@NoNativeLeaks " + problem, List.of()));
    }
  }

  /** Why a test cannot be checked; null if it can. */
  private static @Nullable String problem(ITestResult result, ITestNGMethod method) {
    String problem = Ledger.problem();
    return problem != null
        ? problem
        : Ignored.begin(
            result.getInstance().getClass(),
            method.getConstructorOrMethod().getMethod(),
            System.getProperty(Ignored.FILE));
  }

  /** Ends a test, if nobody has. */
  private static @Nullable NativeLeakError end(RunningTest running) {
    if (TEST.get() == running) {
      TEST.remove();
    }
    return RUNNING.remove(running) ? Checks.endOfTest(running.scope, WORDS) : null;
  }

  private static boolean isSame(ITestNGMethod called, Method method) {
    return method.equals(called.getConstructorOrMethod().getMethod());
  }

  /** TestNG reports what a method's result says when all listeners have seen it. */
  private static void fail(ITestResult result, @Nullable NativeLeakError error) {
    if (error == null) {
      return;
    }
    Throwable own = result.getThrowable();
    if (own != null && result.getStatus() == ITestResult.FAILURE) {
      own.addSuppressed(error); // its own failure comes first
      return;
    }
    if (result.getStatus() == ITestResult.SKIP) { // TestNG reports that, whatever the result says
      LEFT.add(error);
      return;
    }
    result.setStatus(ITestResult.FAILURE);
    result.setThrowable(error);
  }

  private static @Nullable NativeLeakError endOfClass(Object instance) {
    RunningClass running;
    synchronized (CLASSES) {
      running = CLASSES.remove(instance);
    }
    return running == null ? null : Checks.endOfClass(running.scope, WORDS, Reporter::log);
  }

  private static void addLeft(@Nullable NativeLeakError error) {
    if (error != null) {
      LEFT.add(error);
    }
  }

  @Override
  public void onFinish(ITestContext context) {
    for (RunningTest running : RUNNING) {
      if (running.context == context) {
        addLeft(end(running));
      }
    }
    List<Object> instances = new ArrayList<>();
    synchronized (CLASSES) {
      CLASSES.forEach(
          (instance, running) -> {
            if (running.context == context) {
              instances.add(instance);
            }
          });
    }
    for (Object instance : instances) {
      addLeft(endOfClass(instance));
    }
  }

  /** Fails the run for what no method could fail for: TestNG has reported all else by then. */
  @Override
  public void onExecutionFinish() {
    @Nullable NativeLeakError error = null;
    for (NativeLeakError one = LEFT.poll(); one != null; one = LEFT.poll()) {
      System.err.println("offcut: " + one.getMessage());
      error = Checks.with(error, one);
    }
    error = Checks.with(error, Checks.endOfRun());
    parallel = false;
    if (error != null) {
      throw error;
    }
  }
}
