package dev.offcut.command.read;

import dev.offcut.command.read.NativeCallers.Place;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Native callers as JSON, {@code offcut.native/1}: {@code spec/run-archive.md} has the fields. */
final class NativeCallersFile {
  private static final String SCHEMA = "offcut.native/1";

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
    for (Place place : callers.places()) {
      if (place.series().size() != callers.times().size() || place.frames().isEmpty()) {
        throw new IOException("a place has no frames, or not as many figures as there are times");
      }
    }
    return callers;
  }
}
