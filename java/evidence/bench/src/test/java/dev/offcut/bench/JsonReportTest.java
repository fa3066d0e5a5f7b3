package dev.offcut.bench;

import static dev.offcut.bench.TestSuite.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.ValidationMessage;
import dev.offcut.bench.Rows.Row;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonReportTest {
  private static String written(Row... rows) throws IOException {
    StringWriter text = new StringWriter();
    Map<String, Object> environment = new Environment(true, new OthersLoad()).after(12.6);
    Rows all = new Rows(List.of(rows));
    Samples samples = new Samples();
    for (int round = 0; round < 3; round++) {
      for (Row row : rows) {
        samples.add(row.series(), round, row.value(), row.unit());
      }
    }
    List<Bar.Judgement> bars =
        new TestSuite().bars().stream().map(bar -> bar.judge(all, samples)).toList();
    JsonReport.write(
        text, "handle", environment, new JsonReport.Result(all, bars, List.of("one: not all")));
    return text.toString();
  }

  @Test
  void write_rows_keepToTheSchema() throws IOException {
    String text = written(row("ours", "cpu_ns_per_op", 7.1), row("peer", "reclaimed", 1_000_000));
    assertThat(Schemas.problemsOf(text, "bench.schema.json")).isEmpty();
  }

  @Test
  void write_row_hasExactlyTheAgreedFields() throws IOException {
    String text = written(row("ours", "cpu_ns_per_op", 7.1));
    assertThat(new ObjectMapper().readTree(text).required("rows").required(0))
        .hasToString(
            """
            {"case":"one","impl":"ours","version":"1.0","runtime":"%s","threads":1,"gc":"G1",\
            "metric":"cpu_ns_per_op","value":7.1,"unit":"ns","spread":0,"rounds":3}"""
                .formatted(Jdk.OWN.runtime()));
  }

  @Test
  void write_bars_sayWhatTheyRestOn() throws IOException {
    JsonNode json =
        new ObjectMapper()
            .readTree(written(row("ours", "cpu_ns_per_op", 9), row("peer", "cpu_ns_per_op", 20)));
    assertThat(json.required("bars").required(0))
        .hasToString(
            """
            {"bar":"one, G1, 1 thread, cpu_ns_per_op: ours / peer ≤ 0.5","measured":0.45,\
            "low":0.45,"high":0.45,"rounds":3,"decided":true,"met":true,\
            "verdict":"met, decided after 3 rounds"}""");
    assertThat(json.required("left_out")).hasToString("[\"one: not all\"]");
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
    assertThat(Schemas.problemsOf(text, "bench.schema.json"))
        .extracting(ValidationMessage::getMessageKey, ValidationMessage::getProperty)
        .containsExactlyInAnyOrder(
            tuple("required", "unit"), tuple("additionalProperties", "units"));
  }
}
