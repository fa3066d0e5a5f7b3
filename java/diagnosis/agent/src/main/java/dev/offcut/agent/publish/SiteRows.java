package dev.offcut.agent.publish;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The call sites, a row each. */
final class SiteRows {
  private static final String SCHEMA =
      "offcut.ResourceSite\nkind text\nsite text\nline long\nthrough text\nopened long\nclosed long\n"
          + "collected long\nlost long\nopen long\nbytes long\nlostBytes long\nsamples long";

  /** Where the frames of a site are, and its row; null: there was no room. */
  private record Known(long frames, TableFile.@Nullable Row row) {}

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
      }
    }
  }
}
