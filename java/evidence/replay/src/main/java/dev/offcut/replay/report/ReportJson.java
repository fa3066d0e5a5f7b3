package dev.offcut.replay.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.offcut.replay.Result;
import dev.offcut.replay.Result.Snapshot;
import dev.offcut.replay.space.Space;
import dev.offcut.replay.space.Space.Layout.NodeMap;
import dev.offcut.replay.space.Space.Layout.Piece;
import dev.offcut.replay.space.Space.Usage;
import dev.offcut.replay.space.Words;
import dev.offcut.replay.trace.Trace;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A report as one JSON object, {@code offcut.replay/1}: members are added, never changed. Sizes are
 * in bytes. A map is a list of nodes; in each, pieces of one size and state that follow each other
 * are one entry: how many, the bytes of each, the state.
 */
public final class ReportJson {
  public static final String SCHEMA = "offcut.replay/1";

  private final JsonGenerator json;

  private ReportJson(JsonGenerator json) {
    this.json = json;
  }

  /** Writes it all; the writer stays open. */
  public static void write(Report report, Writer to) throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(to);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    new ReportJson(json).report(report);
    json.close();
  }

  private void report(Report report) throws IOException {
    json.writeStartObject();
    json.writeStringField("schema", SCHEMA);
    json.writeStringField("trace", report.trace().name());
    json.writeNumberField("class_space_bytes", report.classSpaceBytes());
    json.writeNumberField("survivors", report.survivors());
    Trace.Estimate estimate = report.trace().estimate();
    if (estimate != null) {
      json.writeObjectFieldStart("estimate");
      json.writeNumberField("classes", estimate.classes());
      json.writeNumberField("without_file", estimate.withoutFile());
      json.writeNumberField("estimated_bytes", estimate.estimatedBytes());
      json.writeNumberField("measured_bytes", estimate.measuredBytes());
      json.writeEndObject();
    }
    json.writeArrayFieldStart("policies");
    for (Result result : report.results()) {
      result(result);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void result(Result result) throws IOException {
    json.writeStartObject();
    json.writeStringField("policy", result.policy());
    json.writeNumberField("classes", result.classes());
    json.writeObjectFieldStart("classes_by_group");
    for (Map.Entry<String, Long> group : result.classesByGroup().entrySet()) {
      json.writeNumberField(group.getKey(), group.getValue());
    }
    json.writeEndObject();
    json.writeNumberField("operations", result.operations());
    failure(result.failure());
    json.writeArrayFieldStart("snapshots");
    for (Snapshot snapshot : result.snapshots()) {
      json.writeStartObject();
      json.writeStringField("name", snapshot.name());
      look("class", snapshot.classSpace());
      look("non_class", snapshot.nonClass());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void failure(Result.@org.jspecify.annotations.Nullable Failure failure)
      throws IOException {
    if (failure == null) {
      json.writeNullField("failure");
      return;
    }
    json.writeObjectFieldStart("failure");
    json.writeNumberField("line", failure.line());
    json.writeStringField("space", failure.space() == Space.Kind.CLASS ? "class" : "non_class");
    json.writeBooleanField("expected", failure.expected());
    json.writeEndObject();
  }

  private void look(String space, Snapshot.Look look) throws IOException {
    Usage usage = look.usage();
    json.writeObjectFieldStart(space);
    bytes("capacity_bytes", usage.capacity());
    bytes("committed_bytes", usage.committed());
    bytes("handed_out_bytes", usage.handedOut());
    bytes("used_bytes", usage.used());
    bytes("free_bytes", usage.free());
    bytes("largest_free_bytes", usage.largestFree());
    bytes("alignment_bytes", usage.alignment());
    bytes("alignment_bytes_max", usage.alignmentMax());
    map(look.map());
    json.writeEndObject();
  }

  private void bytes(String name, long words) throws IOException {
    json.writeNumberField(name, Words.toBytes(words));
  }

  private void map(Space.Layout map) throws IOException {
    json.writeArrayFieldStart("map");
    for (NodeMap node : map.nodes()) {
      json.writeStartArray();
      pieces(node.pieces());
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  private void pieces(List<Piece> pieces) throws IOException {
    int count = 0;
    for (int i = 0; i < pieces.size(); i++) {
      Piece piece = pieces.get(i);
      count++;
      Piece next = i + 1 < pieces.size() ? pieces.get(i + 1) : null;
      if (next == null || next.words() != piece.words() || next.state() != piece.state()) {
        json.writeStartArray();
        json.writeNumber(count);
        json.writeNumber(Words.toBytes(piece.words()));
        json.writeString(piece.state().name().toLowerCase(Locale.ROOT));
        json.writeEndArray();
        count = 0;
      }
    }
  }
}
