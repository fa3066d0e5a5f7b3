package dev.offcut.examples.sqlite;

/** What one thread has asked, and what came of it. For that thread, until it is done. */
final class QueryCounts {
  long statements;
  long dropped;
  long rows;
  long wrong;

  /** The sum of all answers: the same for the same records and seed, whatever the threads. */
  long checksum;

  /** Of the thread, or 0 where the JVM does not tell. */
  long cpuNanos;

  /** Adds another thread's. */
  void add(QueryCounts other) {
    statements += other.statements;
    dropped += other.dropped;
    rows += other.rows;
    wrong += other.wrong;
    checksum += other.checksum;
    cpuNanos += other.cpuNanos;
  }
}
