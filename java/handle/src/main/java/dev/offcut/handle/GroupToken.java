package dev.offcut.handle;

/** What the handles of one group refer to; the group's PhantomReference watches it. */
final class GroupToken {
  private volatile Group group;

  GroupToken(HandleType type) {
    this.group = new Group(this, type);
  }

  Group group() {
    return group;
  }

  /** Keeps the token reachable to here, by a volatile read: see {@link Handle#exit}. */
  void touch() {
    if (group == null) {
      throw new AssertionError("a token always has its group");
    }
  }
}
