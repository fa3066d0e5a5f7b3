package dev.offcut.agent.track;

import dev.offcut.agent.track.jdk.StockCleanup;
import org.jspecify.annotations.Nullable;

/**
 * Stands in a session's list of what is to be freed, for as long as the session does: by it a
 * session that is closed is found in the {@link Net}. There is nothing to be freed of it.
 */
class Witness extends StockCleanup {
  /** Null: an automatic session, which stands in no net. */
  private final @Nullable Entry entry;

  /** Where in the net. */
  int place;

  Witness(@Nullable Entry entry) {
    this.entry = entry;
  }

  /** What the session left when it was opened. */
  int token() {
    return 0;
  }

  /** The session is closed, or lost and counted. */
  final void closed() {
    Entry own = entry;
    if (own != null) {
      own.list = null;
      Net.of(token()).remove(place);
    }
  }

  @Override
  public final void cleanup() {
    // the session's hook came before
  }
}
