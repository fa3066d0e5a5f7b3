package dev.offcut.cli.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.offcut.cli.digest.Digest;
import dev.offcut.cli.digest.KnownLibraries;
import dev.offcut.cli.digest.Retained;
import dev.offcut.cli.source.HoldersFile;
import dev.offcut.cli.source.Versions;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * What was opened between two marks and is still held, as one JSON object, {@code offcut.marks/1}:
 * members are added, never changed. {@code spec/marks.schema.json} describes it.
 */
public final class MarksJson {
  /** What it is. */
  public static final String SCHEMA = "offcut.marks/1";

  private final JsonGenerator json;

  private MarksJson(JsonGenerator json) {
    this.json = json;
  }

  /** All of it, in one line; {@code seconds}: between the marks. */
  public static String of(Digest first, Digest second, double seconds) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      new MarksJson(json).all(first, second, seconds);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a string takes everything
    }
    return text.toString();
  }

  private void all(Digest first, Digest second, double seconds) throws IOException {
    Retained retained = Retained.between(first, second);
    json.writeStartObject();
    json.writeStringField("schema", SCHEMA);
    json.writeStringField("tool", Versions.own());
    Digest.Target target = second.target();
    json.writeObjectFieldStart("target");
    json.writeNumberField("pid", target.pid());
    json.writeStringField("main", target.main());
    json.writeStringField("jdk", target.jdk());
    json.writeStringField("level", target.level());
    json.writeNumberField("sampleEvery", target.sampleEvery());
    json.writeEndObject();
    json.writeNumberField("seconds", Math.round(1000 * seconds) / 1000.0);
    kinds(retained.kinds());
    sites(retained.sites());
    json.writeObjectFieldStart("memory");
    resident("residentAtFirst", first.memory().resident());
    resident("resident", second.memory().resident());
    json.writeArrayFieldStart("parts");
    for (Retained.Change part : retained.parts()) {
      json.writeStartObject();
      json.writeStringField("part", part.part());
      json.writeNumberField("bytes", part.bytes());
      json.writeNumberField("change", part.change());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
    strings("limits", DiffText.limits(second));
    strings("unwatched", second.unwatched());
    if (second.holders() != null) {
      json.writeObjectFieldStart("holders");
      HoldersFile.members(json, second.holders());
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private void kinds(List<Retained.Kind> kinds) throws IOException {
    json.writeArrayFieldStart("kinds");
    for (Retained.Kind kind : kinds) {
      json.writeStartObject();
      json.writeStringField("kind", kind.now().kind());
      json.writeNumberField("opened", kind.opened());
      json.writeNumberField("ended", kind.ended());
      range("held", kind.count());
      if (kind.hasBytes()) {
        range("bytes", kind.bytes());
      } else {
        json.writeNullField("bytes");
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void range(String name, Retained.Range range) throws IOException {
    json.writeObjectFieldStart(name);
    json.writeNumberField("least", range.least());
    json.writeNumberField("most", range.most());
    json.writeEndObject();
  }

  private void sites(List<Retained.Site> sites) throws IOException {
    json.writeArrayFieldStart("sites");
    for (Retained.Site site : sites) {
      json.writeStartObject();
      json.writeStringField("kind", site.now().kind());
      strings("frames", site.now().frames());
      if (!site.now().frames().isEmpty()) {
        json.writeNumberField("own", KnownLibraries.own(site.now().frames()));
      }
      json.writeNumberField("bytes", site.bytes());
      json.writeNumberField("count", site.count());
      json.writeBooleanField("exact", site.now().exact());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void resident(String name, long bytes) throws IOException {
    if (bytes < 0) {
      json.writeNullField(name);
    } else {
      json.writeNumberField(name, bytes);
    }
  }

  private void strings(String name, List<String> texts) throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }
}
