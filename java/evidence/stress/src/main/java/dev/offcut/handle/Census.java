package dev.offcut.handle;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The open handles of one type, counted twice: by the net's places and by the test's states. What
 * the net has too many is a place that its handle left, and would be released again.
 *
 * <p>Exact in an arbiter: by then every actor of all states has run, and what states open and close
 * meanwhile goes through the census' monitor.
 */
final class Census {
  /** Questions between two counts: what is left over stays, so a later question finds it. */
  private static final int INTERVAL = 256;

  private final HandleType type;
  private final AtomicLong expected = new AtomicLong();
  private long asks;

  Census(HandleType type) {
    this.type = type;
  }

  /** Opens {@code handles} handles in places that the census sees. */
  synchronized <T> T open(int handles, Supplier<T> opening) {
    T opened = opening.get();
    expected.getAndAdd(handles);
    return opened;
  }

  /** Says, in an actor, that handles came into the census' sight. */
  void add(int handles) {
    expected.getAndAdd(handles);
  }

  /** How many places there are too many; then closes {@code handles} handles. */
  synchronized int surplus(int handles, Runnable closing) {
    long surplus = asks++ % INTERVAL == 0 ? places() - expected.get() : 0;
    closing.run();
    expected.getAndAdd(-handles);
    return (int) surplus;
  }

  /**
   * Tenured, and young in the nurseries that the reaper knows, whose slots and records are checked
   * on the way. Counted while the reaper can promote none.
   */
  private long places() {
    long[] places = {0};
    NurseryList.visit(
        nursery -> {
          if (nursery.type == type) {
            nursery.verify();
            places[0] += nursery.open();
          }
        },
        () -> places[0] += type.registry().open());
    return places[0];
  }
}
