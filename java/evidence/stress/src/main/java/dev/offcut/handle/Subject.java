package dev.offcut.handle;

/** A handle that a test opens step by step; see {@link Stage}. */
final class Subject extends Handle implements Stage.Valued {
  private final HandleType type;
  private final long value;

  Subject(HandleType type, long value) {
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

  /** A guarded handle that a test opens step by step. */
  static final class Guarded extends GuardedHandle implements Stage.Valued {
    private final HandleType type;
    private final long value;

    Guarded(HandleType type, long value) {
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
}
