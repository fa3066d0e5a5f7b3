package dev.offcut.command.judge;

import dev.offcut.command.judge.Finding.Severity;
import dev.offcut.command.judge.Finding.What;
import dev.offcut.command.read.Accounts;
import dev.offcut.command.read.CallSite;
import dev.offcut.command.read.Costs;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.GrowthRates;
import dev.offcut.command.read.Kinds;
import dev.offcut.command.read.NativeCallers;
import dev.offcut.command.read.ResidentMemory;
import dev.offcut.resident.Account;
import dev.offcut.resident.Part;
import dev.offcut.rules.CallSiteRule;
import dev.offcut.rules.Program;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What costs although nothing is held, and what is good to know. */
final class CostFindings {
  /** A class with fewer objects costs nothing that can be measured. */
  private static final long FEWEST_FINALIZERS = 1_000;

  private static final long LEAST_WASTE = 16L << 20;
  private static final long LEAST_UNEXPLAINED = 64L << 20;
  private static final long LEAST_FREE_HEAP = 64L << 20;

  /** One part in so many of what is resident. */
  private static final int SHARE_OF_FREE_HEAP = 4;

  /** A peak is so much above the end. */
  private static final long LEAST_PEAK = 64L << 20;

  private static final double PEAK = 1.5;

  /** A line is named that had at least one in four bytes of a peak. */
  private static final int FEW = 4;

  /** Parts of a peak that are named. */
  private static final int MOST_PARTS = 3;

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
          && mayChange(facts, one.type())
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
    heap(facts, all);
    peak(facts, all);
    if (unforced) {
      all.add(Finding.of(Severity.NOTE, What.UNFORCED_COLLECTIONS).done());
    }
    return all;
  }

  /** Nobody can change a library's class. */
  private static boolean mayChange(Facts facts, String type) {
    String main = facts.target().main();
    return main.endsWith(".jar")
        || main.equals("unknown")
        || (Program.of(main.substring(main.indexOf('/') + 1), null, true).traits(type, "")
                & CallSiteRule.NAMED)
            != 0;
  }

  private static void heap(Facts facts, List<Finding> all) {
    Accounts accounts = facts.accounts();
    long free = accounts == null ? 0 : accounts.last().bytes(Part.HEAP_FREE);
    if (free >= LEAST_FREE_HEAP && free >= facts.memory().resident() / SHARE_OF_FREE_HEAP) {
      all.add(
          Finding.of(Severity.NOTE, What.FREE_HEAP)
              .count(0, free)
              .bytes(free)
              .because(new Evidence.OfResident(free, facts.memory().resident()))
              .advise(Advice.HEAP_MIN));
    }
  }

  /** What was resident for a while outside of the Java heap, and what it was. */
  private static void peak(Facts facts, List<Finding> all) {
    Accounts accounts = facts.accounts();
    if (accounts == null) {
      return;
    }
    Accounts.Taken peak =
        accounts.all().stream()
            .max(Comparator.comparingLong(taken -> outsideHeap(taken.account())))
            .orElseThrow();
    long most = outsideHeap(peak.account());
    long end = outsideHeap(accounts.last());
    if (most - end < LEAST_PEAK && (most < PEAK * end || most - end < Facts.LEAST)) {
      return;
    }
    Duration after = Duration.between(accounts.all().getFirst().time(), peak.time());
    NativeCallers.Series line = line(facts, most - end);
    all.add(
        Finding.of(Severity.NOTE, What.PEAK)
            .count(0, peak.account().resident())
            .at(line == null ? CallSite.UNKNOWN : new CallSite(List.of(line.line()), 0, List.of()))
            .bytes(most - end)
            .because(
                new Evidence.AtPeak(
                    after.toMillis() / 1000.0,
                    accounts.last().resident(),
                    more(peak.account(), accounts.last())),
                line == null ? null : new Evidence.LineAtPeak(line.line(), line.peak()),
                MallocFindings.compiler(facts, most - end))
            .done());
  }

  /** The line that once held most malloc memory, if that is a good part of a peak. */
  private static NativeCallers.@Nullable Series line(Facts facts, long bytes) {
    NativeCallers callers = facts.callers();
    return callers == null
        ? null
        : callers.series().stream()
            .filter(one -> one.peak() >= bytes / FEW)
            .max(Comparator.comparingLong(NativeCallers.Series::peak))
            .orElse(null);
  }

  private static long outsideHeap(Account account) {
    return account.resident()
        - GrowthRates.bytes(account, List.of(Part.HEAP_USED, Part.HEAP_FREE, Part.HEAP_AGAIN));
  }

  /** What there was more of, the most first. */
  private static List<Digest.Part> more(Account then, Account end) {
    List<Digest.Part> more = new ArrayList<>();
    for (Part part : Part.values()) {
      long bytes = then.bytes(part) - end.bytes(part);
      if (bytes >= Facts.LEAST) {
        more.add(new Digest.Part(part.title(), bytes));
      }
    }
    more.sort(Comparator.comparingLong(Digest.Part::bytes).reversed());
    return more.stream().limit(MOST_PARTS).toList();
  }
}
