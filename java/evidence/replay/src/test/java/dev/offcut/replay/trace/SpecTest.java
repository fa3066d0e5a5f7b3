package dev.offcut.replay.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.offcut.replay.Traces;
import dev.offcut.replay.trace.Trace.BadTraceException;
import java.io.BufferedReader;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The traces that are checked in, and what writing makes of them. */
class SpecTest {
  @Test
  void example2_file_isTheBuiltInTrace() throws Exception {
    Path file = Traces.spec("replay-example2.jsonl");
    assertThat(TraceReader.read(file)).isEqualTo(Example2.trace());
    assertThat(Files.readString(file)).isEqualTo(written(Example2.trace()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"replay-example2.jsonl", "replay-javac.jsonl"})
  void write_whatWasRead_isTheSame(String name) throws Exception {
    Path file = Traces.spec(name);
    assertThat(written(TraceReader.read(file))).isEqualTo(Files.readString(file));
    assertThat(Files.size(file)).isLessThan(300_000);
  }

  @Test
  void javac_trace_saysHowGoodItIs() throws Exception {
    Trace trace = TraceReader.read(Traces.spec("replay-javac.jsonl"));
    Trace.Estimate estimate = Objects.requireNonNull(trace.estimate());
    assertThat(estimate.errorPercent()).isBetween(-25.0, 25.0);
  }

  /** What the reader refuses a wrong member with says which it knows: those are the schema's. */
  @ParameterizedTest
  @ValueSource(strings = {"open", "allocate", "close", "purge", "mark"})
  void schema_membersOfAnOperation_areThoseOfTheReader(String op) throws Exception {
    String header = Files.readAllLines(Traces.spec("replay-example2.jsonl")).getFirst();
    String wrong = header + "\n{\"op\":\"" + op + "\",\"wrong\":1}";
    BadTraceException refused =
        catchThrowableOfType(
            BadTraceException.class,
            () -> TraceReader.read("t", new BufferedReader(new StringReader(wrong))));
    String message = Objects.requireNonNull(refused.getMessage());
    String[] known = message.replaceFirst(".*known here: (.*)\\)", "$1").split(", ", -1);

    String text = Files.readString(Traces.spec("replay-trace.schema.json"));
    JsonLine schema = JsonLine.parse("schema", text);
    JsonLine properties = inside(inside(inside(schema, "$defs"), op), "properties");
    properties.allow(known);
    assertThat(known).allMatch(properties::has);
  }

  private static JsonLine inside(JsonLine object, String name) throws BadTraceException {
    return Objects.requireNonNull(object.object(name));
  }

  private static String written(Trace trace) throws Exception {
    StringWriter text = new StringWriter();
    TraceWriter.write(trace, text);
    return text.toString();
  }
}
