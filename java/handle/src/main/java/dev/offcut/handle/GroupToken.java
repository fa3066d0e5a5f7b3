package dev.offcut.handle;

/** What the handles of one group refer to; the group's PhantomReference watches it. */
final class GroupToken {
  volatile Group group;

  GroupToken(HandleType type) {
    this.group = new Group(this, type);
  }

  Group group() {
    return group;
  }
}
