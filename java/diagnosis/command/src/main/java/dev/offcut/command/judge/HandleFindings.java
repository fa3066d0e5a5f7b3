package dev.offcut.command.judge;

import dev.offcut.command.judge.Evidence.Most;
import dev.offcut.command.judge.Evidence.Unplaced;
import dev.offcut.command.judge.Finding.Severity;
import dev.offcut.command.judge.Finding.What;
import dev.offcut.command.read.CallSite;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.HandleCounts;
import dev.offcut.command.read.Pools;
import java.util.ArrayList;
import java.util.List;

/**
 * What Offcut's own libraries tell: handles and arenas that were forgotten, pools that are lost.
 */
final class HandleFindings {
  private final Facts facts;
  private final List<Finding> findings = new ArrayList<>();

  private HandleFindings(Facts facts) {
    this.facts = facts;
  }

  static List<Finding> of(Facts facts, HandleCounts handles, List<Pools.Lost> lost) {
    HandleFindings all = new HandleFindings(facts);
    List<Digest.Handles> types = handles.handles();
    List<Digest.HandleLeak> leaks = handles.leaks();
    types.forEach(type -> all.forgotten(type, leaks));
    types.forEach(type -> all.open(type, handles.sites(type.type())));
    facts.pools().forEach(all::forgottenArenas);
    lost.forEach(all::lost);
    return all.findings;
  }

  private void forgotten(Digest.Handles handles, List<Digest.HandleLeak> leaks) {
    if (handles.forgotten() == 0) {
      return;
    }
    boolean isGo = facts.target().isGo();
    CallSite at =
        leaks.stream()
            .filter(leak -> leak.type().equals(handles.type()) && !leak.frames().isEmpty())
            .map(leak -> leak.at())
            .findFirst()
            .orElse(CallSite.UNKNOWN);
    findings.add(
        Finding.of(Severity.FORGOTTEN, What.FORGOTTEN_HANDLES)
            .subject(handles.type())
            .at(at)
            .count(handles.forgotten(), handles.opened())
            .because(
                at.isKnown()
                    ? new Most("opened", at)
                    : isGo ? Unplaced.NOT_ASKED : Unplaced.NOT_ASKED_OF_HANDLES)
            .advise(isGo ? Advice.DEFER_CLOSE : Advice.CLOSE_HANDLES));
  }

  /**
   * Handles that are open, of a program that says where they were opened; no mistake by itself.
   *
   * @param where by line, those first that hold most
   */
  private void open(Digest.Handles handles, List<HandleCounts.Site> where) {
    if (!facts.target().isGo() || handles.open() == 0) {
      return;
    }
    long bytes = where.stream().mapToLong(HandleCounts.Site::bytes).sum();
    boolean isMuch = facts.isMuch(bytes);
    CallSite at = where.isEmpty() ? CallSite.UNKNOWN : where.getFirst().at();
    findings.add(
        Finding.of(isMuch ? Severity.OPEN : Severity.NOTE, What.OPEN_HANDLES)
            .subject(handles.type())
            .at(at)
            .count(handles.open(), handles.opened())
            .bytes(isMuch ? bytes : 0)
            .because(
                at.isKnown()
                    ? new Evidence.RecordedAt(at, where.getFirst().open(), where.size() - 1L)
                    : facts.target().level().equals("full")
                        ? Unplaced.NOT_RECORDED
                        : Unplaced.NONE_OF_THEIRS)
            .done());
  }

  /** A pool of a Go program that it can no longer close. */
  private void lost(Pools.Lost pool) {
    findings.add(
        Finding.of(Severity.LOST, What.LOST_POOL)
            .subject(pool.pool())
            .bytes(pool.committed())
            .advise(Advice.KEEP_POOL));
  }

  /** Arenas of a Go pool that a cleanup freed. */
  private void forgottenArenas(Digest.Pool pool) {
    if (pool.forgottenArenas() > 0) {
      findings.add(
          Finding.of(Severity.FORGOTTEN, What.FORGOTTEN_ARENAS)
              .subject(pool.pool())
              .count(pool.forgottenArenas(), 0)
              .advise(Advice.DEFER_ARENAS));
    }
  }
}
