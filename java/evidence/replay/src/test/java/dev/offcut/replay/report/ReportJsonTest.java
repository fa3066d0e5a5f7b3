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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportJsonTest {
  private static String json() throws IOException {
    Trace trace = Example2.trace();
    List<Result> results = new ArrayList<>();
    for (Policy policy : Policy.known()) {
      try (Replay replay = new Replay(policy, trace, trace.classSpaceBytes(), 16, done -> {})) {
        results.add(replay.run());
      }
    }
    StringWriter text = new StringWriter();
    ReportJson.write(new Report(trace, trace.classSpaceBytes(), 16, results), text);
    return text.toString();
  }

  @Test
  void write_pieces_addUpToTheCapacity() throws IOException {
    String json = json();
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
}
