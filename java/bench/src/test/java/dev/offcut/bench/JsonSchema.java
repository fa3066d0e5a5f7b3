package dev.offcut.bench;

import static dev.offcut.bench.Json.array;
import static dev.offcut.bench.Json.object;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** As much of JSON Schema as the schemas of results use; any other keyword is an error. */
public final class JsonSchema {
  private static final Path FOLDER = Path.of("..", "..", "spec");
  private static final Set<String> ABOUT_ITSELF = Set.of("$schema", "$id", "title", "description");

  private final List<String> problems = new ArrayList<>();

  private JsonSchema() {}

  /** What is wrong with a bench report. */
  static List<String> problemsOf(Object report) throws IOException {
    return problemsOf(report, "bench.schema.json");
  }

  /** What is wrong with a file, by a schema of the folder {@code spec}. */
  public static List<String> problemsOf(Path file, String schema) throws IOException {
    return problemsOf(Json.read(Files.readString(file)), schema);
  }

  private static List<String> problemsOf(Object report, String schema) throws IOException {
    JsonSchema checker = new JsonSchema();
    checker.check("report", report, object(Json.read(Files.readString(FOLDER.resolve(schema)))));
    return checker.problems;
  }

  private void check(String path, Object value, Map<String, Object> schema) {
    schema.forEach((keyword, rule) -> check(path, value, keyword, rule, schema));
  }

  private void check(
      String path, Object value, String keyword, Object rule, Map<String, Object> schema) {
    switch (keyword) {
      case "type" -> expect(path, isOf(value, rule), "is not of type " + rule);
      case "const" -> expect(path, value.equals(rule), "is not " + rule);
      case "enum" -> expect(path, array(rule).contains(value), "is not one of " + rule);
      case "pattern" -> expect(path, matches(value, rule), value + " does not match " + rule);
      case "minLength" -> expect(path, !value.equals(""), "is empty");
      case "minimum" -> expect(path, atLeast(value, rule), value + " is below " + rule);
      case "required" -> array(rule).forEach(name -> has(path, value, name));
      case "properties" -> properties(path, value, object(rule));
      case "additionalProperties" -> {
        if (rule.equals(false)) {
          Set<String> known = object(schema.getOrDefault("properties", Map.of())).keySet();
          object(value).keySet().forEach(n -> expect(path, known.contains(n), "has a " + n));
        }
      }
      case "items" -> items(path, array(value), object(rule));
      default -> expect(path, ABOUT_ITSELF.contains(keyword), "unknown keyword " + keyword);
    }
  }

  private void has(String path, Object value, Object name) {
    expect(path, object(value).containsKey(name), "has no " + name);
  }

  private void properties(String path, Object value, Map<String, Object> rules) {
    object(value)
        .forEach(
            (name, member) -> {
              if (rules.containsKey(name)) {
                check(path + "." + name, member, object(rules.get(name)));
              }
            });
  }

  private void items(String path, List<Object> values, Map<String, Object> schema) {
    for (int i = 0; i < values.size(); i++) {
      check(path + "[" + i + "]", values.get(i), schema);
    }
  }

  private void expect(String path, boolean holds, String otherwise) {
    if (!holds) {
      problems.add(path + " " + otherwise);
    }
  }

  private static boolean isOf(Object value, Object type) {
    return switch ((String) type) {
      case "object" -> value instanceof Map;
      case "array" -> value instanceof List;
      case "string" -> value instanceof String;
      case "boolean" -> value instanceof Boolean;
      case "number" -> value instanceof BigDecimal;
      case "integer" -> value instanceof BigDecimal n && n.stripTrailingZeros().scale() <= 0;
      default -> throw new IllegalArgumentException("unknown type " + type);
    };
  }

  private static boolean matches(Object value, Object pattern) {
    return value instanceof String s && Pattern.compile((String) pattern).matcher(s).find();
  }

  private static boolean atLeast(Object value, Object least) {
    return value instanceof BigDecimal n && n.compareTo((BigDecimal) least) >= 0;
  }
}
