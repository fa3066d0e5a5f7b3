package dev.offcut.agent.base.foreign;

import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * What is to be freed when a confined session is closed, in the place of the JDK's list, which
 * cannot be extended. It frees in the same order: what was added first, then from the last one on.
 *
 * <p>A helper. The session's thread alone calls it.
 */
public final class ConfinedList extends Stock.List {
  /** Written once, before the session's factory returns. */
  @Nullable ArenaAccount entry;

  private Stock.@Nullable Cleanup first;

  /** Made by a session. */
  public ConfinedList() {}

  @Override
  public void add(Stock.Cleanup cleanup) {
    if (fst == Stock.Cleanup.CLOSED_LIST) {
      throw Stock.Session.alreadyClosed();
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
    Stock.Cleanup all = fst;
    if (all == Stock.Cleanup.CLOSED_LIST) {
      throw Stock.Session.alreadyClosed();
    }
    try {
      Arenas.ending(entry);
    } finally {
      Reference.reachabilityFence(this); // found before that would count as lost
    }
    fst = Stock.Cleanup.CLOSED_LIST;
    Stock.Cleanup head = first;
    if (head != null) {
      head.next = all;
      Stock.List.cleanup(head);
    }
  }
}
