package dev.offcut.command.read;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * JSON: records as objects, with a member for each component in its order. What is to be otherwise
 * is a map of {@link #members}, changed.
 */
public final class Json {
  private Json() {}

  /** In one line. */
  public static String text(Object value) {
    return text(value, false);
  }

  public static String lines(Object value) {
    return text(value, true) + "\n";
  }

  private static String text(Object value, boolean inLines) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      if (inLines) {
        json.setPrettyPrinter(new DefaultPrettyPrinter());
      }
      write(json, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a string takes everything
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
    switch (value) {
      case null -> json.writeNull();
      case String text -> json.writeString(text);
      case Long number -> json.writeNumber(number);
      case Integer number -> json.writeNumber(number);
      case Double number -> json.writeNumber(number);
      case Boolean flag -> json.writeBoolean(flag);
      case Enum<?> word -> json.writeString(word.name().toLowerCase(Locale.ROOT));
      case Iterable<?> all -> {
        json.writeStartArray();
        for (Object one : all) {
          write(json, one);
        }
        json.writeEndArray();
      }
      case Map<?, ?> all -> {
        json.writeStartObject();
        for (Map.Entry<?, ?> one : all.entrySet()) {
          json.writeFieldName(String.valueOf(one.getKey()));
          write(json, one.getValue());
        }
        json.writeEndObject();
      }
      case Record all -> write(json, members(all));
      default -> json.writeString(value.toString());
    }
  }

  /** Components by name, to be changed. */
  public static Map<String, @Nullable Object> members(Record of) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    for (RecordComponent component : of.getClass().getRecordComponents()) {
      try {
        Method accessor = component.getAccessor();
        accessor.setAccessible(true); // the record may be another class's own
        members.put(component.getName(), accessor.invoke(of));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e); // it only returns a field
      }
    }
    return members;
  }

  public static <T> List<Map<String, @Nullable Object>> each(
      List<T> all, Function<T, Map<String, @Nullable Object>> members) {
    return all.stream().map(members).toList();
  }

  /** A record of a schema, in one line. */
  static String text(String schema, Record of) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("schema", schema);
    all.putAll(members(of));
    return text(all) + "\n";
  }

  /** The members of an object, of which {@code schema} has to be that. */
  static Map<String, @Nullable Object> parse(String text, String schema) throws IOException {
    if (read(text.getBytes(StandardCharsets.UTF_8)) instanceof Map<?, ?> all
        && schema.equals(all.get("schema"))) {
      return members(all);
    }
    throw new IOException("not " + schema);
  }

  private static Map<String, @Nullable Object> members(Map<?, ?> all) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    all.forEach((name, value) -> members.put(String.valueOf(name), value));
    return members;
  }

  /** Maps, lists, texts, longs, doubles, flags and null. */
  static @Nullable Object read(byte[] text) throws IOException {
    try (JsonParser json = new JsonFactory().createParser(text)) {
      json.nextToken();
      return read(json);
    }
  }

  private static @Nullable Object read(JsonParser json) throws IOException {
    JsonToken token = json.currentToken();
    if (token == null) {
      throw new IOException("it ends too early");
    }
    return switch (token) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
          String name = json.currentName();
          json.nextToken();
          all.put(name, read(json));
        }
        yield all;
      }
      case START_ARRAY -> {
        List<@Nullable Object> all = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          all.add(read(json));
        }
        yield all;
      }
      case VALUE_NUMBER_INT -> json.getLongValue();
      case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
      case VALUE_TRUE, VALUE_FALSE -> json.getBooleanValue();
      case VALUE_NULL -> null;
      default -> json.getText();
    };
  }

  /** A record of members; what is missing is 0, empty or false. */
  static <T extends Record> T record(Class<T> type, Map<?, ?> members) throws IOException {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      values[i] = value(components[i].getGenericType(), members.get(components[i].getName()));
    }
    try {
      Constructor<T> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
  }

  private static Object value(Type type, @Nullable Object value) throws IOException {
    if (type instanceof ParameterizedType list) {
      Type of = list.getActualTypeArguments()[0];
      List<Object> all = new ArrayList<>();
      for (Object one : value instanceof List<?> given ? given : List.of()) {
        all.add(value(of, one));
      }
      return List.copyOf(all);
    }
    if (!(type instanceof Class<?> known)) {
      throw new IOException("a member of no known type: " + type);
    }
    try {
      return value(known, value);
    } catch (ClassCastException | IllegalArgumentException e) {
      throw new IOException("a member is no " + known.getSimpleName(), e);
    }
  }

  private static Object value(Class<?> type, @Nullable Object value) throws IOException {
    if (type == long.class || type == Long.class) {
      return value == null ? 0L : ((Number) value).longValue();
    } else if (type == int.class) {
      return value == null ? 0 : ((Number) value).intValue();
    } else if (type == double.class) {
      return value == null ? 0.0 : ((Number) value).doubleValue();
    } else if (type == boolean.class) {
      return value != null && (Boolean) value;
    } else if (type == Instant.class) {
      return value == null ? Instant.EPOCH : Instant.parse((String) value);
    } else if (type.isEnum()) {
      return constant(type, String.valueOf(value));
    } else if (type.isRecord() && value instanceof Map<?, ?> members) {
      return record(type.asSubclass(Record.class), members);
    }
    return value == null ? "" : (String) value;
  }

  private static Object constant(Class<?> type, String name) {
    for (Object one : type.getEnumConstants()) {
      if (((Enum<?>) one).name().equals(name)) {
        return one;
      }
    }
    throw new IllegalArgumentException(name);
  }
}
