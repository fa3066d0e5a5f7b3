package dev.offcut.agent.track;

import dev.offcut.agent.track.jdk.StockAllocation;
import dev.offcut.agent.track.jdk.StockCleanup;
import dev.offcut.agent.track.jdk.StockConfined;
import dev.offcut.agent.track.jdk.StockConfinedList;
import dev.offcut.agent.track.jdk.StockImplicit;
import dev.offcut.agent.track.jdk.StockList;
import dev.offcut.agent.track.jdk.StockSession;
import dev.offcut.agent.track.jdk.StockShared;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * Arenas of the JDK: what their sessions call when one is opened, gets memory, and is closed.
 *
 * <p>An open session has a {@link Witness} first in its list of what is to be freed. That of a
 * confined or shared one stands in the {@link Net}, which refers to the session through a phantom
 * reference: if the collector finds the session before the program has closed it, its memory is
 * lost, since nobody frees it. Automatic ones are freed by the JDK when the collector finds them.
 *
 * <p>A helper: a copy of it beside those sessions runs, any thread calls it, and it throws nothing
 * but what the JDK does.
 */
public final class Arenas {
  static {
    Lost.start();
  }

  private Arenas() {}

  /** One for one thread was opened. */
  public static void openedConfined(StockSession session) {
    open(Kind.CONFINED, session);
  }

  /** One for all threads was opened. */
  public static void openedShared(StockSession session) {
    open(Kind.SHARED, session);
  }

  /** One for the collector was opened. */
  public static void openedAutomatic(StockSession session) {
    open(Kind.AUTOMATIC, session);
  }

  private static void open(int kind, StockSession session) {
    try {
      int token = Samples.opened(kind, 0);
      Entry entry = kind == Kind.AUTOMATIC ? null : new Entry(session, session.resourceList);
      Witness witness = token == 0 ? new Witness(entry) : new SampledWitness(entry, token);
      if (entry != null) {
        witness.place = Net.of(token).add(entry);
      }
      session.resourceList.add(witness);
    } catch (Throwable e) {
      // No memory is left. It will count as open.
    }
  }

  /** Adds what frees an allocation to a session, as the JDK would have, and counts it. */
  public static void add(StockSession session, StockCleanup cleanup) {
    session.addOrCleanupIfFail(cleanup);
    int kind = kindOf(session);
    if (kind >= 0 && (Object) cleanup instanceof StockAllocation allocation) {
      Counts.grown(kind, allocation.val$allocationSize);
    }
  }

  private static int kindOf(Object session) {
    if (session instanceof StockConfined) {
      return Kind.CONFINED;
    }
    if (session instanceof StockImplicit) {
      return Kind.AUTOMATIC;
    }
    return session instanceof StockShared ? Kind.SHARED : -1;
  }

  /** A session has been closed by the program, and its memory is about to be freed. */
  public static void closing(StockSession session) {
    try {
      Contents contents = new Contents(session.resourceList);
      Witness witness = contents.witness;
      if (witness != null) {
        Counts.closed(kindOf(session), contents.bytes);
        witness.closed();
        Sites.ended(witness.token(), Counts.CLOSED, contents.bytes);
      }
    } catch (Throwable e) {
      // No stack is left. What is to be freed must be.
    } finally {
      // Its entry must not be found by the collector before the witness has emptied it.
      Reference.reachabilityFence(session);
    }
  }

  /** An automatic session was found by the collector, and its memory is about to be freed. */
  public static void collecting(StockList list) {
    try {
      Contents contents = new Contents(list);
      Witness witness = contents.witness;
      if (witness != null) {
        Counts.collected(Kind.AUTOMATIC, contents.bytes);
        Sites.ended(witness.token(), Counts.COLLECTED, contents.bytes);
      }
    } catch (Throwable e) {
      // As above.
    }
  }

  /** Of a list of what is to be freed: the witness, and the bytes. */
  static final class Contents {
    @Nullable Witness witness;
    long bytes;

    Contents(StockList list) {
      if ((Object) list instanceof StockConfinedList confined) {
        StockCleanup first = confined.cache;
        if (first != null) {
          look(first);
        }
      }
      for (StockCleanup next = list.fst; next != null; next = next.next) {
        look(next);
      }
    }

    private void look(Object cleanup) {
      if (cleanup instanceof StockAllocation allocation) {
        bytes += allocation.val$allocationSize;
      } else if (cleanup instanceof Witness found) {
        witness = found;
      }
    }
  }
}
