package dev.offcut.command.read;

import dev.offcut.command.read.Holders.Held;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What holds open resources as JSON, {@code offcut.holders/1}: {@code spec/run-archive.md}. */
final class HoldersFile {
  private static final String SCHEMA = "offcut.holders/1";

  private HoldersFile() {}

  /** As text. */
  static String text(Holders holders) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("schema", SCHEMA);
    all.putAll(holders.members());
    return Json.text(all) + "\n";
  }

  /** Reads one. */
  static Holders parse(String text) throws IOException {
    Map<String, @Nullable Object> all = Json.parse(text, SCHEMA);
    return new Holders(
        String.valueOf(all.getOrDefault("problem", "")), Json.records(Held.class, all.get("held")));
  }
}
