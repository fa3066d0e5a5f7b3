package dev.offcut.agent.publish;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The call sites, a row each. */
final class SiteRows {
  private static final String SCHEMA =
      "offcut.ResourceSite\nkind text\nsite text\nopened long\nclosed long\ncollected long\n"
          + "lost long\nopen long\nbytes long\nlostBytes long\nsamples long";

  /** Where the lines of a site are, and its row; null: there was no room. */
  private record Known(long lines, TableFile.@Nullable Row row) {}

  private final Tables tables;
  private final Map<Ledger.SiteCounts.Place, Known> rows = new HashMap<>();

  SiteRows(Tables tables) {
    this.tables = tables;
  }

  void publish() throws IOException, ReflectiveOperationException {
    for (Ledger.SiteCounts site : Ledger.sites()) {
      Known known = rows.get(site.place());
      if (known == null) {
        long lines = tables.newText(site.frames());
        known = new Known(lines, lines < 0 ? null : tables.table(SCHEMA).add());
        rows.put(site.place(), known);
      }
      if (known.row != null) {
        long[] values = tables.values;
        values[0] = tables.text(site.kind());
        values[1] = known.lines;
        values[2] = site.opened();
        values[3] = site.closed();
        values[4] = site.collected();
        values[5] = site.lost();
        values[6] = Math.max(0, site.open()); // they are read while others count
        values[7] = site.bytes();
        values[8] = site.lostBytes();
        values[9] = site.samples();
        known.row.set(values, 0);
      }
    }
  }
}
