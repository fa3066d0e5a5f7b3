package dev.offcut.cli;

import static dev.offcut.cli.Json.array;
import static dev.offcut.cli.Json.object;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * As much of JSON Schema as {@code spec/report.schema.json} uses; any other keyword is an error.
 */
final class JsonSchema {
  private static final Path FILE = Path.of("..", "..", "spec", "report.schema.json");
  private static final Set<String> ABOUT_ITSELF =
      Set.of("$schema", "$id", "$defs", "title", "description");

  private final List<String> problems = new ArrayList<>();
  private final Map<String, Object> root;

  private JsonSchema(Map<String, Object> root) {
    this.root = root;
  }

  /** What is wrong with a report. */
  static List<String> problemsOf(Object report) throws IOException {
    JsonSchema checker = new JsonSchema(object(Json.read(Files.readString(FILE))));
    checker.check("report", report, checker.root);
    return checker.problems;
  }

  private void check(String path, Object value, Map<String, Object> schema) {
    schema.forEach((keyword, rule) -> check(path, value, keyword, rule));
  }

  private void check(String path, Object value, String keyword, Object rule) {
    switch (keyword) {
      case "type" -> expect(path, isOf(value, rule), "is not of type " + rule);
      case "const" -> expect(path, value.equals(rule), "is not " + rule);
      case "enum" -> expect(path, array(rule).contains(value), "is not one of " + rule);
      case "minLength" -> expect(path, !value.equals(""), "is empty");
      case "minimum" -> expect(path, atLeast(value, rule), value + " is below " + rule);
      case "required" -> {
        if (value != Json.NULL) {
          array(rule).forEach(name -> has(path, value, name));
        }
      }
      case "properties" -> {
        if (value != Json.NULL) {
          properties(path, value, object(rule));
        }
      }
      case "additionalProperties" -> expect(path, rule.equals(true), "has a closed schema");
      case "$ref" -> check(path, value, definition((String) rule));
      case "items" -> items(path, array(value), object(rule));
      default -> expect(path, ABOUT_ITSELF.contains(keyword), "unknown keyword " + keyword);
    }
  }

  private Map<String, Object> definition(String reference) {
    String name = reference.substring("#/$defs/".length());
    return object(Json.member(Json.member(root, "$defs"), name));
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
    if (type instanceof List<?> types) {
      return types.stream().anyMatch(one -> isOf(value, one));
    }
    return switch ((String) type) {
      case "object" -> value instanceof Map;
      case "array" -> value instanceof List;
      case "string" -> value instanceof String;
      case "null" -> value == Json.NULL;
      case "boolean" -> value instanceof Boolean;
      case "number" -> value instanceof BigDecimal;
      case "integer" -> value instanceof BigDecimal n && n.stripTrailingZeros().scale() <= 0;
      default -> throw new IllegalArgumentException("unknown type " + type);
    };
  }

  private static boolean atLeast(Object value, Object least) {
    return value instanceof BigDecimal n && n.compareTo((BigDecimal) least) >= 0;
  }
}
