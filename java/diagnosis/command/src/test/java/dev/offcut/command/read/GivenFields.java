package dev.offcut.command.read;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one event or row tells: what a test gives it. */
public record GivenFields(String name, Instant time, Map<String, Object> fields) implements Fields {
  /** With the fields of these names, separated by blanks, and their values. */
  public static GivenFields of(String name, Instant time, String names, Object... values) {
    Map<String, Object> fields = new HashMap<>();
    String[] all = names.split(" ", -1);
    for (int i = 0; i < values.length; i++) {
      fields.put(all[i], values[i]);
    }
    return new GivenFields(name, time, fields);
  }

  @Override
  public long copy() {
    return 0;
  }

  @Override
  public boolean has(String field) {
    return fields.containsKey(field);
  }

  @Override
  public Set<String> names() {
    return fields.keySet();
  }

  @Override
  public long number(String field, long otherwise) {
    return fields.get(field) instanceof Long number ? number : otherwise;
  }

  @Override
  public String text(String field) {
    return fields.get(field) instanceof String text ? text : "";
  }

  @Override
  public @Nullable Instant instant(String field) {
    return fields.get(field) instanceof Instant known ? known : null;
  }

  @Override
  public double millis(String field) {
    return 0;
  }

  @Override
  public List<String> stack() {
    return List.of();
  }
}
