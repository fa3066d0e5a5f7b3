package dev.offcut.cli.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.offcut.cli.digest.Holders;
import dev.offcut.cli.digest.Holders.Held;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** What holds open resources as JSON, {@code offcut.holders/1}: {@code spec/run-archive.md}. */
public final class HoldersFile {
  private static final String SCHEMA = "offcut.holders/1";

  private HoldersFile() {}

  /** As text. */
  static String text(Holders holders) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("schema", SCHEMA);
      members(json, holders);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a string has room
    }
    return text.append('\n').toString();
  }

  /** As members of an object. */
  public static void members(JsonGenerator json, Holders holders) throws IOException {
    json.writeStringField("problem", holders.problem());
    json.writeArrayFieldStart("held");
    for (Held held : holders.all()) {
      json.writeStartObject();
      json.writeStringField("kind", held.kind());
      json.writeNumberField("count", held.count());
      json.writeStringField("by", held.by());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Reads one. */
  static Holders parse(String text) throws IOException {
    String schema = "";
    String problem = "";
    List<Held> all = new ArrayList<>();
    try (JsonParser json = new JsonFactory().createParser(text)) {
      expect(json.nextToken() == JsonToken.START_OBJECT);
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String field = json.currentName();
        json.nextToken();
        switch (field) {
          case "schema" -> schema = json.getText();
          case "problem" -> problem = json.getText();
          case "held" -> {
            while (json.nextToken() == JsonToken.START_OBJECT) {
              all.add(held(json));
            }
          }
          default -> json.skipChildren();
        }
      }
    }
    expect(schema.equals(SCHEMA));
    return new Holders(problem, List.copyOf(all));
  }

  private static void expect(boolean right) throws IOException {
    if (!right) {
      throw new IOException("not " + SCHEMA);
    }
  }

  private static Held held(JsonParser json) throws IOException {
    String kind = "";
    String by = "";
    long count = 0;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      json.nextToken();
      switch (field) {
        case "kind" -> kind = json.getText();
        case "by" -> by = json.getText();
        case "count" -> count = json.getLongValue();
        default -> json.skipChildren();
      }
    }
    return new Held(kind, count, by);
  }
}
