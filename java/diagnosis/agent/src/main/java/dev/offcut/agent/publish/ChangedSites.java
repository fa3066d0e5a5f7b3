package dev.offcut.agent.publish;

import dev.offcut.agent.Tracking;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The events of places: all of them at the begin and the end of a chunk, so that each chunk can be
 * read alone, and between those what changed. A place is a kilobyte of text: a program with
 * thousands of them would fill its disk with what is known already.
 */
final class ChangedSites {
  /** At once; what else changed is told next time. Half a megabyte each two seconds, at most. */
  static final int MOST = 500;

  private static final Map<Ledger.SiteCounts.Place, Ledger.SiteCounts> REPORTED = new HashMap<>();

  /** Where the next time begins, so that no place waits for ever. */
  private static int next;

  private ChangedSites() {}

  /** Those that changed since they were reported. */
  static synchronized void emit(Tracking tracking) throws ReflectiveOperationException {
    Ledger.settleAtExit(tracking);
    List<Ledger.SiteCounts> sites = Ledger.sites();
    int reported = 0;
    for (int i = 0; i < sites.size() && reported < MOST; i++) {
      next = next + 1 < sites.size() ? next + 1 : 0;
      if (tell(sites.get(next))) {
        reported++;
      }
    }
  }

  /** All. */
  static synchronized void emitAll(Tracking tracking) throws ReflectiveOperationException {
    Ledger.settleAtExit(tracking);
    REPORTED.clear();
    for (Ledger.SiteCounts site : Ledger.sites()) {
      tell(site);
    }
  }

  private static boolean tell(Ledger.SiteCounts site) {
    if (site.equals(REPORTED.put(site.place(), site))) {
      return false;
    }
    Events.ResourceSite event = new Events.ResourceSite();
    event.kind = site.kind();
    event.site = site.frames();
    event.line = site.line();
    event.through = site.through();
    event.opened = site.opened();
    event.closed = site.closed();
    event.collected = site.collected();
    event.lost = site.lost();
    event.open = site.open();
    event.bytes = site.bytes();
    event.lostBytes = site.lostBytes();
    event.samples = site.samples();
    event.commit();
    return true;
  }
}
