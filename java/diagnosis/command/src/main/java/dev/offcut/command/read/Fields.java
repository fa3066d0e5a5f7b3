package dev.offcut.command.read;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a program told at one time, by the names of its fields: an event of a recording, or a row of
 * the agent's tables. A field that another version does not have reads as a default.
 */
public interface Fields {
  /** What it tells of, as {@code spec/names.json} or the JDK call the event. */
  String name();

  /** Tells apart what several copies of a library tell under one name. */
  long copy();

  /** When it began, or was so. */
  Instant time();

  default Instant end() {
    return time();
  }

  boolean has(String field);

  Collection<String> names();

  /** A number; of a part of the field by {@code field.part}. */
  long number(String field, long otherwise);

  default long number(String field) {
    return number(field, 0);
  }

  /** A text; empty if there is none. */
  String text(String field);

  default List<String> lines(String field) {
    return text(field).lines().toList();
  }

  @Nullable Instant instant(String field);

  /** A duration in ms; 0 if there is none. */
  double millis(String field);

  /** The frames of its stack, the program's innermost first; none if it has no stack. */
  List<String> stack();
}
