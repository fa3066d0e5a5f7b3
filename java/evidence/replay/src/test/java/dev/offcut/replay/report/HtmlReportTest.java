package dev.offcut.replay.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.offcut.replay.Replay;
import dev.offcut.replay.Result;
import dev.offcut.replay.space.Policy;
import dev.offcut.replay.trace.Example2;
import dev.offcut.replay.trace.Trace;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlReportTest {
  private static String page = "";
  private static String json = "";

  @BeforeAll
  static void write() throws IOException {
    Trace example = Example2.trace();
    Trace trace = new Trace("</script><b>{{data}}", example.classSpaceBytes(), null, example.ops());
    List<Result> results = new ArrayList<>();
    for (Policy policy : Policy.known()) {
      try (Replay replay = new Replay(policy, trace, trace.classSpaceBytes(), 16, done -> {})) {
        results.add(replay.run());
      }
    }
    Report report = new Report(trace, trace.classSpaceBytes(), 16, results);
    StringWriter html = new StringWriter();
    HtmlReport.write(report, html);
    page = html.toString();
    StringWriter text = new StringWriter();
    ReportJson.write(report, text);
    json = text.toString();
  }

  @Test
  void write_page_needsNothingButItself() {
    assertThat(page)
        .startsWith("<!DOCTYPE html>")
        .contains("default-src 'none'")
        .doesNotContain("http://", "https://", "src=", "href=", "@import", "url(");
  }

  @Test
  void write_page_isForDarkAndLightAndForKeys() {
    assertThat(page)
        .contains(
            "prefers-color-scheme: dark", "canvas.tabIndex = 0", "type=\"radio\"", "<noscript>")
        .contains("keydown", "aria-label");
  }

  @Test
  void write_textOfTheTrace_isNoMarkup() {
    assertThat(page).contains("&lt;/script&gt;&lt;b&gt;").doesNotContain("</script><b>");
    assertThat(page.split("</script>", -1)).hasSize(3);
    assertThat(page.substring(0, page.indexOf("id=\"data\""))).doesNotContain("{{");
  }

  @Test
  void write_table_hasARowForEachPolicy() {
    for (String policy : Policy.names()) {
      assertThat(page).contains("<th scope=\"row\">" + policy + "</th>");
    }
    assertThat(page).contains("<th scope=\"col\">large classes</th>", "<td>792</td>");
  }

  @Test
  void write_json_pieces_addUpToTheCapacity() throws IOException {
    long capacity = 0;
    long sum = 0;
    int spaces = 0;
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.FIELD_NAME && parser.currentName().equals("capacity_bytes")) {
          assertThat(sum).isEqualTo(capacity); // of the space before
          capacity = parser.nextLongValue(-1);
          sum = 0;
          spaces++;
        } else if (token == JsonToken.VALUE_NUMBER_INT && parser.getParsingContext().inArray()) {
          sum += parser.getLongValue() * parser.nextLongValue(-1);
        }
      }
    }
    assertThat(sum).isEqualTo(capacity).isPositive();
    assertThat(spaces).isEqualTo(Policy.known().size() * 3 * 2);
    assertThat(json).startsWith("{\"schema\":\"offcut.replay/1\"");
  }

  /** Where there is a node, the script runs in it; else only its parts are looked for. */
  @Test
  void write_script_decodesWhatTheJsonSays(@TempDir Path folder) throws Exception {
    assertThat(page).contains("function piecesOf(map)", "function partsOf(piece, rowBytes)");
    if (!hasNode()) {
      return;
    }
    Path script = folder.resolve("page.js");
    try (var in = HtmlReport.class.getResourceAsStream("page.js")) {
      Files.write(script, java.util.Objects.requireNonNull(in).readAllBytes());
    }
    Files.writeString(folder.resolve("data.json"), json);
    Path check = Files.writeString(folder.resolve("check.js"), CHECK);
    Process node = new ProcessBuilder("node", check.toString()).redirectErrorStream(true).start();
    String said = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(node.waitFor()).as(said).isZero();
  }

  private static final String CHECK =
      """
      const assert = require("node:assert");
      const page = require("./page.js");
      const data = require("./data.json");
      for (const policy of data.policies) {
        for (const snapshot of policy.snapshots) {
          for (const look of [snapshot.class, snapshot.non_class]) {
            const pieces = page.piecesOf(look.map);
            const used = pieces.filter((piece) => piece.state === "in_use");
            const bytes = used.reduce((sum, piece) => sum + piece.bytes, 0);
            assert.strictEqual(bytes, look.handed_out_bytes);
            const { rowBytes, rows } = page.rowsOf(look.capacity_bytes);
            assert.ok(rows <= 64 && rows * rowBytes >= look.capacity_bytes);
            for (const piece of pieces) {
              const parts = page.partsOf(piece, rowBytes);
              assert.strictEqual(parts.reduce((sum, part) => sum + part.to - part.from, 0), piece.bytes);
              assert.ok(parts.every((part) => part.from >= 0 && part.to <= rowBytes && part.row < rows));
              assert.strictEqual(pieces[page.pieceAt(pieces, piece.from)], piece);
            }
            assert.strictEqual(page.pieceAt(pieces, look.capacity_bytes), -1);
          }
        }
      }
      assert.strictEqual(page.sizeText(10485760), "10 MiB");
      """;

  private static boolean hasNode() throws InterruptedException {
    try {
      return new ProcessBuilder("node", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
