package dev.offcut.bench;

import static dev.offcut.bench.TestSuite.row;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonReportTest {
  private static String written(Row... rows) throws IOException {
    StringWriter text = new StringWriter();
    Map<String, Object> environment = new Environment(true).after(12.6);
    JsonReport.write(text, "handle", environment, new Rows(List.of(rows)));
    return text.toString();
  }

  @Test
  void write_rows_keepToTheSchema() throws IOException {
    String text = written(row("ours", "cpu_ns_per_op", 7.1), row("peer", "reclaimed", 1_000_000));
    assertThat(JsonSchema.problemsOf(Json.read(text))).isEmpty();
  }

  @Test
  void write_row_hasExactlyTheAgreedFields() throws IOException {
    Object rows = Json.member(Json.read(written(row("ours", "cpu_ns_per_op", 7.1))), "rows");
    assertThat(Json.object(Json.array(rows).getFirst()))
        .hasToString(
            "{case=one, impl=ours, version=1.0, runtime="
                + Jdk.OWN.runtime()
                + ", threads=1, gc=G1, metric=cpu_ns_per_op,"
                + " value=7.1, unit=ns, spread=0}");
  }

  @Test
  void write_rows_standOnALineEach() throws IOException {
    String text = written(row("ours", "cpu_ns_per_op", 7.1), row("peer", "cpu_ns_per_op", 20.5));
    assertThat(text.lines().filter(line -> line.contains("\"case\""))).hasSize(2);
    assertThat(text).endsWith("\n");
  }

  @Test
  void problemsOf_wrongReport_findsWhatIsWrong() throws IOException {
    String text = written(row("ours", "cpu_ns_per_op", 7.1)).replace("\"unit\"", "\"units\"");
    assertThat(JsonSchema.problemsOf(Json.read(text)))
        .containsExactlyInAnyOrder("report.rows[0] has no unit", "report.rows[0] has a units");
  }
}
