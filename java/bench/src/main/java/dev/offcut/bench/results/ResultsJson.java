package dev.offcut.bench.results;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.offcut.bench.JsonReport;
import dev.offcut.bench.Numbers;
import dev.offcut.bench.read.RunFile;
import dev.offcut.bench.results.BarsPicture.Picture;
import dev.offcut.bench.results.Headlines.Headline;
import dev.offcut.bench.results.Section.Table;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** The data of the page of all suites: {@code offcut.results/1}, for {@code web/results.js}. */
final class ResultsJson {
  private static final String SCHEMA = "offcut.results/1";

  private final JsonGenerator json;

  private ResultsJson(JsonGenerator json) {
    this.json = json;
  }

  static String of(List<Section> sections) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      new ResultsJson(json).write(sections);
    }
    return text.toString();
  }

  private void write(List<Section> sections) throws IOException {
    json.writeStartObject();
    json.writeStringField("schema", SCHEMA);
    json.writeArrayFieldStart("sections");
    for (Section section : sections) {
      section(section);
    }
    runtimes(sections);
    json.writeEndArray();
    json.writeEndObject();
  }

  /** A section without a run of its own. */
  private void runtimes(List<Section> sections) throws IOException {
    json.writeStartObject();
    json.writeStringField("suite", RuntimesTable.NAME);
    json.writeStringField("made", "");
    json.writeNullField("failure");
    json.writeStringField("title", "Runtimes");
    json.writeStringField("says", RuntimesTable.SAYS);
    json.writeArrayFieldStart("tables");
    for (Table table : RuntimesTable.of(sections)) {
      table(table);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void section(Section section) throws IOException {
    json.writeStartObject();
    json.writeStringField("suite", section.outcome().suite());
    json.writeStringField("made", section.made());
    json.writeStringField("failure", section.outcome().failure());
    json.writeFieldName("notes");
    texts(section.notes());
    Headline headline = section.headline();
    if (headline != null) {
      json.writeStringField("title", headline.title());
      json.writeStringField("source", headline.source());
      json.writeStringField("link", headline.link());
      json.writeStringField("says", headline.says());
    }
    json.writeArrayFieldStart("tables");
    if (headline != null) {
      for (Table table : headline.tables()) {
        table(table);
      }
    }
    json.writeEndArray();
    json.writeArrayFieldStart("pictures");
    for (Picture picture : section.pictures()) {
      picture(picture);
    }
    json.writeEndArray();
    json.writeFieldName("ahead");
    table(section.ahead());
    json.writeFieldName("bars");
    table(section.bars());
    RunFile run = section.outcome().run();
    if (run != null) {
      json.writeFieldName("run");
      run(run);
    }
    json.writeEndObject();
  }

  private void table(Table table) throws IOException {
    json.writeStartObject();
    json.writeStringField("caption", table.caption());
    json.writeFieldName("columns");
    texts(table.columns());
    json.writeArrayFieldStart("lines");
    for (List<String> line : table.lines()) {
      texts(line);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** As a page can show it whose policy allows no file but itself. */
  private void picture(Picture picture) throws IOException {
    byte[] svg = picture.svg().getBytes(StandardCharsets.UTF_8);
    json.writeStartObject();
    json.writeStringField("caption", picture.caption());
    json.writeStringField(
        "url", "data:image/svg+xml;base64," + Base64.getEncoder().encodeToString(svg));
    json.writeEndObject();
  }

  private void texts(List<String> all) throws IOException {
    json.writeStartArray();
    for (String text : all) {
      json.writeString(text);
    }
    json.writeEndArray();
  }

  private void run(RunFile run) throws IOException {
    json.writeStartObject();
    json.writeStringField("schema", JsonReport.SCHEMA);
    json.writeStringField("suite", run.suite());
    json.writeObjectFieldStart("environment");
    for (var fact : run.environment().entrySet()) {
      json.writePOJOField(fact.getKey(), fact.getValue());
    }
    json.writeEndObject();
    json.writeArrayFieldStart("rows");
    for (RunFile.Row row : run.rows()) {
      row(row);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void row(RunFile.Row row) throws IOException {
    RunFile.Row.Key key = row.key();
    json.writeStartObject();
    json.writeStringField("case", key.caseName());
    json.writeStringField("impl", key.impl());
    json.writeStringField("version", row.version());
    json.writeStringField("runtime", key.runtime());
    json.writeNumberField("threads", key.threads());
    json.writeStringField("gc", key.gc());
    json.writeStringField("metric", key.metric());
    json.writeNumberField("value", Numbers.exact(row.value()));
    json.writeStringField("unit", row.unit());
    json.writeNumberField("spread", Numbers.exact(row.spread()));
    if (row.rounds() > 0) {
      json.writeNumberField("rounds", row.rounds());
    }
    json.writeEndObject();
  }
}
