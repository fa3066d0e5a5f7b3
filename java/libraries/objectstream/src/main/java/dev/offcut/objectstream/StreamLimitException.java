package dev.offcut.objectstream;

import java.io.ObjectStreamException;

/**
 * Thrown if a stream exceeds a limit of its policy. The message says which limit, by how much, and
 * how to raise it.
 */
public final class StreamLimitException extends ObjectStreamException {
  private static final long serialVersionUID = 1;

  /** The limit that was exceeded. */
  private final Limit limit;

  /** What the stream has or declares; Long.MAX_VALUE if there is no end. */
  private final long figure;

  /** What the policy permits. */
  private final long maximum;

  StreamLimitException(Limit limit, long figure, long maximum, String what) {
    super(
        "%s: %s is over %s %s; if the stream is as it should be, set %s(…) higher"
            .formatted(what, figure, limit.setting(), maximum, limit.setting()));
    this.limit = limit;
    this.figure = figure;
    this.maximum = maximum;
  }

  /** Steps that are too many for so few bytes, which may take only a part of all. */
  StreamLimitException(Limit limit, long figure, long maximum, long bytes, long part, Class<?> by) {
    super(
        ("steps of hashing and comparing, last of a %s: %s; after %s bytes, a stream may"
                + " have used %s of %s %s; if the stream is as it should be, set %s(…) higher")
            .formatted(
                by.getName(), figure, bytes, part, limit.setting(), maximum, limit.setting()));
    this.limit = limit;
    this.figure = figure;
    this.maximum = maximum;
  }

  /** What has no end, or none that was reached; says itself what to do. */
  StreamLimitException(Limit limit, long maximum, String what) {
    super(what);
    this.limit = limit;
    this.figure = Long.MAX_VALUE;
    this.maximum = maximum;
  }

  /**
   * Returns the limit that was exceeded.
   *
   * @return which limit
   */
  public Limit limit() {
    return limit;
  }

  /**
   * Returns the figure that exceeded the limit, in the unit of {@link #limit}: what the stream
   * contains or declares. It exceeds {@link #maximum}. There is one exception: for {@link
   * Limit#WORK}, the figure of a short stream may be below the maximum, and exceed only the part of
   * the maximum that the stream may use.
   *
   * @return the figure; {@code Long.MAX_VALUE} if the figure has no bound, or if counting stopped
   *     before it was known
   */
  public long figure() {
    return figure;
  }

  /**
   * Returns the limit's value in the policy.
   *
   * @return the value, in the unit of {@link #limit}
   */
  public long maximum() {
    return maximum;
  }
}
