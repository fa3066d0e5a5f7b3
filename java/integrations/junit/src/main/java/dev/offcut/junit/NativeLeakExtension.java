package dev.offcut.junit;

import dev.offcut.junit.TestScopes.Place;
import java.lang.ref.WeakReference;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * What {@link NoNativeLeaks} does, for JUnit Jupiter. Where JUnit detects extensions automatically,
 * it does nothing for tests without the annotation.
 */
public final class NativeLeakExtension
    implements BeforeAllCallback, BeforeEachCallback, InvocationInterceptor {
  private static final Namespace NAMESPACE = Namespace.create(NativeLeakExtension.class);
  private static final String PARALLEL = "junit.jupiter.execution.parallel.enabled";

  /** The root of the last run that has begun. A race begins it twice, which changes nothing. */
  private static volatile WeakReference<ExtensionContext> begun = new WeakReference<>(null);

  /** A test whose instance was made on this thread, and which has not begun. */
  private static final ThreadLocal<@Nullable Pending> PENDING = new ThreadLocal<>();

  private record Pending(Place place, Class<?> type) {}

  /** Makes the extension; JUnit calls this. */
  public NativeLeakExtension() {}

  // The class.

  @Override
  public void beforeAll(ExtensionContext context) {
    if (isChecked(context)) {
      ofClass(context);
    }
  }

  /** The scope of the class of a context, from the first time on until the class ends. */
  private static TestScope ofClass(ExtensionContext context) {
    ExtensionContext classContext = context;
    while (classContext.getTestMethod().isPresent() && classContext.getParent().isPresent()) {
      classContext = classContext.getParent().get();
    }
    ExtensionContext its = classContext;
    return made(its, RunningClass.class, () -> new RunningClass(its)).scope;
  }

  /** Of one context: a store has what the stores above it have, too. */
  private record Key(String context, Class<?> type) {}

  /** What the store of a context has of a class, made at the first time. */
  @SuppressWarnings("deprecation") // JUnit 5 has no other method for it
  private static <T> T made(ExtensionContext context, Class<T> type, Supplier<T> supplier) {
    Key key = new Key(context.getUniqueId(), type);
    return Objects.requireNonNull(
        context.getStore(NAMESPACE).getOrComputeIfAbsent(key, unseen -> supplier.get(), type));
  }

  /** A class whose tests run. JUnit closes it after {@code @AfterAll}. */
  @SuppressWarnings("deprecation") // JUnit before 5.13 closes nothing else
  private static final class RunningClass implements Store.CloseableResource, AutoCloseable {
    final TestScope scope;
    private final ExtensionContext context;

    RunningClass(ExtensionContext context) {
      this.context = context;
      checkLists(context);
      scope = new TestScope(context.getRequiredTestClass(), null, null);
    }

    @Override
    public void close() {
      NativeLeakError error =
          Checks.endOfClass(scope, sentence -> context.publishReportEntry("offcut", sentence));
      if (error != null) {
        throw error;
      }
    }
  }

  /** Fails who has a string that ignores nothing, or everything. */
  private static void checkLists(ExtensionContext context) {
    String problem =
        Ignored.begin(
            context.getRequiredTestClass(),
            context.getTestMethod().orElse(null),
            context.getConfigurationParameter(Ignored.FILE).orElse(null));
    if (problem != null) {
      throw new ExtensionConfigurationException("@NoNativeLeaks " + problem);
    }
  }

  // The test.

  @Override
  public void beforeEach(ExtensionContext context) {
    Pending pending = PENDING.get();
    if (pending != null) {
      PENDING.set(null); // no remove: the next test on this thread sets it again
    }
    if (!isChecked(context)) {
      if (pending != null) {
        TestScopes.leave(pending.place);
      }
      return;
    }
    Place place =
        pending != null
            ? pending.place
            : TestScopes.enter(
                new TestScope(context.getRequiredTestClass(), null, ofClass(context)));
    TestScope test = place.scope;
    try {
      checkLists(context);
    } catch (ExtensionConfigurationException e) {
      TestScopes.leave(place);
      throw e;
    }
    Method method = context.getTestMethod().orElse(null);
    test.name(context.getRequiredTestClass(), method, context.getDisplayName(), isShared(context));
    AtEnd atEnd = new AtEnd(() -> end(place));
    context.getStore(NAMESPACE).put(AtEnd.class, atEnd);
    TestScopes.begin(test);
  }

  /** What JUnit closes: after everything else of a test, or after the last test of all. */
  @SuppressWarnings("deprecation") // as above
  private record AtEnd(Supplier<@Nullable NativeLeakError> check)
      implements Store.CloseableResource, AutoCloseable {
    @Override
    public void close() {
      NativeLeakError error = check.get();
      if (error != null) {
        throw error;
      }
    }
  }

  private static @Nullable NativeLeakError end(Place place) {
    TestScopes.leave(place);
    return Checks.endOfTest(place.scope);
  }

  @Override
  public <T> T interceptTestClassConstructor(
      Invocation<T> invocation,
      ReflectiveInvocationContext<Constructor<T>> called,
      ExtensionContext context)
      throws Throwable {
    Class<?> type = called.getTargetClass();
    if (!isCheckedAnywhere(type)) {
      return invocation.proceed();
    }
    begin(context);
    if (context.getTestInstanceLifecycle().orElse(Lifecycle.PER_METHOD) == Lifecycle.PER_CLASS) {
      return within(ofClass(context), invocation);
    }
    Pending outer = PENDING.get();
    if (outer != null && outer.type == type.getEnclosingClass()) {
      PENDING.set(new Pending(outer.place, type));
      return invocation.proceed();
    }
    if (outer != null) { // its test never began
      TestScopes.leave(outer.place);
    }
    Place place = TestScopes.enter(new TestScope(type, null, ofClass(context)));
    PENDING.set(new Pending(place, type));
    try {
      return invocation.proceed();
    } catch (Throwable t) {
      PENDING.remove();
      throw endAfter(t, place);
    }
  }

  /** Ends a test that has failed by itself: its own failure comes first. */
  private static Throwable endAfter(Throwable failure, Place place) {
    NativeLeakError error = end(place);
    if (error != null) {
      failure.addSuppressed(error);
    }
    return failure;
  }

  @Override
  public void interceptBeforeAllMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> called,
      ExtensionContext context)
      throws Throwable {
    ofClass(invocation, context);
  }

  @Override
  public void interceptAfterAllMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> called,
      ExtensionContext context)
      throws Throwable {
    ofClass(invocation, context);
  }

  private static void ofClass(Invocation<@Nullable Void> invocation, ExtensionContext context)
      throws Throwable {
    if (isChecked(context)) {
      within(ofClass(context), invocation);
    } else {
      invocation.proceed();
    }
  }

  private static <T extends @Nullable Object> T within(TestScope scope, Invocation<T> invocation)
      throws Throwable {
    Place place = TestScopes.enter(scope);
    try {
      return invocation.proceed();
    } finally {
      TestScopes.leave(place);
    }
  }

  /** A dynamic test is a test of its own, within that of its factory. */
  @Override
  public void interceptDynamicTest(
      Invocation<@Nullable Void> invocation,
      DynamicTestInvocationContext called,
      ExtensionContext context)
      throws Throwable {
    ExtensionContext ofFactory = context;
    while (ofFactory.getTestMethod().isEmpty() && ofFactory.getParent().isPresent()) {
      ofFactory = ofFactory.getParent().get();
    }
    if (!isChecked(ofFactory)) {
      invocation.proceed();
      return;
    }
    String name =
        TestScope.name(
                ofFactory.getRequiredTestClass(),
                ofFactory.getTestMethod().orElse(null),
                ofFactory.getDisplayName())
            + ", "
            + context.getDisplayName();
    Place place =
        TestScopes.enter(new TestScope(ofFactory.getRequiredTestClass(), name, ofClass(ofFactory)));
    place.scope.madeBy(ofFactory.getTestMethod().orElse(null));
    TestScopes.begin(place.scope);
    try {
      invocation.proceed();
    } catch (Throwable t) {
      throw endAfter(t, place);
    }
    new AtEnd(() -> end(place)).close();
  }

  // Who is checked.

  private static boolean isChecked(ExtensionContext context) {
    boolean checked = isAnyChecked(context);
    if (checked) {
      begin(context);
    }
    return checked;
  }

  private static boolean isAnyChecked(ExtensionContext context) {
    Class<?> type = context.getTestClass().orElse(null);
    if (type != null && isClassChecked(type)) {
      return true;
    }
    AnnotatedElement element = context.getElement().orElse(null);
    Method method = context.getTestMethod().orElse(null);
    return (element != null && isAnnotated(element)) || (method != null && isAnnotated(method));
  }

  /** Whether a class, one around it or its package has the annotation. */
  private static boolean isClassChecked(Class<?> type) {
    for (Class<?> at = type; at != null; at = at.getEnclosingClass()) {
      if (isAnnotated(at)) {
        return true;
      }
    }
    Package in = type.getPackage();
    return in != null && isAnnotated(in);
  }

  private static boolean isAnnotated(AnnotatedElement element) {
    return element.isAnnotationPresent(NoNativeLeaks.class);
  }

  /** Whether some test of a class may be checked: which one is not known yet. */
  private static boolean isCheckedAnywhere(Class<?> type) {
    if (isClassChecked(type)) {
      return true;
    }
    for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
      for (Method method : at.getDeclaredMethods()) {
        if (isAnnotated(method)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isShared(ExtensionContext context) {
    return Stream.of(context.getTestMethod(), context.getTestClass())
        .flatMap(Optional::stream)
        .anyMatch(element -> element.isAnnotationPresent(Shared.class));
  }

  private static void begin(ExtensionContext context) {
    ExtensionContext root = context.getRoot();
    if (!begun.refersTo(root)) {
      begin(root, context);
      begun = new WeakReference<>(root);
    }
    for (Ledger ledger : Ledger.all()) {
      ledger.begin(); // a test may have changed what is recorded
    }
  }

  private static void begin(ExtensionContext root, ExtensionContext context) {
    String problem = Ledger.problem();
    if (problem != null) {
      throw new ExtensionConfigurationException("@NoNativeLeaks " + problem);
    }
    TestScopes.areParallel(
        context.getConfigurationParameter(PARALLEL).filter(Boolean::parseBoolean).isPresent());
    String remark = Ledger.remark();
    if (remark != null) {
      Checks.sayOnce(remark);
    }
    made(root, AtEnd.class, () -> new AtEnd(Checks::endOfRun));
  }
}
