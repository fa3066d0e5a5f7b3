package dev.offcut.junit;

import dev.offcut.handle.Detection;
import dev.offcut.handle.HandleScope;
import dev.offcut.handle.Handles;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What Offcut's libraries know: handles, what has one, such as a pool's arenas and heaps, and what
 * they note, such as a pool's owners.
 */
final class HandleLedger extends Ledger {
  private final AtomicBoolean begun = new AtomicBoolean();

  @Override
  void begin() {
    if (begun.compareAndSet(false, true)) {
      HandleScope.findBy(this::scope, TestScopes.CALLER);
    }
    if (Handles.detection() != Detection.FULL) {
      Handles.detection(Detection.FULL);
    }
  }

  private @Nullable HandleScope scope(List<StackTraceElement> stack) {
    TestScope test = TestScopes.of(stack);
    return test == null ? null : (HandleScope) test.openings(this, HandleScope::new);
  }

  @Override
  List<Leak> leaks(TestScope scope, boolean collected) {
    if (!(scope.openings(this) instanceof HandleScope handles)) {
      return List.of();
    }
    return Leak.byLine(
        handles.left().stream()
            .map(left -> new Leak(left.type(), left.open(), left.forgotten(), left.site()))
            .toList());
  }
}
