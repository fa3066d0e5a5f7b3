package dev.offcut.command.judge;

import dev.offcut.command.judge.Evidence.Related;
import dev.offcut.command.judge.Finding.Severity;
import dev.offcut.command.judge.Finding.What;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Kinds;
import dev.offcut.command.read.NativeCallers;
import dev.offcut.resident.Account;
import dev.offcut.resident.Part;
import dev.offcut.rules.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What malloc, and allocators in its place, have that no kind explains; and what malloc keeps. */
final class MallocFindings {
  /** What the JVM has of malloc for itself, beside what follows. */
  private static final long JVM_MALLOC = 12L << 20;

  /** Bytes of malloc for each byte of metaspace and compiled code: symbols, tables, compilers. */
  private static final double FOR_CLASSES = 0.35;

  /** … and for each thread. */
  private static final long FOR_A_THREAD = 10L << 10;

  /** Less free memory, or a smaller share of what is resident, is not worth a word. */
  private static final long LEAST_KEPT = 64L << 20;

  private static final int KEPT_SHARE = 4;

  /** What only Go programs have. */
  private static final Set<Part> OF_GO =
      EnumSet.of(Part.GO_OBJECTS, Part.GO_FREE, Part.GO_STACKS, Part.GO_HEAP, Part.GO_RUNTIME);

  private final Facts facts;
  private final Account last;
  private final Unclaimed unclaimed;
  private final boolean isGo;

  private MallocFindings(Facts facts, Account last, Unclaimed unclaimed) {
    this.facts = facts;
    this.last = last;
    this.unclaimed = unclaimed;
    isGo = isGo(last);
  }

  /** All of them; none if nobody looked. */
  static List<Finding> of(Facts facts, Unclaimed unclaimed) {
    List<Finding> all = new ArrayList<>();
    if (facts.accounts() != null) {
      MallocFindings malloc = new MallocFindings(facts, facts.accounts().last(), unclaimed);
      malloc.unwatched(all);
      malloc.allocators(all);
      malloc.kept(all);
    }
    return all;
  }

  /** What malloc has in use, less what is watched and what a JVM of this size has itself. */
  private void unwatched(List<Finding> all) {
    long unknown = unwatchedBytes(facts, last);
    if (!facts.isMuch(unknown)
        || facts.isGrowing(Part.MALLOC_USED)
        || unclaimed.isTold(Rule.MALLOC)) {
      return;
    }
    Finding.Draft finding =
        Finding.of(Severity.OPEN, What.MALLOC)
            .bytes(unknown)
            .because(
                isGo
                    ? Evidence.Taker.GO
                    : facts.callers() == null ? Evidence.Taker.LIBRARIES : Evidence.Taker.UNSEEN,
                isGo
                    ? null
                    : new Evidence.OwnMalloc(
                        last.bytes(Part.MALLOC_JVM) > 0 ? -1 : ownMalloc(last)),
                unclaimed.suspects(Rule.MALLOC),
                facts.since(List.of(Part.MALLOC_USED)));
    all.add(
        isGo
            ? finding.advise(Advice.GO_MALLOC)
            : facts.callers() == null
                ? finding.advise(unclaimed.mallocAdvice(Advice.MALLOC))
                : finding.done());
  }

  /** What of malloc is left to explain, beyond what the samples may be off by. */
  static long unwatchedBytes(Facts facts, Account last) {
    NativeCallers callers = facts.callers();
    long margin = callers == null ? 0 : callers.marginOfAll();
    return last.bytes(Part.MALLOC_USED) - explained(facts, last) - margin;
  }

  /** What of malloc is watched, or the JVM's own, or known by its callers. */
  private static long explained(Facts facts, Account last) {
    long own = ownMalloc(last);
    NativeCallers callers = facts.callers();
    if (callers != null) {
      // What waited for the collector at the account's time may have been freed since.
      own = Math.max(own, own == 0 ? 0 : callers.jvm()) + callers.bytes();
      own += NativeFindings.lateBytes(facts);
    }
    return own
        + facts.kinds().stream()
            .filter(kind -> Kinds.isInMalloc(kind.kind()) && !Kinds.isEstimated(kind.kind()))
            .mapToLong(kind -> kind.bytes() + kind.lostBytes())
            .sum();
  }

  /** What of it stands for something in the place of malloc. */
  private static long instead(Facts facts, Account last) {
    return Math.max(0, explained(facts, last) - last.bytes(Part.MALLOC_USED));
  }

