package dev.offcut.cli.digest;

import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;

/**
 * Reads fields of events that may be of another version: what is not there has a value for that.
 */
final class Recorded {
  private Recorded() {}

  static long number(RecordedEvent event, String field, long otherwise) {
    return event.hasField(field) ? event.getLong(field) : otherwise;
  }

  static long number(RecordedEvent event, String field) {
    return number(event, field, 0);
  }

  static String text(RecordedEvent event, String field) {
    if (!event.hasField(field)) {
      return "";
    }
    Object value = event.getValue(field);
    return value instanceof String text ? text : "";
  }

  /** Lines of text. */
  static List<String> lines(RecordedEvent event, String field) {
    return text(event, field).lines().toList();
  }

  /** The frames of an event's stack, in the form of those that are text. */
  static List<String> stack(RecordedEvent event) {
    RecordedStackTrace stack = event.getStackTrace();
    return stack == null ? List.of() : Frames.of(stack);
  }
}
