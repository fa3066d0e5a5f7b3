package dev.offcut.handle;

/** What stands in a registry cell and knows which: a tracker, a registration or a group. */
interface Cell extends Forgotten {
  int index();

  /** Whether a sweep of the registry should release it: its one referent is gone. */
  boolean isDead();

  void index(int cell);
}
