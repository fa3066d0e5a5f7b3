package dev.offcut.examples.sqlite;

import dev.offcut.handle.HandleSnapshot;
import dev.offcut.handle.Handles;
import java.time.Duration;

/** One job: the import, the queries, and the wait for what was forgotten. */
final class Job {
  /** The net needs two or three GC cycles: fractions of a second, but where all is busy. */
  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(20);

  private final Report.Setting setting;
  private final Progress progress;
  private final Interrupt interrupt;

  Job(Report.Setting setting, Progress progress, Interrupt interrupt) {
    this.setting = setting;
    this.progress = progress;
    this.interrupt = interrupt;
  }

  /**
   * Imports into a new table of the target, which is kept once they are all there, and asks.
   *
   * @throws BadInput for a bad record, or a table that is there already
   * @throws SqliteException if SQLite refuses
   */
  Report run(Target target, String tableName, Records records) throws BadInput {
    HandleSnapshot before = Handles.snapshot();
    Table table = Table.of(tableName, records.columns());
    Reference reference = new Reference();
    try (Database database = target.open()) {
      requireNew(database, table);
      Import.Outcome imported =
          new Import(database, table, records, reference, progress, interrupt).run();
      if (imported.committed()) {
        target.keep();
      }
      Workload.Outcome asked = ask(database, table, reference, imported);
      Report.StatementCounts statements = drain(database, before);
      return new Report(setting, interrupt.requested(), imported, asked, statements);
    }
  }

  /** SQLite would refuse it too, but could not say what to do. */
  private void requireNew(Database database, Table table) throws BadInput {
    String exists = "SELECT 1 FROM sqlite_master WHERE name = ?1 COLLATE NOCASE";
    try (Statement statement = database.prepare(exists);
        Rows rows = statement.bind(1, table.plainName()).query()) {
      if (rows.next()) {
        throw new BadInput(
            setting.database()
                + ": there is a table "
                + table.plainName()
                + " already; name another with --table");
      }
    }
  }

  private Workload.Outcome ask(
      Database database, Table table, Reference reference, Import.Outcome imported) {
    long queries = imported.committed() ? setting.queries() : 0;
    Share.Part forgotten = setting.forget().of(setting.queries());
    return new Workload(database, forgotten, setting.seed(), progress, interrupt)
        .run(table, reference, queries, setting.threads());
  }

  /** Before the database is closed: closing it would close what was dropped but not found yet. */
  private Report.StatementCounts drain(Database database, HandleSnapshot before) {
    progress.begin("waiting for what was forgotten", "", 0);
    long began = System.nanoTime();
    boolean drained = Handles.drain(DRAIN_LIMIT);
    long nanos = System.nanoTime() - began;
    return new Report.StatementCounts(
        before, Handles.snapshot(), drained, nanos, database.openStatements());
  }
}
