package dev.offcut.replay.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import dev.offcut.replay.trace.Op.Range;
import java.io.IOException;
import java.io.Writer;

/** Writes a trace, one line an operation. */
public final class TraceWriter {
  private final JsonGenerator json;

  private TraceWriter(JsonGenerator json) {
    this.json = json;
  }

  /** Writes it all; the writer stays open. */
  public static void write(Trace trace, Writer to) throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(to);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
    TraceWriter writer = new TraceWriter(json);
    writer.header(trace);
    for (Op op : trace.ops()) {
      writer.op(op);
    }
    json.writeRaw("\n");
    json.close();
  }

  private void header(Trace trace) throws IOException {
    json.writeStartObject();
    json.writeStringField("schema", Trace.SCHEMA);
    json.writeStringField("name", trace.name());
    json.writeNumberField("class_space_bytes", trace.classSpaceBytes());
    Trace.Estimate estimate = trace.estimate();
    if (estimate != null) {
      json.writeObjectFieldStart("estimate");
      json.writeNumberField("classes", estimate.classes());
      json.writeNumberField("without_file", estimate.withoutFile());
      json.writeNumberField("estimated_bytes", estimate.estimatedBytes());
      json.writeNumberField("measured_bytes", estimate.measuredBytes());
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private void op(Op op) throws IOException {
    json.writeStartObject();
    switch (op) {
      case Op.Open open -> {
        begin("open", open.arenas());
        json.writeStringField("kind", open.kind().label());
      }
      case Op.Allocate allocate -> allocate(allocate);
      case Op.Close close -> begin("close", close.arenas());
      case Op.Purge purge -> json.writeStringField("op", "purge");
      case Op.Mark mark -> {
        json.writeStringField("op", "mark");
        json.writeStringField("name", mark.name());
      }
    }
    json.writeEndObject();
  }

  private void allocate(Op.Allocate op) throws IOException {
    begin("allocate", op.arenas());
    number("class_words", op.memory().classWords(), 0);
    number("non_class_words", op.memory().nonClassWords(), 0);
    number(
        "non_class_blocks", op.memory().nonClassBlocks(), op.memory().nonClassWords() == 0 ? 0 : 1);
    if (op.isUntilFull()) {
      json.writeStringField("times", "until_full");
    } else {
      number("times", op.times(), 1);
    }
    if (!op.group().isEmpty()) {
      json.writeStringField("group", op.group());
    }
  }

  private void begin(String op, Range arenas) throws IOException {
    json.writeStringField("op", op);
    if (arenas.count() == 1) {
      json.writeNumberField("arena", arenas.first());
    } else {
      json.writeFieldName("arenas");
      json.writeArray(new int[] {arenas.first(), arenas.last()}, 0, 2);
    }
  }

  /** Leaves out what a reader takes it for anyway. */
  private void number(String name, long value, long usual) throws IOException {
    if (value != usual) {
      json.writeNumberField(name, value);
    }
  }
}
