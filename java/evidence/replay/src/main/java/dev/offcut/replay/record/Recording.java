package dev.offcut.replay.record;

import dev.offcut.replay.record.Recorder.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedClassLoader;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/** What a recording says of class loaders, in the order in which it happened. */
final class Recording {
  /** The boot loader, which has no object. */
  static final long BOOT = 0;

  /** A class came to be, or went. */
  sealed interface Event {
    Instant time();

    long loader();
  }

  /** {@code loaderType} is empty for the boot loader. */
  record Defined(Instant time, long loader, String loaderType, String className, boolean hidden)
      implements Event {}

  /** A class was unloaded. */
  record Unloaded(Instant time, long loader, String className) implements Event {}

  /**
   * A loader at the end.
   *
   * @param classes those of its own, and hidden ones
   * @param blockBytes of both in both spaces
   */
  record Totals(long classes, long blockBytes) {}

  private final List<Event> events = new ArrayList<>();
  private final Map<String, String> properties = new HashMap<>();
  private final Map<Long, RecordedEvent> statistics = new HashMap<>();

  private Recording() {}

  static Recording read(Path file) throws IOException {
    Recording recording = new Recording();
    try (RecordingFile jfr = new RecordingFile(file)) {
      while (jfr.hasMoreEvents()) {
        recording.take(jfr.readEvent());
      }
    }
    recording.events.sort(Comparator.comparing(Event::time));
    return recording;
  }

  List<Event> events() {
    return events;
  }

  /** The program's system property, as it was at the start. */
  String property(String name) {
    return properties.getOrDefault(name, "");
  }

  /** By loader, of those that were there at the end. */
  Map<Long, Totals> totals() {
    long unit = isInWords() ? Long.BYTES : 1;
    Map<Long, Totals> totals = new HashMap<>();
    statistics.forEach((loader, event) -> totals.put(loader, totals(event, unit)));
    return totals;
  }

  private static Totals totals(RecordedEvent event, long unit) {
    return new Totals(
        event.getLong("classCount") + event.getLong("hiddenClassCount"),
        unit * (event.getLong("blockSize") + event.getLong("hiddenBlockSize")));
  }

  /**
   * Older JVMs give the sizes of chunks in words, though the event says bytes. The smallest chunk
   * has 1 KiB, which is 128 words.
   */
  private boolean isInWords() {
    return statistics.values().stream().anyMatch(event -> event.getLong("chunkSize") % 1024 != 0);
  }

  private void take(RecordedEvent event) {
    switch (event.getEventType().getName()) {
      case Settings.CLASS_DEFINE -> defined(event);
      case Settings.CLASS_UNLOAD -> unloaded(event);
      case Settings.LOADER_STATISTICS ->
          statistics.put(loader(event.getValue("classLoader")), event);
      case Settings.PROPERTY ->
          properties.put(event.getString("key"), String.valueOf(event.getString("value")));
      default -> {}
    }
  }

  private void defined(RecordedEvent event) {
    RecordedClass type = event.getClass("definedClass");
    RecordedClassLoader loader = event.getValue("definingClassLoader");
    if (type != null) {
      RecordedClass loaderType = loader == null ? null : loader.getType();
      String loaderName = loaderType == null ? "" : loaderType.getName();
      events.add(
          new Defined(
              event.getStartTime(), loader(loader), loaderName, type.getName(), isHidden(type)));
    }
  }

  private void unloaded(RecordedEvent event) {
    RecordedClass type = event.getClass("unloadedClass");
    if (type != null) {
      long loader = loader(event.getValue("definingClassLoader"));
      events.add(new Unloaded(event.getStartTime(), loader, type.getName()));
    }
  }

  private static boolean isHidden(RecordedClass type) {
    return type.hasField("hidden") && type.getBoolean("hidden");
  }

  private static long loader(@Nullable RecordedClassLoader loader) {
    return loader == null ? BOOT : loader.getId();
  }
}
