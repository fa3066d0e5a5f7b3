package dev.offcut.handle;

/** As {@link Subject}, guarded. */
final class GuardedSubject extends GuardedHandle implements Stage.Valued {
  private final HandleType type;
  private final long value;

  GuardedSubject(HandleType type, long value) {
    super(true);
    this.type = type;
    this.value = value;
  }

  @Override
  protected HandleType type() {
    return type;
  }

  @Override
  public long value() {
    return value;
  }
}
