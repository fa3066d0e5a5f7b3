package dev.offcut.command.judge;

import dev.offcut.command.judge.Finding.Severity;
import dev.offcut.command.judge.Finding.What;
import dev.offcut.command.read.CallSite;
import dev.offcut.command.read.Costs;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Kinds;
import dev.offcut.command.read.ResidentMemory;
import java.util.ArrayList;
import java.util.List;

/** What costs although nothing is held, and what is good to know. */
final class CostFindings {
  /** A class with fewer objects costs nothing that can be measured. */
  private static final long FEWEST_FINALIZERS = 1_000;

  private static final long LEAST_WASTE = 16L << 20;
  private static final long LEAST_UNEXPLAINED = 64L << 20;

  private CostFindings() {}

  /** {@code unforced}: whether collections were asked for, and none is known to be forced. */
  static List<Finding> of(Facts facts, Costs costs, boolean unforced) {
    List<Finding> all = new ArrayList<>();
    List<Digest.Forced> forced = costs.forcedCollections();
    if (!forced.isEmpty()) {
      CallSite at = forced.getFirst().at();
      all.add(
          Finding.of(Severity.COST, What.FORCED_COLLECTIONS)
              .kind("buffer.direct", null)
              .at(at)
              .count(forced.stream().mapToLong(Digest.Forced::count).sum(), 0)
              .because(at.isKnown() ? new Evidence.Most("forced", at) : null)
              .advise(Advice.REUSE_BUFFERS));
    }
    for (Digest.Finalizers one : costs.finalizers()) {
      if (one.registered() >= FEWEST_FINALIZERS
          && costs.stuck().isEmpty()
          && facts.kind(Kinds.CLOSEABLE + one.type()) == null) { // or it is known how they ended
        all.add(
            Finding.of(Severity.COST, What.FINALIZERS)
                .kind("finalizer", null)
                .subject(one.type())
                .count(one.registered(), 0)
                .advise(Advice.OF_KIND));
      }
    }
    Digest.Loaders loaders = costs.loaders();
    if (loaders != null && loaders.committed() - loaders.used() >= LEAST_WASTE) {
      all.add(
          Finding.of(Severity.COST, What.UNUSED_METASPACE)
              .count(0, loaders.committed() - loaders.used())
              .because(new Evidence.Metaspace(loaders.loaders(), loaders.committed()))
              .advise(Advice.FEWER_LOADERS));
    }
    Digest.Memory memory = facts.memory();
    long unexplained = memory.part(ResidentMemory.UNEXPLAINED);
    if (unexplained >= LEAST_UNEXPLAINED && unexplained > memory.resident() / 5) {
      all.add(
          Finding.of(Severity.NOTE, What.UNEXPLAINED)
              .count(0, unexplained)
              .because(new Evidence.Unaccounted(facts.target().isGo()))
              .done());
    }
    if (unforced) {
      all.add(Finding.of(Severity.NOTE, What.UNFORCED_COLLECTIONS).done());
    }
    return all;
  }
}
