package dev.offcut.replay.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.replay.Traces;
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

  private static String written(Trace trace) throws Exception {
    StringWriter text = new StringWriter();
    TraceWriter.write(trace, text);
    return text.toString();
  }
}
