package dev.offcut.agent.publish;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the libraries in the program publish, by key. */
final class LibraryRows {
  /** A longer text is the map of a pool, which is another one soon. */
  private static final int LONG_TEXT = 4 << 10;

  private record Published(String schema, TableFile.Row row) {}

  private final Tables tables;
  private final Map<String, Published> rows = new HashMap<>();
  private final Map<String, List<TableFile.Row>> free = new HashMap<>();

  /** The last long text of a row, and where it is. */
  private final Map<String, String> texts = new HashMap<>();

  private final Map<String, Long> places = new HashMap<>();

  LibraryRows(Tables tables) {
    this.tables = tables;
  }

  /** Puts a row of a copy where readers find it. */
  void set(String key, String schema, Object[] given) throws IOException {
    Published known = rows.get(key);
    if (known == null) {
      List<TableFile.Row> unused = free.get(schema);
      TableFile.Row row =
          unused == null || unused.isEmpty()
              ? tables.table(schema).add()
              : unused.remove(unused.size() - 1);
      if (row == null) {
        return;
      }
      known = new Published(schema, row);
      rows.put(key, known);
    }
    long[] values = tables.values;
    for (int i = 0; i < given.length; i++) {
      values[i] = given[i] instanceof Long number ? number : text(key, (String) given[i]);
    }
    known.row.set(values, 0);
  }

  private long text(String key, String text) throws IOException {
    if (text.length() < LONG_TEXT) {
      return tables.text(text);
    }
    if (!text.equals(texts.get(key))) {
      texts.put(key, text);
      places.put(key, Math.max(0, tables.newText(text)));
    }
    return places.getOrDefault(key, 0L);
  }

  /** A row that there was is there no more. */
  void clear(String key) throws IOException {
    Published known = rows.remove(key);
    texts.remove(key);
    places.remove(key);
    if (known != null) {
      Arrays.fill(tables.values, 0);
      known.row.set(tables.values, 0);
      free.computeIfAbsent(known.schema, unseen -> new ArrayList<>()).add(known.row);
    }
  }
}
