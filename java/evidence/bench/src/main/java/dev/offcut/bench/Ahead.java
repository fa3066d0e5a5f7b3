package dev.offcut.bench;

import dev.offcut.bench.Samples.Row;
import java.util.ArrayList;
import java.util.List;

/** A row in which a peer did better than one of ours did in the same place. */
record Ahead(Row peer, Row ours) {
  /** All of them, in the order of the rows. */
  static List<Ahead> in(List<Row> rows, Suite suite) {
    List<Ahead> found = new ArrayList<>();
    for (Row ours : rows) {
      if (suite.isOurs(ours.series().impl())) {
        found.addAll(of(ours, rows, suite));
      }
    }
    return found;
  }

  private static List<Ahead> of(Row ours, List<Row> rows, Suite suite) {
    return rows.stream()
        .filter(row -> suite.isPeer(row.series().impl()))
        .filter(row -> row.series().by(ours.series().impl()).equals(ours.series()))
        .filter(row -> isBetter(row, ours, suite.better(ours.series().metric())))
        .map(row -> new Ahead(row, ours))
        .toList();
  }

  private static boolean isBetter(Row peer, Row ours, Suite.Better better) {
    return switch (better) {
      case LOWER -> peer.value() < ours.value();
      case HIGHER -> peer.value() > ours.value();
      case NEITHER -> false;
    };
  }

  String text() {
    return "%s, %s: %s %s, %s %s"
        .formatted(
            ours.series().place(),
            ours.series().metric(),
            peer.series().impl(),
            Numbers.brief(peer.value()),
            ours.series().impl(),
            Numbers.brief(ours.value()));
  }
}
