package dev.offcut.bench.compare;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.offcut.bench.JsonReport;
import dev.offcut.bench.Numbers;
import dev.offcut.bench.compare.Comparison.Change;
import dev.offcut.bench.compare.Comparison.Change.Verdict;
import dev.offcut.bench.read.RunFile;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;

/**
 * A comparison for tools: {@code offcut.bench-compare/1}, all rows, also those that are the same.
 */
final class ComparisonJson {
  private static final String SCHEMA = "offcut.bench-compare/1";

  private final JsonGenerator json;

  private ComparisonJson(JsonGenerator json) {
    this.json = json;
  }

  static void write(Writer to, Comparison comparison) throws IOException {
    try (JsonGenerator json = new JsonFactory().createGenerator(to)) {
      json.setPrettyPrinter(JsonReport.rowPerLine());
      new ComparisonJson(json).write(comparison);
      json.writeRaw('\n');
    }
  }

  private void write(Comparison comparison) throws IOException {
    json.writeStartObject();
    json.writeStringField("schema", SCHEMA);
    json.writeStringField("suite", comparison.base().suite());
    run("base", comparison.base());
    run("new", comparison.now());
    json.writeNumberField("regressions", comparison.count(Verdict.REGRESSION));
    json.writeArrayFieldStart("rows");
    for (Change change : comparison.changes()) {
      row(change);
    }
    json.writeEndArray();
    lacking("only_base", comparison.onlyBase());
    lacking("only_new", comparison.onlyNow());
    json.writeEndObject();
  }

  private void run(String name, RunFile file) throws IOException {
    json.writeObjectFieldStart(name);
    json.writeStringField("file", file.path().toString());
    json.writeStringField("time", file.fact("time"));
    json.writeStringField("offcut", file.fact("offcut"));
    json.writeBooleanField("quick", file.isQuick());
    json.writeEndObject();
  }

  private void row(Change change) throws IOException {
    json.writeStartObject();
    key(change.base().key());
    json.writeStringField("unit", change.base().unit());
    json.writeNumberField("base", Numbers.exact(change.base().value()));
    json.writeNumberField("base_spread", Numbers.exact(change.base().spread()));
    json.writeNumberField("new", Numbers.exact(change.now().value()));
    json.writeNumberField("new_spread", Numbers.exact(change.now().spread()));
    if (Double.isFinite(change.percent())) { // from 0 there is no percentage
      json.writeNumberField("change_percent", Numbers.exact(change.percent()));
    }
    if (!Double.isNaN(change.others())) {
      json.writeNumberField("others_ratio", Numbers.exact(change.others()));
    }
    json.writeStringField("verdict", change.verdict().name().toLowerCase(Locale.ROOT));
    json.writeEndObject();
  }

  private void lacking(String name, List<RunFile.Row> rows) throws IOException {
    json.writeArrayFieldStart(name);
    for (RunFile.Row row : rows) {
      json.writeStartObject();
      key(row.key());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void key(RunFile.Row.Key key) throws IOException {
    json.writeStringField("case", key.caseName());
    json.writeStringField("impl", key.impl());
    json.writeStringField("runtime", key.runtime());
    json.writeNumberField("threads", key.threads());
    json.writeStringField("gc", key.gc());
    json.writeStringField("metric", key.metric());
  }
}
