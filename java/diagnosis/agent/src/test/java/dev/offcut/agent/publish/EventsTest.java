package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.AgentJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.Configuration;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.ValueDescriptor;
import org.junit.jupiter.api.Test;

/** The events as they are, and the names of {@code spec/names.json}. */
class EventsTest {
  @Test
  void events_areThoseOfTheSpecification() throws IOException {
    String names = Files.readString(specification());
    String bare = names.replaceAll(", \"unit\": \"[^\"]*\"|[\\s\"]", "");
    Matcher specified = Pattern.compile("category:Tracking,.*?]").matcher(bare);
    assertThat(Events.class.getDeclaredClasses())
        .filteredOn(Event.class::isAssignableFrom)
        .extracting(nested -> describe(nested.asSubclass(Event.class)))
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(specified.results().map(MatchResult::group).toList());
  }

  @Test
  void settings_knowEveryEvent() throws Exception {
    Configuration settings =
        Configuration.create(AgentJvm.classes().resolve("../classes/offcut.jfc"));
    Pattern name = Pattern.compile("\"name\": \"(offcut\\.[A-Z]\\w+)\"");
    Matcher found = name.matcher(Files.readString(specification()));
    while (found.find()) {
      assertThat(settings.getSettings()).containsEntry(found.group(1) + "#enabled", "true");
    }
  }

  private static Path specification() {
    return AgentJvm.classes().resolve("../../../../../spec/names.json");
  }

  /** As the specification has it, without its spaces, quotes and units. */
  private static String describe(Class<? extends Event> event) {
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
    return field.getTypeName().equals("java.lang.String") ? "string" : field.getTypeName();
  }
}
