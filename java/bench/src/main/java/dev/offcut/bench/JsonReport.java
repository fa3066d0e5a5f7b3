package dev.offcut.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.offcut.bench.Rows.Row;
import dev.offcut.bench.Rows.Series;
import java.io.IOException;
import java.io.Writer;
import java.util.Map;

/** The rows for tools: {@code offcut.bench/1}, as {@code spec/bench.schema.json} describes it. */
public final class JsonReport {
  /** Of the files that it writes. */
  public static final String SCHEMA = "offcut.bench/1";

  private final JsonGenerator json;

  private JsonReport(JsonGenerator json) {
    this.json = json;
  }

  static void write(Writer to, String suite, Map<String, Object> environment, Rows rows)
      throws IOException {
    try (JsonGenerator json = new JsonFactory().createGenerator(to)) {
      json.setPrettyPrinter(rowPerLine());
      new JsonReport(json).report(suite, environment, rows);
      json.writeRaw('\n');
    }
  }

  private void report(String suite, Map<String, Object> environment, Rows rows) throws IOException {
    json.writeStartObject();
    json.writeStringField("schema", SCHEMA);
    json.writeStringField("suite", suite);
    json.writeObjectFieldStart("environment");
    for (var entry : environment.entrySet()) {
      json.writePOJOField(entry.getKey(), entry.getValue());
    }
    json.writeEndObject();
    json.writeArrayFieldStart("rows");
    for (Row row : rows.all()) {
      write(row);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void write(Row row) throws IOException {
    Series series = row.series();
    json.writeStartObject();
    json.writeStringField("case", series.caseName());
    json.writeStringField("impl", series.impl());
    json.writeStringField("version", row.version());
    json.writeStringField("runtime", series.jdk().runtime());
    json.writeNumberField("threads", series.threads());
    json.writeStringField("gc", series.gc());
    json.writeStringField("metric", series.metric());
    json.writeNumberField("value", Numbers.exact(row.value()));
    json.writeStringField("unit", row.unit());
    json.writeNumberField("spread", Numbers.exact(row.spread()));
    json.writeEndObject();
  }

  /** Objects on one line, an array's elements on a line each: readable, and made for grep. */
  public static PrettyPrinter rowPerLine() {
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
    printer.indentObjectsWith(new DefaultPrettyPrinter.FixedSpaceIndenter());
    printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
    return printer;
  }
}
