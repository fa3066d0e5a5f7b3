package dev.offcut.examples.sqlite;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Text of maps, lists, numbers, booleans, null and strings in JSON, on one line. */
final class Json {
  private Json() {}

  static String of(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(e -> string(String.valueOf(e.getKey())) + ":" + of(e.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }
    if (value instanceof List<?> list) {
      return list.stream().map(Json::of).collect(Collectors.joining(",", "[", "]"));
    }
    if (value instanceof Double number) {
      return Double.isFinite(number) ? String.format(Locale.ROOT, "%.6f", number) : "null";
    }
    boolean plain = value == null || value instanceof Number || value instanceof Boolean;
    return plain ? String.valueOf(value) : string(String.valueOf(value));
  }

  private static String string(String text) {
    StringBuilder out = new StringBuilder("\"");
    text.chars().forEach(c -> append(out, (char) c));
    return out.append('"').toString();
  }

  private static void append(StringBuilder out, char c) {
    if (c == '"' || c == '\\') {
      out.append('\\').append(c);
    } else if (c < ' ' || Character.isSurrogate(c)) {
      out.append(String.format("\\u%04x", (int) c));
    } else {
      out.append(c);
    }
  }
}
