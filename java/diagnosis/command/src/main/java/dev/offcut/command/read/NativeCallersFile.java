package dev.offcut.command.read;

import dev.offcut.command.read.NativeCallers.Place;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Native callers as JSON, {@code offcut.native/2}: {@code spec/run-archive.md} has the fields. */
final class NativeCallersFile {
  private static final String SCHEMA = "offcut.native/2";

  private NativeCallersFile() {}

  /** As text. */
  static String text(NativeCallers callers) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("schema", SCHEMA);
    all.put("problem", callers.problem());
    if (callers.isKnown()) {
      all.putAll(Json.members(callers));
    }
    return Json.text(all) + "\n";
  }

  /** Reads one. */
  static NativeCallers parse(String text) throws IOException {
    NativeCallers callers = Json.record(NativeCallers.class, Json.parse(text, SCHEMA));
    for (NativeCallers.Series series : callers.series()) {
      if (series.bytes().size() != callers.times().size()) {
        throw new IOException("a series has not as many figures as there are times");
      }
    }
    for (Place place : callers.places()) {
      if (place.line() < 0 || place.line() >= place.frames().size()) {
        throw new IOException("a place has no frames, or another one is its line");
      }
    }
    return callers;
  }
}
