package dev.offcut.examples.sqlite;

import dev.offcut.handle.HandleSnapshot;
import dev.offcut.handle.HandleSnapshot.OfType;
import java.util.List;

/**
 * What a run did.
 *
 * @param setting what was asked for
 * @param interrupted whether it ended early
 * @param imported the import's outcome
 * @param asked the queries' outcome
 * @param statements what became of them
 */
record Report(
    Setting setting,
    boolean interrupted,
    Import.Outcome imported,
    Workload.Outcome asked,
    StatementCounts statements) {

  /**
   * What was asked for.
   *
   * @param sqlite the library's version
   * @param source where the records came from
   * @param database a file, or ":memory:"
   * @param queries how many
   * @param forget the share dropped without a close
   * @param threads how many asked
   * @param seed of the generated records and of the queries
   */
  record Setting(
      String sqlite,
      String source,
      String database,
      long queries,
      Share forget,
      int threads,
      long seed) {}

  /**
   * What became of the statements.
   *
   * @param before the counts before the run
   * @param after the counts after the drain
   * @param drained whether all that was forgotten was reclaimed in time
   * @param drainNanos how long that took
   * @param inSqlite statements that SQLite itself still has open
   */
  record StatementCounts(
      HandleSnapshot before, HandleSnapshot after, boolean drained, long drainNanos, int inSqlite) {

    long opened() {
      return now().opened() - then().opened();
    }

    long closed() {
      return now().closed() - then().closed();
    }

    long forgotten() {
      return now().forgotten() - then().forgotten();
    }

    long open() {
      return now().open();
    }

    /** The types that have forgotten handles, for the leak report. */
    List<OfType> leaking() {
      return after.types().stream().filter(type -> type.forgotten() > 0).toList();
    }

    private OfType now() {
      return after.of(Statement.TYPE);
    }

    private OfType then() {
      return before.of(Statement.TYPE);
    }
  }

  /** So many, each second of {@code nanos}. */
  static double rate(long count, long nanos) {
    return nanos == 0 ? 0 : count * 1e9 / nanos;
  }

  /** The mean of {@code nanos}, or 0 of none. */
  double perStatement(long nanos) {
    long statements = asked.counts().statements;
    return statements == 0 ? 0 : (double) nanos / statements;
  }
}
