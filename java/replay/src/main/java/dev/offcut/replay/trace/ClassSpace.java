package dev.offcut.replay.trace;

/** How large a class space may be: the bounds of -XX:CompressedClassSpaceSize. */
public final class ClassSpace {
  public static final long LEAST_BYTES = 1L << 20;
  public static final long MOST_BYTES = 3L << 30;

  /** Its size is a multiple of this: a medium chunk of the other space. */
  public static final long UNIT_BYTES = 64L << 10;

  private ClassSpace() {}
}
