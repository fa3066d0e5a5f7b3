package dev.offcut.bench;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.offcut.bench.Bar.Verdict;
import dev.offcut.bench.Bar.Word;
import dev.offcut.bench.Samples.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The rows for tools: {@code offcut.bench/1}, as {@code spec/bench.schema.json} describes it. */
final class JsonReport {
  private JsonReport() {}

  /**
   * Writes a file as a whole, so that an interrupted run leaves the one before.
   *
   * @param leftOut sentences: what was not measured, and why
   */
  static void write(
      Path file,
      String suite,
      Map<String, Object> environment,
      List<Row> rows,
      List<Verdict> bars,
      List<String> leftOut)
      throws IOException {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("schema", "offcut.bench/1");
    all.put("suite", suite);
    all.put("environment", environment);
    all.put("rows", rows.stream().map(JsonReport::json).toList());
    all.put("bars", bars.stream().map(JsonReport::json).toList());
    all.put("left_out", leftOut);
    DefaultPrettyPrinter rowPerLine = new DefaultPrettyPrinter();
    rowPerLine.indentObjectsWith(new DefaultPrettyPrinter.FixedSpaceIndenter());
    rowPerLine.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
    Path draft = Path.of(file + ".part");
    Files.writeString(draft, new ObjectMapper().writer(rowPerLine).writeValueAsString(all) + "\n");
    Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private static Map<String, Object> json(Row row) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("case", row.series().caseName());
    json.put("impl", row.series().impl());
    json.put("version", row.version());
    json.put("runtime", Versions.java());
    json.put("threads", row.series().threads());
    json.put("gc", ChildJvm.GC);
    json.put("metric", row.series().metric());
    json.put("value", Numbers.exact(row.value()));
    json.put("unit", row.unit());
    json.put("spread", Numbers.exact(row.spread()));
    json.put("rounds", row.rounds());
    return json;
  }

  private static Map<String, Object> json(Verdict bar) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("bar", bar.bar());
    if (bar.measured() != null && bar.interval() != null) {
      json.put("measured", Numbers.exact(bar.measured()));
      json.put("low", Numbers.exact(bar.interval().low()));
      json.put("high", Numbers.exact(bar.interval().high()));
    }
    json.put("rounds", bar.rounds());
    json.put("decided", bar.word() == Word.MET || bar.word() == Word.NOT_MET);
    json.put("met", bar.word() == Word.MET);
    json.put("verdict", bar.word().text);
    return json;
  }
}
