package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Period;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recordings read back, and the names of {@code spec/names.json}. */
final class EventsTest {
  private static final List<Class<? extends jdk.jfr.Event>> EVENTS =
      List.of(
          Events.MemoryLimit.class,
          Events.PoolConfiguration.class,
          Events.PoolStatistics.class,
          Events.PoolMap.class,
          Events.OwnerStatistics.class);

  private static List<RecordedEvent> record(String event, Runnable program) throws IOException {
    try (Recording recording = new Recording()) {
      recording.enable(event);
      recording.start();
      program.run();
      return stop(recording, event);
    }
  }

  private static List<RecordedEvent> stop(Recording recording, String name) throws IOException {
    recording.stop();
    Path file = Files.createTempFile("events", ".jfr");
    recording.dump(file);
    List<RecordedEvent> all = new ArrayList<>(RecordingFile.readAllEvents(file));
    Files.delete(file);
    all.removeIf(event -> !event.getEventType().getName().equals(name));
    return all;
  }

  @Test
  void refusedRequest_isAnEventWithItsStack() throws IOException {
    try (MemoryPool pool = MemoryPool.named("refusing").create()) {
      Owner owner = pool.owner().child("small").hardLimit(1 << 20).create();
      Owner child = owner.child("asking").create();
      List<RecordedEvent> events =
          record(
              "offcut.MemoryLimit",
              () ->
                  assertThatThrownBy(() -> child.allocateChunk(2 << 20))
                      .isInstanceOf(MemoryLimitException.class));
      assertThat(events).hasSize(1);
      RecordedEvent event = events.getFirst();
      assertThat(event.getString("pool")).isEqualTo("refusing");
      assertThat(event.getString("owner")).isEqualTo(child.path());
      assertThat(event.getString("limitedBy")).isEqualTo(owner.path());
      assertThat(event.getLong("requested")).isEqualTo(2 << 20);
      assertThat(event.getLong("limit")).isEqualTo(1 << 20);
      assertThat(event.getStackTrace().getFrames())
          .anyMatch(frame -> frame.getMethod().getName().equals("allocateChunk"));
    }
  }

  @Test
  void statistics_ofPoolsAndOwners_arePeriodic() throws InterruptedException {
    try (MemoryPool pool = MemoryPool.named("periodic").create()) {
      Owner owner = pool.owner().child("busy").create();
      long chunk = owner.allocateChunk(64 << 10);
      Reservation reservation = owner.reserve(12_345);
      Map<String, RecordedEvent> seen = new ConcurrentHashMap<>();
      CountDownLatch both = new CountDownLatch(2);
      try (RecordingStream stream = new RecordingStream()) {
        stream.setReuse(false);
        for (String name : List.of("offcut.PoolStatistics", "offcut.OwnerStatistics")) {
          stream.enable(name).withPeriod(Duration.ofMillis(100));
          stream.onEvent(
              name,
              event -> {
                boolean ours =
                    event.getString("pool").equals("periodic")
                        && (!event.hasField("owner")
                            || event.getString("owner").equals(owner.path()));
                if (ours && seen.putIfAbsent(name, event) == null) {
                  both.countDown();
                }
              });
        }
        stream.startAsync();
        assertThat(both.await(5, TimeUnit.MINUTES)).isTrue();
      }
      for (RecordedEvent event : seen.values()) {
        assertThat(event.getLong("handedOut")).isEqualTo(64 << 10);
        assertThat(event.getLong("committed")).isEqualTo(64 << 10);
        assertThat(event.getLong("external")).isEqualTo(12_345);
      }
      reservation.close();
      pool.freeChunk(chunk);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"offcut.PoolStatistics", "offcut.OwnerStatistics", "offcut.PoolMap"})
  void statistics_atTheEndOfAChunk_areTheLast(String name) throws IOException {
    try (MemoryPool pool = MemoryPool.named("ending").create()) {
      List<RecordedEvent> statistics = List.of();
      // Once more if this JVM's first recorder was just being heard of.
      for (int turn = 0; statistics.isEmpty() && turn < 100; turn++) {
        statistics = statisticsOf(pool, name);
      }
      RecordedEvent last = statistics.getLast();
      if (name.equals("offcut.PoolMap")) {
        assertThat(last.getLong("cell")).isEqualTo(64 << 10);
        assertThat(last.getString("rows").replace("\n", ""))
            .hasSize((int) (pool.snapshot().reservedBytes() / (64 << 10)))
            .matches("##[._]+");
      } else {
        assertThat(last.getLong("handedOut")).isEqualTo(128 << 10);
      }
    }
  }

  /** Of a recording at whose end a chunk is out, without any period. */
  private static List<RecordedEvent> statisticsOf(MemoryPool pool, String name) throws IOException {
    try (Recording recording = new Recording()) {
      recording.enable("offcut.PoolConfiguration").with("period", "everyChunk");
      recording.enable(name).withPeriod(Duration.ofHours(1));
      recording.start();
      Events.registerOnce();
      long chunk = pool.owner().allocateChunk(128 << 10);
      List<RecordedEvent> all = stop(recording, name);
      pool.freeChunk(chunk);
      all.removeIf(event -> !event.getString("pool").equals(pool.toString()));
      return all;
    }
  }

  @Test
  void names_areThoseOfTheSpecification() throws IOException {
    String names = Files.readString(Path.of("../../../spec/names.json"));
    String bare = names.replaceAll(", \"unit\": \"[^\"]*\"|[\\s\"]", "");
    Matcher specified = Pattern.compile("category:Memory,.*?]").matcher(bare);
    assertThat(EVENTS.stream().map(EventsTest::describe))
        .containsExactlyInAnyOrderElementsOf(specified.results().map(MatchResult::group).toList());
  }

  /** As the specification has it, without its spaces, quotes and units. */
  private static String describe(Class<? extends jdk.jfr.Event> event) {
    FlightRecorder.register(event);
    EventType type = EventType.getEventType(event);
    StackTrace stack = event.getAnnotation(StackTrace.class);
    Period period = event.getAnnotation(Period.class);
    List<String> common = List.of("startTime", "duration", "eventThread", "stackTrace");
    String fields =
        type.getFields().stream()
            .filter(field -> !common.contains(field.getName()))
            .map(field -> "{name:" + field.getName() + ",type:" + kind(field) + "}")
            .collect(Collectors.joining(","));
    String text =
        ("category:" + type.getCategoryNames().get(1) + ",name:" + type.getName())
            + (",label:" + type.getLabel() + ",stackTrace:" + (stack == null || stack.value()))
            + (period == null ? "" : ",period:" + period.value())
            + (",fields:[" + fields + "]");
    return text.replace(" ", "");
  }

  private static String kind(ValueDescriptor field) {
    return field.getTypeName().equals("java.lang.String") ? "string" : "long";
  }
}