  /** Other allocators that have much, less what they have in the place of malloc. */
  static List<Account.Row> allocatorRows(Facts facts, Account last) {
    long instead = instead(facts, last);
    return last.rows().stream()
        .filter(row -> row.part() == Part.ALLOCATOR || row.part() == Part.ALLOCATOR_UNREAD)
        .filter(row -> facts.isMuch(row.bytes() - instead))
        .map(row -> new Account.Row(row.part(), row.detail(), row.bytes() - instead))
        .toList();
  }

  private void allocators(List<Finding> all) {
    for (Account.Row row : allocatorRows(facts, last)) {
      if (!facts.isGrowing(row.part())
          && !unclaimed.isTold(row.detail())
          && !isMapped(facts.callers(), row)) {
        all.add(
            Finding.of(Severity.OPEN, What.ALLOCATOR)
                .subject(row.detail())
                .count(row.part() == Part.ALLOCATOR ? 1 : 0, row.bytes() + instead(facts, last))
                .bytes(row.bytes())
                .because(unclaimed.suspects(row.detail()), facts.since(List.of(row.part())))
                .advise(unclaimed.advice(Advice.CLOSE_LIBRARY)));
      }
    }
  }

  /** Whether the sampler knows the lines that took most of it. */
  private static boolean isMapped(@Nullable NativeCallers callers, Account.Row row) {
    return callers != null
        && 2
                * callers.mapped().stream()
                    .filter(place -> NativeCallers.library(row.detail()).endsWith(library(place)))
                    .mapToLong(NativeCallers.Place::bytes)
                    .sum()
            >= row.bytes();
  }

  private static String library(NativeCallers.Place place) {
    String function = place.frames().getFirst();
    return function.substring(function.lastIndexOf('(') + 1, function.length() - 1);
  }

  /** By what classes, code and threads there are; measured in docs/design/run.md. */
  private static long ownMalloc(Account account) {
    if (account.bytes(Part.MALLOC_JVM) > 0 || isGo(account)) {
      return 0; // a part of its own, or there is none
    }
    long classes =
        account.bytes(Part.METASPACE)
            + account.bytes(Part.CLASS_SPACE)
            + account.bytes(Part.CODE_CACHE);
    return JVM_MALLOC
        + Math.round(FOR_CLASSES * (double) classes)
        + FOR_A_THREAD * account.threads();
  }

  /** Whether it is of a Go program. */
  static boolean isGo(Account account) {
    return account.rows().stream().anyMatch(row -> OF_GO.contains(row.part()));
  }

  private void kept(List<Finding> all) {
    long kept = last.bytes(Part.MALLOC_TRIMMABLE);
    if (kept >= LEAST_KEPT
        && kept >= facts.memory().resident() / KEPT_SHARE
        && !unclaimed.isTold(Unclaimed.KEPT)) {
      Digest.Kind freed = fallen(facts, kept);
      Evidence compiler = freed == null ? compiler(facts, kept) : null;
      all.add(
          Finding.of(Severity.KEPT, What.KEPT)
              .bytes(kept)
              .because(
                  freed == null
                      ? null
                      : facts.related(Related.Why.HAD_AT_PEAK, freed, freed.peakBytes()),
                  compiler,
                  facts.since(List.of(Part.MALLOC_TRIMMABLE)))
              .advise(compiler != null ? Advice.COMPILER : isGo ? Advice.TRIM_GO : Advice.TRIM));
    }
  }

  /** If the JVM's compiler freed most, and at least as much. */
  static @Nullable Evidence compiler(Facts facts, long bytes) {
    long freed = facts.callers() == null ? 0 : facts.callers().compiler();
    return freed >= bytes ? new Evidence.OfCompiler(freed) : null;
  }

  /**
   * Who most likely freed what malloc keeps: a kind that had at least half as much more at its peak
   * than it has now.
   */
  static Digest.@Nullable Kind fallen(Facts facts, long kept) {
    return facts.kinds().stream()
        .filter(kind -> Kinds.isInMalloc(kind.kind()) && fallen(kind) >= kept / 2)
        .max(Comparator.comparingLong(MallocFindings::fallen))
        .orElse(null);
  }

  private static long fallen(Digest.Kind kind) {
    return kind.peakBytes() - kind.bytes() - kind.lostBytes();
  }
}
