package dev.offcut.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.offcut.bench.Bar.Judgement;
import dev.offcut.bench.Rows.Row;
import dev.offcut.bench.Rows.Series;
import dev.offcut.bench.Statistics.Interval;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Map;

/** The rows for tools: {@code offcut.bench/1}, as {@code spec/bench.schema.json} describes it. */
public final class JsonReport {
  /** Of the files that it writes. */
  public static final String SCHEMA = "offcut.bench/1";

  private final JsonGenerator json;

  private JsonReport(JsonGenerator json) {
    this.json = json;
  }

  static void write(Writer to, String suite, Map<String, Object> environment, Result result)
      throws IOException {
    try (JsonGenerator json = new JsonFactory().createGenerator(to)) {
      json.setPrettyPrinter(rowPerLine());
      new JsonReport(json).report(suite, environment, result);
      json.writeRaw('\n');
    }
  }

  private void report(String suite, Map<String, Object> environment, Result result)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("schema", SCHEMA);
    json.writeStringField("suite", suite);
    json.writeObjectFieldStart("environment");
    for (var entry : environment.entrySet()) {
      json.writePOJOField(entry.getKey(), entry.getValue());
    }
    json.writeEndObject();
    json.writeArrayFieldStart("rows");
    for (Row row : result.rows().all()) {
      write(row);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("bars");
    for (Judgement bar : result.bars()) {
      write(bar);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("left_out");
    for (String sentence : result.leftOut()) {
      json.writeString(sentence);
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
    json.writeNumberField("rounds", row.rounds());
    json.writeEndObject();
  }

  private void write(Judgement bar) throws IOException {
    Double measured = bar.verdict().measured();
    Interval interval = bar.decision().interval();
    json.writeStartObject();
    json.writeStringField("bar", bar.verdict().bar());
    if (measured != null) {
      json.writeNumberField("measured", Numbers.exact(measured));
    }
    if (interval != null) {
      json.writeNumberField("low", Numbers.exact(interval.low()));
      json.writeNumberField("high", Numbers.exact(interval.high()));
    }
    json.writeNumberField("rounds", bar.decision().rounds());
    json.writeBooleanField("decided", bar.decision().decided() != Bar.Decided.OPEN);
    json.writeBooleanField("met", bar.verdict().met());
    json.writeStringField("verdict", bar.word());
    json.writeEndObject();
  }

  /**
   * What came of a run.
   *
   * @param leftOut sentences: what was not measured, and why
   */
  record Result(Rows rows, List<Judgement> bars, List<String> leftOut) {}

  /** Objects on one line, an array's elements on a line each: readable, and made for grep. */
  public static PrettyPrinter rowPerLine() {
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
    printer.indentObjectsWith(new DefaultPrettyPrinter.FixedSpaceIndenter());
    printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
    return printer;
  }
}
