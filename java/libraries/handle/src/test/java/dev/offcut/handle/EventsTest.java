package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.handle.HandleSnapshot.OfType;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

/** Recordings read back, and the names of {@code spec/names.json}. */
class EventsTest extends HandleTests {
  private static final List<Class<? extends jdk.jfr.Event>> EVENTS =
      List.of(
          Events.HandleLeak.class,
          Events.ReleaseFailure.class,
          Events.UseAfterClose.class,
          Statistics.HandleConfiguration.class,
          Statistics.HandleStatistics.class);

  private static List<RecordedEvent> record(HandleType of, Runnable program) throws IOException {
    try (Recording recording = new Recording()) {
      EVENTS.subList(0, 3).forEach(recording::enable);
      recording.start();
      program.run();
      List<RecordedEvent> all = stop(recording, of);
      all.removeIf(event -> event.getEventType().getName().equals("offcut.HandleStatistics"));
      return all;
    }
  }

  private static List<RecordedEvent> stop(Recording recording, HandleType of) throws IOException {
    recording.stop();
    Path file = Files.createTempFile("events", ".jfr");
    recording.dump(file);
    List<RecordedEvent> all = new ArrayList<>(RecordingFile.readAllEvents(file));
    Files.delete(file);
    all.removeIf(event -> !event.hasField("type") || !of.name().equals(event.getString("type")));
    return all;
  }

  @Test
  void forgottenHandles_areOneEventABatchAndSite() throws IOException {
    HandleType type = type("leak");
    Handles.detection(Detection.FULL);
    List<RecordedEvent> events =
        record(
            type,
            () -> {
              for (int i = 0; i < 3; i++) {
                Thing.forget(type);
              }
              assertThat(Handles.drain(LIMIT)).isTrue();
            });
    assertThat(events).allMatch(e -> e.getEventType().getName().equals("offcut.HandleLeak"));
    assertThat(events.stream().mapToLong(e -> e.getLong("count")).sum()).isEqualTo(3);
    assertThat(events.get(0).getString("level")).isEqualTo("full");
    assertThat(events.get(0).getString("site"))
        .startsWith(EventsTest.class.getName() + ".")
        .contains("forgottenHandles_areOneEventABatchAndSite")
        .contains("\n");
  }

  @Test
  void releaserThatThrowsInTheNet_isAnEvent() throws IOException {
    HandleType type = named("failure").releaser(EventsTest::refuse).create();
    List<RecordedEvent> events =
        record(
            type,
            () -> {
              Thing.forget(type);
              assertThat(Handles.drain(LIMIT)).isTrue();
            });
    assertThat(events)
        .filteredOn(event -> event.getEventType().getName().equals("offcut.ReleaseFailure"))
        .hasSize(1)
        .allMatch(e -> e.getString("failure").equals("java.lang.Error: thrown by a releaser"));
  }

  private static void refuse(long value) {
    throw new Error("thrown by a releaser");
  }

  @Test
  void useAfterClose_isAnEventWithTheStackOfTheUse() throws IOException {
    HandleType type = type("use");
    Handles.detection(Detection.FULL);
    List<RecordedEvent> events =
        record(
            type,
            () -> {
              Thing thing = Thing.open(type);
              thing.close();
              assertThatThrownBy(thing::beginUse).isInstanceOf(ClosedHandleException.class);
            });
    assertThat(events).hasSize(1);
    RecordedEvent event = events.get(0);
    assertThat(event.getEventType().getName()).isEqualTo("offcut.UseAfterClose");
    assertThat(event.getString("opened")).contains(EventsTest.class.getName());
    assertThat(event.getString("closed")).contains(EventsTest.class.getName());
    assertThat(event.getStackTrace().getFrames())
        .anyMatch(frame -> frame.getMethod().getType().getName().equals(Handle.class.getName()));
  }

  @Test
  void statistics_ofEachTypeInUse_arePeriodic() throws InterruptedException {
    HandleType type = type("statistics");
    Thing thing = Thing.open(type);
    Thing.open(type).close();
    List<RecordedEvent> seen = new ArrayList<>();
    CountDownLatch some = new CountDownLatch(1);
    try (RecordingStream stream = new RecordingStream()) {
      stream.enable("offcut.HandleStatistics").withPeriod(Duration.ofMillis(100));
      stream.setReuse(false);
      stream.onEvent(
          "offcut.HandleStatistics",
          event -> {
            if (type.name().equals(event.getString("type"))) {
              seen.add(event);
              some.countDown();
            }
          });
      stream.startAsync();
      assertThat(some.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
    RecordedEvent event = seen.get(0);
    assertThat(event.getLong("opened")).isEqualTo(2);
    assertThat(event.getLong("closed")).isOne();
    assertThat(event.getLong("open")).isOne();
    assertThat(event.getLong("forgotten")).isZero();
    assertThat(event.getDuration("oldest")).isPositive();
    thing.close();
  }

  @Test
  void statistics_atTheEndOfAChunk_areTheLast() throws IOException {
    HandleType type = type("last");
    List<RecordedEvent> statistics = List.of();
    // Once more if this JVM's first recorder was just being heard of.
    for (int turn = 0; statistics.isEmpty() && turn < 100; turn++) {
      statistics = statisticsOf(type);
    }
    RecordedEvent last = statistics.get(statistics.size() - 1);
    assertThat(last.getLong("open")).isOne();
    assertThat(last.getLong("opened")).isEqualTo(last.getLong("closed") + 1);
  }

  /** Of a recording in which one was opened and one is open at the end, without any period. */
  private static List<RecordedEvent> statisticsOf(HandleType type) throws IOException {
    try (Recording recording = new Recording()) {
      recording.enable("offcut.HandleConfiguration").with("period", "everyChunk");
      recording.enable("offcut.HandleStatistics").withPeriod(Duration.ofHours(1));
      recording.start();
      Statistics.Recorded.registerFirst();
      Thing.open(type).close();
      Thing open = Thing.open(type);
      List<RecordedEvent> all = stop(recording, type);
      open.close();
      return all;
    }
  }

  // spec/names.json.

  @Test
  void names_ofTheEvents_areThoseOfTheSpecification() throws IOException {
    String names = Files.readString(Specification.file("names.json"));
    String bare = names.replaceAll(", \"unit\": \"[^\"]*\"|[\\s\"]", "");
    assertThat(EVENTS.stream().map(EventsTest::describe))
        .containsExactlyInAnyOrderElementsOf(find(bare, "(category:Handles,.*?])"));
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

  @Test
  void names_ofTheCounters_areThoseOfTheSnapshot() throws IOException {
    String names = Files.readString(Specification.file("names.json"));
    List<String> specified = find(names, "\"name\": \"(\\w+)\", \"kind\": \"(?:total|level)\"");
    List<String> components =
        Arrays.stream(OfType.class.getRecordComponents())
            .map(RecordComponent::getName)
            .filter(name -> !List.of("id", "name", "sites").contains(name))
            .toList();
    assertThat(specified).containsExactlyInAnyOrderElementsOf(components);
    List<String> metrics = find(names, "\"name\": \"offcut\\.handle\\.(\\w+)\", \"counter\"");
    assertThat(metrics).hasSize(8).isSubsetOf(specified);
    assertThat(find(names, "\"counter\": \"(\\w+)\"")).isEqualTo(metrics);
  }

  private static List<String> find(String text, String pattern) {
    List<String> found = new ArrayList<>();
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }
}
