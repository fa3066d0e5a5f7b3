package dev.offcut.agent.publish;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The call sites, a row each. */
final class SiteRows {
  private static final String SCHEMA =
      "offcut.ResourceSite\nkind text\nsite text\nline long\nthrough text\nopened long\nclosed long\n"
          + "collected long\nlost long\nopen long\nbytes long\nlostBytes long\nsamples long";

  private static final String COURSE_SCHEMA = courseSchema();

  /** They have an owner, and no course. */
  private static final String CLEANER = "cleaner";

  /** Who started threads that ended owns what those that they started opened. */
  private static final String THREAD = "closeable:java.lang.Thread";

  /**
   * A site gets a second row from so many objects on that the program did not close, or from so
   * many threads on.
   */
  private static final int FEWEST = 10;

  /** Points of a course at most. */
  private static final int MOST_POINTS = 32;

  /** Where the frames of a site are, and its row; null: there was no room. */
  private record Known(long frames, TableFile.@Nullable Row row) {}

  /** The rows of courses of those that had enough open ones. */
  private final Map<Ledger.SiteCounts.Place, TableFile.Row> courses = new HashMap<>();

  private final Tables tables;
  private final Map<Ledger.SiteCounts.Place, Known> rows = new HashMap<>();

  SiteRows(Tables tables) {
    this.tables = tables;
  }

  void publish() throws IOException, ReflectiveOperationException {
    for (Ledger.SiteCounts site : Ledger.sites()) {
      Known known = rows.get(site.place());
      if (known == null) {
        long frames = tables.newText(site.frames());
        known = new Known(frames, frames < 0 ? null : tables.table(SCHEMA).add());
        rows.put(site.place(), known);
      }
      if (known.row != null) {
        long[] values = tables.values;
        values[0] = tables.text(site.kind());
        values[1] = known.frames;
        values[2] = site.line();
        values[3] = tables.text(site.through());
        values[4] = site.opened();
        values[5] = site.closed();
        values[6] = site.collected();
        values[7] = site.lost();
        values[8] = Math.max(0, site.open()); // they are read while others count
        values[9] = site.bytes();
        values[10] = site.lostBytes();
        values[11] = site.samples();
        known.row.set(values, 0);
        course(site, known.frames);
      }
    }
  }

  private static String courseSchema() {
    StringBuilder schema =
        new StringBuilder("offcut.OpenOverTime\nkind text\nsite text\nowner text\npoints long");
    for (int i = 0; i < MOST_POINTS; i++) {
      schema.append("\np").append(i).append(" long");
    }
    return schema.toString();
  }

  /** How many were open over time, and who owns them. */
  private void course(Ledger.SiteCounts site, long frames) throws IOException {
    TableFile.Row row = courses.get(site.place());
    List<Long> course = site.course();
    List<Long> points = course == null ? List.of() : course;
    long many = site.kind().equals(THREAD) ? site.opened() : site.opened() - site.closed();
    boolean isFew = many < FEWEST;
    if ((course == null && !site.kind().equals(CLEANER)) || (row == null && isFew)) {
      return;
    }
    if (row == null) {
      row = tables.table(COURSE_SCHEMA).add();
      if (row == null) {
        return;
      }
      courses.put(site.place(), row);
    }
    long[] values = new long[4 + MOST_POINTS];
    values[0] = tables.text(site.kind());
    values[1] = frames;
    values[2] = tables.text(site.owner());
    values[3] = points.size();
    for (int i = 0; i < Math.min(MOST_POINTS, points.size()); i++) {
      values[4 + i] = points.get(i);
    }
    row.set(values, 0);
  }
}
