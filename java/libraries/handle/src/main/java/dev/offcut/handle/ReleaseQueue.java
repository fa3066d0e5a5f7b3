package dev.offcut.handle;

import java.lang.ref.ReferenceQueue;

/** Where the collector puts what was forgotten, as the places of handles know it. */
abstract class ReleaseQueue {
  private final ReferenceQueue<Object> references = new ReferenceQueue<>();

  final ReferenceQueue<Object> references() {
    return references;
  }

  /** Starts the net's threads where they are not running. */
  abstract void ensureWatched();

  /** Holds an opener back until what was forgotten has been released. */
  abstract void awaitEmpty();
}
