package dev.offcut.agent.track;

import dev.offcut.agent.track.jdk.StockList;
import dev.offcut.agent.track.jdk.StockSession;
import java.lang.ref.PhantomReference;
import org.jspecify.annotations.Nullable;

/**
 * What the {@link Net} has of an open session: a phantom reference to it, and its list, which does
 * not refer to it and says what is lost with it. 32 bytes, and 24 of its witness.
 */
final class Entry extends PhantomReference<StockSession> {
  /** Null once it is closed: what is enqueued nevertheless then does not count. */
  @Nullable StockList list;

  Entry(StockSession session, StockList list) {
    super(session, Lost.QUEUE);
    this.list = list;
  }
}
