package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.handle.HandleScope.Left;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HandleScopeTest extends HandleTests {
  private final HandleScope scope = new HandleScope();
  private final HandleScope other = new HandleScope();

  @BeforeEach
  void begin() {
    Handles.detection(Detection.FULL);
    Thread tests = Thread.currentThread();
    HandleScope.findBy(stack -> Thread.currentThread() == tests ? scope : other, "");
  }

  @AfterEach
  void end() {
    HandleScope.findBy(null, "");
  }

  @Test
  void closed_isNotLeft() {
    Thing.open(type("closed")).close();

    assertThat(scope.isEmpty()).isFalse();
    assertThat(scope.left()).isEmpty();
    assertThat(other.isEmpty()).isTrue();
  }

  @Test
  void left_isInTheOrderOfTheLines() {
    List<Thing> things =
        List.of(
            Thing.open(type("f")),
            Thing.open(type("e")),
            Thing.open(type("d")),
            Thing.open(type("c")),
            Thing.open(type("b")),
            Thing.open(type("a")));

    assertThat(scope.left())
        .extracting(Left::type)
        .map(name -> name.substring(name.lastIndexOf('.') + 1))
        .containsExactly("f", "e", "d", "c", "b", "a");
    things.forEach(Thing::close);
  }

  @Test
  void callers_areNotRecorded() {
    HandleType type = type("called");
    HandleScope.findBy(stack -> scope, "org.junit.platform.");
    Thing thing = Thing.open(type);

    List<StackTraceElement> site = scope.left().get(0).site();
    assertThat(site.get(0).getMethodName()).isEqualTo("callers_areNotRecorded");
    assertThat(site).noneMatch(frame -> frame.getClassName().startsWith("org.junit.platform."));
    thing.close();
    assertThat(scope.left()).isEmpty();
  }

  @Test
  void youngAndTenured_areLeftUntilClosed() {
    HandleType type = type("open");
    List<Thing> things = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      things.add(Thing.open(type));
      if (i == 49) {
        Reaper.pass(true, true);
      }
    }

    assertThat(scope.left()).hasSize(1);
    Left left = scope.left().get(0);
    assertThat(left.type()).isEqualTo("HandleScopeTest.open");
    assertThat(left.open()).isEqualTo(100);
    assertThat(left.forgotten()).isZero();
    assertThat(left.site().get(0).getMethodName()).isEqualTo("youngAndTenured_areLeftUntilClosed");

    things.forEach(Thing::close);
    assertThat(scope.left()).isEmpty();
  }

  @Test
  void forgotten_isLeftBeforeAndAfterTheNetFoundIt() {
    HandleType type = type("forgotten");
    Thing.forget(type);
    Left before = scope.left().get(0);
    assertThat(before.open() + before.forgotten()).isEqualTo(1);

    assertThat(Handles.drain(LIMIT)).isTrue();
    Left after = scope.left().get(0);
    assertThat(after.open()).isZero();
    assertThat(after.forgotten()).isEqualTo(1);
  }

  /** What came to nothing, and a parent that its last child releases, are not left. */
  @Test
  void openingThatFailedAndDeferredParent_areNotLeft() {
    HandleType parents = named("parent").closeWithChildren(CloseWithChildren.DEFER).create();
    HandleType children = named("child").childOf(parents).create();
    GuardedThing parent = GuardedThing.open(parents);
    Thing child = Thing.openChild(children, parent);
    assertThatThrownBy(() -> Thing.openChild(children, parent, Native.NOTHING))
        .isInstanceOf(IllegalArgumentException.class);
    parent.close();
    assertThatThrownBy(() -> Thing.openChild(children, parent))
        .isInstanceOf(ClosedHandleException.class);
    assertThat(scope.left()).hasSize(2);
    child.close();
    assertThat(scope.left()).isEmpty();
  }

  @Test
  void cleaner_isLeftUntilCleaned() {
    Object object = new Object();
    Cleaner.Cleanable cleanable = Cleaner.create().register(object, () -> {});

    try {
      assertThat(scope.left()).hasSize(1);
      cleanable.clean();
    } finally {
      Reference.reachabilityFence(object);
    }
    assertThat(scope.left()).isEmpty();
  }

  @Test
  void openings_ofOtherThreads_areOfOtherScopes() throws InterruptedException {
    HandleType type = type("threads");
    Thread thread = new Thread(() -> Thing.forget(type));
    thread.start();
    thread.join();

    assertThat(scope.isEmpty()).isTrue();
    assertThat(other.left()).hasSize(1);
  }
}
