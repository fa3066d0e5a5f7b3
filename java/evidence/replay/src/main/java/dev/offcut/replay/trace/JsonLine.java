package dev.offcut.replay.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.offcut.replay.trace.Op.Range;
import dev.offcut.replay.trace.Trace.BadTraceException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One line of a trace as a JSON object of strings, whole numbers, lists of them and objects of the
 * same. A member that is missing, of another kind or out of its bounds is said with the line.
 */
final class JsonLine {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final String where;
  private final Map<String, Object> members;

  private JsonLine(String where, Map<String, Object> members) {
    this.where = where;
    this.members = members;
  }

  /** {@code where}: how messages begin, the file and the line. */
  static JsonLine parse(String where, String text) throws BadTraceException {
    try (JsonParser parser = FACTORY.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new BadTraceException(where + ": not a JSON object; each line is one");
      }
      Map<String, Object> members = object(parser);
      if (parser.nextToken() != null) {
        throw new BadTraceException(where + ": more than one JSON object; each has its own line");
      }
      return new JsonLine(where, members);
    } catch (JsonProcessingException e) {
      throw new BadTraceException(where + ": not JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new BadTraceException(where + ": " + e.getMessage(), e);
    }
  }

  private static Map<String, Object> object(JsonParser parser) throws IOException {
    Map<String, Object> members = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      members.put(name, value(parser));
    }
    return members;
  }

  private static Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> parser.getLongValue();
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      default -> parser.getText(); // of no kind that is asked for
    };
  }

  private static List<Object> array(JsonParser parser) throws IOException {
    List<Object> values = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      values.add(value(parser));
    }
    return values;
  }

  BadTraceException bad(String what) {
    return new BadTraceException(where + ": " + what);
  }

  boolean has(String name) {
    return members.containsKey(name);
  }

  /** Refuses members of other names: they would be typing errors that change nothing. */
  void allow(String... names) throws BadTraceException {
    Set<String> known = Set.of(names);
    for (String name : members.keySet()) {
      if (!known.contains(name)) {
        throw bad("unknown member " + name + " (known here: " + String.join(", ", names) + ")");
      }
    }
  }

  String string(String name) throws BadTraceException {
    if (required(name) instanceof String text) {
      return text;
    }
    throw bad(name + " must be a string");
  }

  /** The member as text, whatever it is. */
  String text(String name) throws BadTraceException {
    return required(name).toString();
  }

  String string(String name, String otherwise) throws BadTraceException {
    return has(name) ? string(name) : otherwise;
  }

  long number(String name, long least, long most) throws BadTraceException {
    return bounded(name, required(name), least, most);
  }

  long number(String name, long least, long most, long otherwise) throws BadTraceException {
    return has(name) ? number(name, least, most) : otherwise;
  }

  /** Two numbers, the first not above the second. */
  Range range(String name, int most) throws BadTraceException {
    if (!(required(name) instanceof List<?> values) || values.size() != 2) {
      throw bad(name + " must be [first, last]");
    }
    long first = bounded(name, values.getFirst(), 0, most);
    long last = bounded(name, values.getLast(), 0, most);
    if (first > last) {
      throw bad(name + " [" + first + ", " + last + "] ends before it begins");
    }
    return new Range((int) first, (int) last);
  }

  /** An object in the object; null if there is none. */
  @Nullable JsonLine object(String name) throws BadTraceException {
    if (!has(name)) {
      return null;
    }
    if (!(required(name) instanceof Map<?, ?> map)) {
      throw bad(name + " must be an object");
    }
    Map<String, Object> inner = new LinkedHashMap<>();
    map.forEach((key, value) -> inner.put(String.valueOf(key), value));
    return new JsonLine(where + ", " + name, inner);
  }

  private Object required(String name) throws BadTraceException {
    Object value = members.get(name);
    if (value == null) {
      throw bad(name + " is missing");
    }
    return value;
  }

  private long bounded(String name, Object value, long least, long most) throws BadTraceException {
    if (!(value instanceof Long number)) {
      throw bad(name + " must be a whole number, not " + value);
    }
    if (number < least || number > most) {
      throw bad(name + " is " + number + ", but must be " + least + " to " + most);
    }
    return number;
  }
}
