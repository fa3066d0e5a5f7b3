package dev.offcut.replay.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.offcut.replay.trace.Trace.BadTraceException;
import java.io.BufferedReader;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The traces that are checked in, and their schema. */
class SpecTest {
  @Test
  void example2_file_isTheBuiltInTrace() throws Exception {
    assertThat(TraceReader.read(spec("replay-example2.jsonl"))).isEqualTo(Example2.trace());
  }

  @Test
  void javac_trace_saysHowGoodItIs() throws Exception {
    Trace trace = TraceReader.read(spec("replay-javac.jsonl"));
    Trace.Estimate estimate = Objects.requireNonNull(trace.estimate());
    assertThat(estimate.errorPercent()).isBetween(-25.0, 25.0);
  }

  /** What the reader refuses a wrong member with says which it knows: those are the schema's. */
  @ParameterizedTest
  @ValueSource(strings = {"open", "allocate", "close", "purge", "mark"})
  void schema_membersOfAnOperation_areThoseOfTheReader(String op) throws Exception {
    String header = Files.readAllLines(spec("replay-example2.jsonl")).getFirst();
    String wrong = header + "\n{\"op\":\"" + op + "\",\"wrong\":1}";
    BadTraceException refused =
        catchThrowableOfType(
            BadTraceException.class,
            () -> TraceReader.read("t", new BufferedReader(new StringReader(wrong))));
    String message = Objects.requireNonNull(refused.getMessage());
    String[] known = message.replaceFirst(".*known here: (.*)\\)", "$1").split(", ", -1);

    String text = Files.readString(spec("replay-trace.schema.json"));
    JsonLine schema = JsonLine.parse("schema", text);
    JsonLine properties = inside(inside(inside(schema, "$defs"), op), "properties");
    properties.allow(known);
    assertThat(known).allMatch(properties::has);
  }

  private static JsonLine inside(JsonLine object, String name) throws BadTraceException {
    return Objects.requireNonNull(object.object(name));
  }

  private static Path spec(String name) {
    return Path.of("../../../spec", name);
  }
}
