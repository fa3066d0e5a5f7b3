package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.AgentJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    Map<String, String> events = new TreeMap<>();
    for (Class<?> nested : Events.class.getDeclaredClasses()) {
      if (Event.class.isAssignableFrom(nested)) {
        EventType type = EventType.getEventType(nested.asSubclass(Event.class));
        assertThat(type.getCategoryNames()).containsExactly("Offcut", "Tracking");
        events.put(type.getName(), text(type, nested));
      }
    }
    assertThat(events).isNotEmpty().isEqualTo(specified());
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

  private static String text(EventType type, Class<?> event) {
    StackTrace stack = event.getAnnotation(StackTrace.class);
    Period period = event.getAnnotation(Period.class);
    StringBuilder text = new StringBuilder(type.getLabel());
    text.append(" stack ").append(stack == null || stack.value());
    text.append(" period ").append(period == null ? "none" : period.value());
    List<String> common = List.of("startTime", "duration", "eventThread", "stackTrace");
    for (ValueDescriptor field : type.getFields()) {
      if (!common.contains(field.getName())) {
        String name = field.getTypeName();
        text.append(' ').append(field.getName()).append(':');
        text.append(name.equals("java.lang.String") ? "string" : name);
      }
    }
    return text.toString();
  }

  private static Map<String, String> specified() throws IOException {
    Pattern event =
        Pattern.compile(
            "\"category\": \"Tracking\",\\s*\"name\": \"(offcut\\.\\w+)\", \"label\": \"([^\"]*)\","
                + " \"stackTrace\": (\\w+)(?:, \"period\": \"([^\"]*)\")?,"
                + "\\s*\"fields\": \\[(.*?)]",
            Pattern.DOTALL);
    Pattern field = Pattern.compile("\"name\": \"(\\w+)\", \"type\": \"(\\w+)\"");
    Map<String, String> events = new LinkedHashMap<>();
    Matcher found = event.matcher(Files.readString(specification()));
    while (found.find()) {
      StringBuilder text = new StringBuilder(found.group(2));
      text.append(" stack ").append(found.group(3));
      text.append(" period ").append(found.group(4) == null ? "none" : found.group(4));
      Matcher fields = field.matcher(found.group(5));
      while (fields.find()) {
        text.append(' ').append(fields.group(1)).append(':').append(fields.group(2));
      }
      events.put(found.group(1), text.toString());
    }
    return events;
  }
}
