package dev.offcut.agent.track;

import dev.offcut.agent.track.jdk.StockCleanup;
import dev.offcut.agent.track.jdk.StockList;
import dev.offcut.agent.track.jdk.StockSession;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * What is to be freed when a confined session is closed, in the place of the JDK's list, which
 * cannot be extended. It frees in the same order: what was added first, then from the last one on.
 *
 * <p>A helper. The session's thread alone calls it.
 */
public final class ConfinedList extends StockList {
  /** Written once, before the session's factory returns. */
  @Nullable Entry entry;

  private @Nullable StockCleanup first;

  /** Made by a session. */
  public ConfinedList() {}

  @Override
  public void add(StockCleanup cleanup) {
    if (fst == StockCleanup.CLOSED_LIST) {
      throw StockSession.alreadyClosed();
    }
    if (first == null) {
      first = cleanup;
    } else {
      cleanup.next = fst;
      fst = cleanup;
    }
    try {
      Arenas.added(entry, cleanup);
    } finally {
      Reference.reachabilityFence(this); // lost before that would be lost without these bytes
    }
  }

  @Override
  public void cleanup() {
    StockCleanup all = fst;
    if (all == StockCleanup.CLOSED_LIST) {
      throw StockSession.alreadyClosed();
    }
    try {
      Arenas.ending(entry);
    } finally {
      Reference.reachabilityFence(this); // found before that would count as lost
    }
    fst = StockCleanup.CLOSED_LIST;
    StockCleanup head = first;
    if (head != null) {
      head.next = all;
      StockList.cleanup(head);
    }
  }
}
