package dev.offcut.agent.publish;

import dev.offcut.agent.base.concurrent.Counts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The call sites, of which several may have the same lines: those are one row. */
final class SiteRows {
  private static final String SCHEMA =
      "offcut.ResourceSite\nkind text\nsite text\nopened long\nclosed long\ncollected long\n"
          + "lost long\nopen long\nbytes long\nlostBytes long\nsamples long";

  private static final int NUMBERS = Counts.SAMPLES + 1;
  private static final int COLUMNS = 10;

  private final Tables tables;
  private final Map<String, Integer> known = new HashMap<>();
  private final List<TableFile.Row> rows = new ArrayList<>();

  /** Of all call sites, one behind the other. */
  private long[] numbers = new long[64 * NUMBERS];

  /** Of each call site the number of its row, or -1. */
  private int[] rowOf = new int[64];

  /** Of all rows, one behind the other. */
  private long[] values = new long[64 * COLUMNS];

  private int places;

  SiteRows(Tables tables) {
    this.tables = tables;
  }

  void publish() throws IOException, ReflectiveOperationException {
    int count = Ledger.readSites(numbers);
    while (count * NUMBERS > numbers.length) {
      numbers = new long[2 * count * NUMBERS];
      count = Ledger.readSites(numbers);
    }
    if (count > rowOf.length) {
      rowOf = Arrays.copyOf(rowOf, 2 * count);
      values = Arrays.copyOf(values, 2 * count * COLUMNS);
    }
    for (; places < count; places++) {
      Object[] place = Ledger.place(places);
      rowOf[places] = row((Integer) place[0], (String) place[1]);
    }
    for (int row = 0; row < rows.size(); row++) {
      Arrays.fill(values, row * COLUMNS + 2, (row + 1) * COLUMNS, 0);
    }
    for (int place = 0; place < count; place++) {
      if (rowOf[place] >= 0) {
        add(place * NUMBERS, rowOf[place] * COLUMNS);
      }
    }
    for (int row = 0; row < rows.size(); row++) {
      rows.get(row).set(values, row * COLUMNS);
    }
  }

  private int row(int kind, String lines) throws IOException, ReflectiveOperationException {
    String name = Ledger.name(kind);
    Integer row = known.get(name + "\n" + lines);
    if (row != null) {
      return row;
    }
    long text = tables.newText(lines);
    TableFile.Row made = text < 0 ? null : tables.table(SCHEMA).add();
    if (made == null) {
      return -1;
    }
    int next = rows.size();
    rows.add(made);
    known.put(name + "\n" + lines, next);
    values[next * COLUMNS] = tables.text(name);
    values[next * COLUMNS + 1] = text;
    return next;
  }

  private void add(int from, int to) {
    long opened = numbers[from + Counts.OPENED];
    long closed = numbers[from + Counts.CLOSED];
    long collected = numbers[from + Counts.COLLECTED];
    long lost = numbers[from + Counts.LOST];
    long gone = numbers[from + Counts.FREED_BYTES] + numbers[from + Counts.LOST_BYTES];
    values[to + 2] += opened;
    values[to + 3] += closed;
    values[to + 4] += collected;
    values[to + 5] += lost;
    // They are read while others count: never less than none.
    values[to + 6] += Math.max(0, opened - closed - collected - lost);
    values[to + 7] += Math.max(0, numbers[from + Counts.OPENED_BYTES] - gone);
    values[to + 8] += numbers[from + Counts.LOST_BYTES];
    values[to + 9] += numbers[from + Counts.SAMPLES];
  }
}
