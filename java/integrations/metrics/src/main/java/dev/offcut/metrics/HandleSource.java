package dev.offcut.metrics;

import dev.offcut.handle.HandleSnapshot;
import dev.offcut.handle.Handles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The handles of the copy of {@code dev.offcut.handle} that this library sees, by type. */
final class HandleSource extends Source {
  private static final double NANOS = 1e9;

  private final Names types = new Names();

  HandleSource() {
    super("handles", "dev.offcut.handle.Handles");
  }

  /** Adds the call sites of forgotten handles, as far as they were recorded. */
  static void addSites(List<Map<String, Object>> to) {
    for (HandleSnapshot.OfType each : Handles.snapshot().types()) {
      each.sites()
          .forEach(
              (stack, forgotten) -> {
                Map<String, Object> site = new LinkedHashMap<>();
                site.put("type", each.name());
                site.put("forgotten", forgotten);
                site.put("stack", stack.stream().map(StackTraceElement::toString).toList());
                to.add(site);
              });
    }
  }

  /** Types of one name are one series. */
  @Override
  boolean read(Readings to) {
    for (HandleSnapshot.OfType each : Handles.snapshot().types()) {
      String type = types.of(each.name());
      to.add(Metric.HANDLE_OPENED, type, each.opened());
      to.add(Metric.HANDLE_CLOSED, type, each.closed());
      to.add(Metric.HANDLE_FORGOTTEN, type, each.forgotten());
      to.add(Metric.HANDLE_OPEN, type, each.open());
      to.add(Metric.HANDLE_PROMOTED, type, each.promoted());
      to.add(Metric.HANDLE_PINNED, type, each.pinned());
      to.add(Metric.HANDLE_FAILURES, type, each.failures());
      to.raise(Metric.HANDLE_OLDEST, type, each.oldest().toNanos() / NANOS);
    }
    return true;
  }
}
