package dev.offcut.examples.sqlite;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * One thread's part of the queries: each on a statement of its own, prepared, asked once, checked
 * and closed, or, for the share that forgets, dropped without a close.
 */
final class Asker implements Callable<QueryCounts> {
  private final Workload work;
  private final Reference reference;
  private final List<Query> mix;
  private final long from;
  private final long to;
  private final QueryCounts counts = new QueryCounts();

  Asker(Workload work, Reference reference, List<Query> mix, long from, long to) {
    this.work = work;
    this.reference = reference;
    this.mix = mix;
    this.from = from;
    this.to = to;
  }

  @Override
  public QueryCounts call() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    boolean timed = threads.isCurrentThreadCpuTimeSupported();
    long cpu = timed ? threads.getCurrentThreadCpuTime() : 0;
    for (long i = from; i < to && !work.isStopped(); i++) {
      ask(i);
      work.progress().add(1);
    }
    counts.cpuNanos = timed ? threads.getCurrentThreadCpuTime() - cpu : 0;
    return counts;
  }

  private void ask(long index) {
    long random = Fingerprint.mix(work.seed() ^ Fingerprint.mix(index));
    Query query = mix.get((int) (random & 0xffff) % mix.size());
    int record = 1 + (int) Math.floorMod(random >> 16, (long) reference.count());
    boolean forgets = work.forgets(index);
    long answer = forgets ? askAndForget(query, record) : askAndClose(query, record);
    counts.statements++;
    counts.dropped += forgets ? 1 : 0;
    counts.wrong += answer == query.expected(record) ? 0 : 1;
    counts.checksum += answer;
  }

  private long askAndClose(Query query, int record) {
    try (Statement statement = work.database().prepare(query.sql)) {
      return answer(query, statement, record);
    }
  }

  /** What the net is for: nobody closes this statement. */
  private long askAndForget(Query query, int record) {
    Statement statement = work.database().prepare(query.sql);
    return answer(query, statement, record);
  }

  private long answer(Query query, Statement statement, int record) {
    query.bind(statement, record);
    long sum = 0;
    try (Rows rows = statement.query()) {
      while (rows.next()) {
        sum += query.fold(rows);
        counts.rows++;
      }
    }
    return sum;
  }
}
