package dev.offcut.cli.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.offcut.cli.digest.NativeCallers;
import dev.offcut.cli.digest.NativeCallers.Place;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Native callers as JSON, {@code offcut.native/1}: {@code spec/run-archive.md} has the fields. */
final class NativeCallersFile {
  private static final String SCHEMA = "offcut.native/1";

  private NativeCallersFile() {}

  /** As text. */
  static String text(NativeCallers callers) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("schema", SCHEMA);
      json.writeStringField("problem", callers.problem());
      if (callers.isKnown()) {
        figures(json, callers);
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a string has room
    }
    return text.append('\n').toString();
  }

  private static void figures(JsonGenerator json, NativeCallers callers) throws IOException {
    json.writeNumberField("interval", callers.interval());
    json.writeStringField("began", callers.began().toString());
    json.writeStringField("ended", callers.ended().toString());
    json.writeBooleanField("stopped", callers.stopped());
    json.writeNumberField("missed", callers.missed());
    json.writeNumberField("held", callers.held());
    json.writeNumberField("jvm", callers.jvm());
    json.writeNumberField("profiler", callers.profiler());
    json.writeNumberField("counted", callers.counted());
    json.writeNumberField("taken", callers.taken());
    json.writeNumberField("takenBytes", callers.takenBytes());
    json.writeNumberField("open", callers.open());
    json.writeNumberField("rest", callers.rest());
    json.writeArrayFieldStart("times");
    for (Instant time : callers.times()) {
      json.writeString(time.toString());
    }
    json.writeEndArray();
    json.writeArrayFieldStart("places");
    for (Place place : callers.places()) {
      place(json, place);
    }
    json.writeEndArray();
  }

  private static void place(JsonGenerator json, Place place) throws IOException {
    json.writeRaw('\n');
    json.writeStartObject();
    json.writeStringField("group", place.group());
    json.writeArrayFieldStart("frames");
    for (String frame : place.frames()) {
      json.writeString(frame);
    }
    json.writeEndArray();
    json.writeNumberField("taken", place.taken());
    json.writeNumberField("takenBytes", place.takenBytes());
    json.writeNumberField("open", place.open());
    json.writeNumberField("bytes", place.bytes());
    json.writeNumberField("used", place.used());
    json.writeNumberField("samples", place.samples());
    json.writeNumberField("spread", place.spread());
    json.writeArrayFieldStart("series");
    for (long bytes : place.series()) {
      json.writeNumber(bytes);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** What an object says, by field. */
  private record Members(
      Map<String, String> texts,
      Map<String, List<String>> lists,
      List<Place> places,
      Map<String, Boolean> flags) {
    Members() {
      this(new HashMap<>(), new HashMap<>(), new ArrayList<>(), new HashMap<>());
    }

    String text(String name) {
      return texts.getOrDefault(name, "");
    }

    long number(String name) {
      return Long.parseLong(texts.getOrDefault(name, "0"));
    }

    double fraction(String name) {
      return Double.parseDouble(texts.getOrDefault(name, "0"));
    }

    List<String> list(String name) {
      return lists.getOrDefault(name, List.of());
    }
  }

  /** Reads one. */
  static NativeCallers parse(String text) throws IOException {
    try (JsonParser json = new JsonFactory().createParser(text)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("no object");
      }
      Members all = members(json);
      if (!all.text("schema").equals(SCHEMA)) {
        throw new IOException("not " + SCHEMA);
      }
      return all.text("problem").isEmpty() ? callers(all) : NativeCallers.none(all.text("problem"));
    }
  }

  private static NativeCallers callers(Members all) throws IOException {
    List<Instant> times = all.list("times").stream().map(Instant::parse).toList();
    for (Place place : all.places()) {
      if (place.series().size() != times.size() || place.frames().isEmpty()) {
        throw new IOException("a place has no frames, or not as many figures as there are times");
      }
    }
    return new NativeCallers(
        "",
        all.number("interval"),
        Instant.parse(all.text("began")),
        Instant.parse(all.text("ended")),
        all.flags().getOrDefault("stopped", false),
        all.fraction("missed"),
        all.number("held"),
        all.number("jvm"),
        all.number("profiler"),
        all.number("counted"),
        all.number("taken"),
        all.number("takenBytes"),
        all.number("open"),
        all.number("rest"),
        times,
        List.copyOf(all.places()));
  }

  private static Place place(Members one) {
    return new Place(
        one.text("group"),
        one.list("frames"),
        one.number("taken"),
        one.number("takenBytes"),
        one.number("open"),
        one.number("bytes"),
        one.number("used"),
        one.number("samples"),
        one.fraction("spread"),
        one.list("series").stream().map(Long::valueOf).toList());
  }

  private static Members members(JsonParser json) throws IOException {
    Members members = new Members();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      JsonToken value = json.nextToken();
      if (value == JsonToken.START_ARRAY) {
        array(json, field, members);
      } else if (value == JsonToken.VALUE_TRUE || value == JsonToken.VALUE_FALSE) {
        members.flags().put(field, value == JsonToken.VALUE_TRUE);
      } else if (value.isScalarValue()) {
        members.texts().put(field, json.getText());
      } else {
        json.skipChildren();
      }
    }
    return members;
  }

  /** Of places, or of texts and numbers. */
  private static void array(JsonParser json, String field, Members members) throws IOException {
    List<String> values = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (json.currentToken() == null) {
        throw new IOException("it ends within " + field);
      } else if (json.currentToken() == JsonToken.START_OBJECT && field.equals("places")) {
        members.places().add(place(members(json)));
      } else if (json.currentToken().isScalarValue()) {
        values.add(json.getText());
      } else {
        json.skipChildren();
      }
    }
    members.lists().put(field, List.copyOf(values));
  }
}
