package dev.offcut.junit;

import dev.offcut.handle.Detection;
import dev.offcut.handle.HandleScope;
import dev.offcut.handle.Handles;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What Offcut's libraries know: handles, and what has one, such as a pool's arenas and heaps. */
final class HandleLedger extends Ledger {
  @Override
  void begin() {
    HandleScope.findBy(HandleLedger::scope);
    if (Handles.detection() != Detection.FULL) {
      Handles.detection(Detection.FULL);
    }
  }

  private static @Nullable HandleScope scope(List<StackTraceElement> stack) {
    TestScope test = TestScopes.of(stack);
    return test == null ? null : (HandleScope) test.openings(HandleScope::new);
  }

  @Override
  List<Leak> leaks(TestScope scope) {
    if (!(scope.openings() instanceof HandleScope handles)) {
      return List.of();
    }
    return handles.left().stream()
        .map(left -> new Leak(left.type(), left.open(), left.forgotten(), left.site()))
        .toList();
  }
}
