package dev.offcut.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows of one invocation, in the order of the report. Ratios are made of these alone. */
final class Rows {
  private final Map<Series, Row> rows = new LinkedHashMap<>();

  Rows(List<Row> all) {
    all.forEach(row -> rows.put(row.series(), row));
  }

  List<Row> all() {
    return List.copyOf(rows.values());
  }

  @Nullable Row find(Series series) {
    return rows.get(series);
  }
}
