package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.test.OwnLoader;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandleTypeTest {
  private static HandleType.Builder named(String name) {
    return HandleType.named("HandleTypeTest." + name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t"})
  void named_blank_isRefused(String name) {
    assertThatThrownBy(() -> HandleType.named(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("needs a name");
  }

  @Test
  void releaser_capturingLambda_isRefusedWithTheReason() {
    AtomicLong captured = new AtomicLong();
    assertThatThrownBy(() -> named("captures").releaser(captured::set))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("captures a java.util.concurrent.atomic.AtomicLong")
        .hasMessageContaining("never released");
    long local = captured.get();
    assertThatThrownBy(() -> named("captures").releaser(value -> Native.close(value + local)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("captures a long");
  }

  @Test
  void releaser_objectWithFields_isRefused() {
    assertThatThrownBy(() -> named("fields").releaser(new WithInheritedField()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("captures a java.lang.Object");
  }

  private static class WithField {
    Object state = this;

    @Override
    public String toString() {
      return "state of " + state.getClass();
    }
  }

  private static final class WithInheritedField extends WithField implements Releaser {
    @Override
    public void release(long value) {
      Native.close(value);
    }
  }

  @Test
  void releaser_withoutState_isAccepted() {
    named("lambda").releaser(value -> Native.close(value)).create();
    named("reference").releaser(Native::close).create();
    named("stateless").releaser(new Stateless()).create();
  }

  private static final class Stateless implements Releaser {
    static final AtomicLong NOT_CAPTURED = new AtomicLong();

    @Override
    public void release(long value) {
      NOT_CAPTURED.set(value);
    }
  }

  @Test
  void create_withoutReleaser_isRefused() {
    assertThatThrownBy(() -> named("none").create())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has no releaser");
  }

  @Test
  void waitLimit_withoutItsPolicy_isRefused() {
    for (Duration limit : new Duration[] {Duration.ZERO, Duration.ofNanos(-1)}) {
      assertThatThrownBy(() -> named("limit").waitLimit(limit))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(" s is not above zero");
    }
    HandleType.Builder without =
        named("without").releaser(Native::close).closeInUse(CloseInUse.WAIT);
    assertThatThrownBy(without::create)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("add waitLimit");
    HandleType.Builder alone =
        named("alone").releaser(Native::close).waitLimit(Duration.ofSeconds(1));
    assertThatThrownBy(alone::create)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is for closeInUse(WAIT)");
    assertThat(without.waitLimit(Duration.ofSeconds(1)).create().waitLimit)
        .isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void open_plainHandleOfATypeWithAPolicy_isRefused() {
    HandleType inUse =
        named("in use").releaser(Native::close).closeInUse(CloseInUse.DEFER).create();
    HandleType children =
        named("children")
            .releaser(Native::close)
            .closeWithChildren(CloseWithChildren.CASCADE)
            .create();
    for (HandleType type : new HandleType[] {inUse, children}) {
      assertThatThrownBy(() -> Thing.open(type))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("only a GuardedHandle supports one")
          .hasMessageContaining(Thing.class.getName());
      assertThat(Handles.snapshot().of(type).opened()).isZero();
    }
  }

  // A class loader must not be kept by its types once their handles are closed.

  @ParameterizedTest
  @ValueSource(strings = {"young", "tenured", "forgotten"})
  void classLoader_ofATypeWhoseHandlesAreGone_canGo(String how) throws Exception {
    WeakReference<ClassLoader> loader = use(how);
    for (int i = 0; i < 50 && !loader.refersTo(null); i++) {
      Handles.drain(Duration.ofSeconds(5));
    }
    assertThat(loader.refersTo(null)).isTrue();
  }

  private static WeakReference<ClassLoader> use(String how) throws Exception {
    ClassLoader loader = new OwnLoader(LoadedElsewhere.class.getName());
    Class<?> program = loader.loadClass(LoadedElsewhere.class.getName());
    assertThat(program.getClassLoader()).isSameAs(loader);
    @SuppressWarnings("unchecked")
    var run = (Callable<Object>) program.getConstructor(String.class).newInstance(how);
    run.call();
    return new WeakReference<>(loader);
  }
}
