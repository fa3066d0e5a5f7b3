package dev.offcut.fleet;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.offcut.command.read.Failure;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a fleet's report says: an answer for each section, by its name. The JSON is {@code
 * offcut.fleet-report/1}: columns of the answers are fields, with capitals in place of underscores.
 */
public record FleetReport(
    Engine.Answer summary, String since, long bucketMs, Map<String, Engine.Answer> sections) {
  private static final String SCHEMA = "offcut.fleet-report/1";

  /** The sections, in the order of the JSON. */
  static final List<String> SECTIONS =
      List.of(
          "services",
          "kinds",
          "lines",
          "fresh",
          "hosts",
          "growth",
          "findings",
          "limits",
          "versions",
          "host_curves",
          "processes");

  /** Points of a curve. */
  private static final long MOST_POINTS = 48;

  private static final long MINUTE_MS = 60_000;

  /**
   * Asks all questions.
   *
   * @param top of long lists so many rows
   * @param since from which day on a line counts as new; null: the last day of the fleet
   */
  public static FleetReport of(Engine engine, int top, @Nullable LocalDate since) throws Failure {
    Engine.Answer summary = engine.query(new Question("summary").sql(Map.of()));
    List<@Nullable Object> row = summary.rows().getFirst();
    Object lastDay = row.getLast();
    String day =
        since != null ? since.toString() : lastDay == null ? "1970-01-01" : lastDay.toString();
    long firstMs = number(row.get(3));
    long lastMs = number(row.get(4));
    long bucket = bucket(lastMs - firstMs);
    Map<String, Object> values = Map.of("top", top, "since", day, "bucket", bucket);
    Map<String, Engine.Answer> sections = new LinkedHashMap<>();
    for (String section : SECTIONS) {
      sections.put(section, engine.query(new Question(section).sql(values)));
    }
    return new FleetReport(summary, day, bucket, sections);
  }

  /** Whole minutes, of which a round number makes an hour or a day. */
  private static long bucket(long wholeMs) {
    for (long minutes : List.of(1L, 5L, 10L, 30L, 60L, 120L, 240L, 720L, 1440L)) {
      if (wholeMs / (minutes * MINUTE_MS) <= MOST_POINTS) {
        return minutes * MINUTE_MS;
      }
    }
    long days = wholeMs / (1440 * MINUTE_MS * MOST_POINTS) + 1;
    return days * 1440 * MINUTE_MS;
  }

  public Engine.Answer section(String name) {
    Engine.Answer answer = sections.get(name);
    if (answer == null) {
      throw new IllegalArgumentException("there is no section " + name);
    }
    return answer;
  }

  /** The same report with another answer in a section. */
  public FleetReport with(String section, Engine.Answer answer) {
    Map<String, Engine.Answer> others = new LinkedHashMap<>(sections);
    others.put(section, answer);
    return new FleetReport(summary, since, bucketMs, others);
  }

  private static long number(@Nullable Object value) {
    return value instanceof Number number ? number.longValue() : 0;
  }

  /** {@code offcut.fleet-report/1}. */
  public String json() {
    return written(
        json -> {
          json.writeStartObject();
          json.writeStringField("schema", SCHEMA);
          json.writeFieldName("summary");
          write(json, summary.columns(), summary.rows().getFirst());
          json.writeStringField("since", since);
          json.writeNumberField("bucketMs", bucketMs);
          write(json, sections);
          json.writeEndObject();
        });
  }

  public static String json(Engine.Answer answer) {
    return written(json -> write(json, answer));
  }

  interface Content {
    void to(JsonGenerator json) throws IOException;
  }

  static String written(Content content) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      content.to(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a string has room
    }
    return text.toString();
  }

  /** Answers by their names. */
  static void write(JsonGenerator json, Map<String, Engine.Answer> answers) throws IOException {
    for (Map.Entry<String, Engine.Answer> one : answers.entrySet()) {
      json.writeFieldName(FleetTable.camel(one.getKey()));
      write(json, one.getValue());
    }
  }

  private static void write(JsonGenerator json, Engine.Answer answer) throws IOException {
    json.writeStartArray();
    for (List<@Nullable Object> row : answer.rows()) {
      write(json, answer.columns(), row);
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, List<String> columns, List<@Nullable Object> row)
      throws IOException {
    json.writeStartObject();
    for (int i = 0; i < columns.size(); i++) {
      json.writeFieldName(FleetTable.camel(columns.get(i)));
      json.writePOJO(row.get(i));
    }
    json.writeEndObject();
  }
}
