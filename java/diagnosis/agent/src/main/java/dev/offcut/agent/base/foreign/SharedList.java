package dev.offcut.agent.base.foreign;

import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * What is to be freed when a shared or automatic session is closed: the JDK's list, which counts.
 *
 * <p>A helper. Any thread adds, and one closes.
 */
public final class SharedList extends Stock.SharedList {
  /**
   * Written once, before the session's factory returns. Plain: other threads get to it by way of
   * the arena, whose field of the session is final and written later.
   */
  @Nullable ArenaAccount entry;

  /** Made by a session. */
  public SharedList() {}

  @Override
  public void add(Stock.Cleanup cleanup) {
    super.add(cleanup);
    try {
      Arenas.added(entry, cleanup);
    } finally {
      Reference.reachabilityFence(this); // lost before that would be lost without these bytes
    }
  }

  @Override
  public void cleanup() {
    try {
      Arenas.ending(entry);
    } finally {
      Reference.reachabilityFence(this); // found before that would count as lost
    }
    super.cleanup();
  }
}
