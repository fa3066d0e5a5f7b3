package dev.offcut.examples.sqlite;

/**
 * Puts all records into a new table, in one transaction: all of them are there afterwards, or
 * nothing is, the table included.
 */
final class Import {
  /**
   * What was done.
   *
   * @param rows records inserted
   * @param nanos how long it took, commit included
   * @param committed false if it was interrupted, and all was rolled back
   */
  record Outcome(long rows, long nanos, boolean committed) {}

  private final Database database;
  private final Table table;
  private final Records records;
  private final Reference reference;
  private final Progress progress;
  private final Interrupt interrupt;

  Import(
      Database database,
      Table table,
      Records records,
      Reference reference,
      Progress progress,
      Interrupt interrupt) {
    this.database = database;
    this.table = table;
    this.records = records;
    this.reference = reference;
    this.progress = progress;
    this.interrupt = interrupt;
  }

  /**
   * Imports.
   *
   * @throws BadInput for a bad record, or none at all
   * @throws SqliteException if SQLite refuses: a full disk, a table that is there already
   */
  Outcome run() throws BadInput {
    long began = System.nanoTime();
    progress.begin("importing", records.unit(), records.size());
    database.execute("BEGIN IMMEDIATE");
    boolean committed = false;
    try {
      database.execute(table.create());
      insertAll();
      if (!interrupt.requested()) {
        database.execute(table.createIndex());
        database.execute("COMMIT");
        committed = true;
      }
    } finally {
      if (!committed) {
        rollBack();
      }
    }
    return new Outcome(reference.count(), System.nanoTime() - began, committed);
  }

  private void insertAll() throws BadInput {
    try (Statement insert = database.prepare(table.insert())) {
      String[] cells = records.next();
      while (cells != null && !interrupt.requested()) {
        reference.add(cells);
        insert(insert, cells);
        progress.reached(records.position());
        cells = records.next();
      }
    }
    if (reference.count() == 0 && !interrupt.requested()) {
      throw new BadInput(records.source() + ": has a header line, but no records");
    }
  }

  private void insert(Statement insert, String[] cells) {
    insert.bind(1, reference.count());
    for (int i = 0; i < cells.length; i++) {
      insert.bind(i + 2, cells[i]);
    }
    insert.execute();
  }

  /** After some errors, a full disk for one, SQLite has done it itself and says so. */
  private void rollBack() {
    try {
      database.execute("ROLLBACK");
    } catch (SqliteException e) {
      // Nothing is left to roll back; the reason is under way already.
    }
  }
}
