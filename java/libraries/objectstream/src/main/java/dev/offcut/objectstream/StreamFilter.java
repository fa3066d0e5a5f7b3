package dev.offcut.objectstream;

import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectStreamException;
import org.jspecify.annotations.Nullable;

/**
 * The filter of one stream: what the JVM-wide filter rejects stays rejected, then the policy. After
 * a first refusal everything is refused, so that no class can swallow one and read on.
 */
final class StreamFilter implements ObjectInputFilter {
  private final @Nullable ObjectInputFilter jvmWide;
  private final Gate gate;
  private final Limits limits;
  private final Claims claims;
  private final Nesting nesting;
  private @Nullable ObjectStreamException refused;
  private boolean awaited;

  StreamFilter(
      @Nullable ObjectInputFilter jvmWide,
      Gate gate,
      Limits limits,
      Claims claims,
      Nesting nesting) {
    this.jvmWide = jvmWide;
    this.gate = gate;
    this.limits = limits;
    this.claims = claims;
    this.nesting = nesting;
  }

  @Override
  public Status checkInput(FilterInfo info) {
    boolean reference = !awaited && info.serialClass() == null;
    awaited = false;
    try {
      refuseAgain();
      checkJvmWide(info);
      limits.check(Limit.DEPTH, info.depth(), "depth");
      limits.check(Limit.REFERENCES, info.references(), "references");
      Class<?> type = info.serialClass();
      nesting.asked(info.depth());
      if (reference) {
        nesting.reference(info.depth());
      }
      if (type == null) {
        return Status.UNDECIDED;
      }
      gate.check(type);
      if (info.arrayLength() >= 0 && type.isArray()) {
        claims.check(type.componentType(), info);
        nesting.table(info.arrayLength());
      }
      return Status.ALLOWED;
    } catch (ObjectStreamException e) {
      throw new Refusal(refuse(e));
    }
  }

  private void checkJvmWide(FilterInfo info) throws RefusedClassException {
    if (jvmWide == null) {
      return;
    }
    Status status = jvmWide.checkInput(info);
    if (status == null || status == Status.REJECTED) {
      Class<?> type = info.serialClass();
      throw new RefusedClassException(
          type == null ? "reference" : type.getName(),
          ("rejected by the JVM-wide filter, at depth %s, references %s, bytes %s, array"
                  + " length %s; no policy can allow it: see jdk.serialFilter and"
                  + " jdk.serialFilterFactory")
              .formatted(info.depth(), info.references(), info.streamBytes(), info.arrayLength()));
    }
  }

  /** Makes a refusal the last word of the stream. */
  <E extends ObjectStreamException> E refuse(E refusal) {
    if (refused == null) {
      refused = refusal;
    }
    return refusal;
  }

  /** What was refused, or null. */
  @Nullable ObjectStreamException refusal() {
    return refused;
  }

  /** Throws what was refused before, if anything was. */
  void refuseAgain() throws ObjectStreamException {
    if (refused != null) {
      throw refused;
    }
  }

  /** The stream is about to ask this filter, unless another one stands in its way. */
  void await() {
    awaited = true;
  }

  /**
   * Fails if the stream has gone on without asking.
   *
   * @throws InvalidClassException if a JVM-wide filter factory leaves this filter out
   */
  void verifyAsked() throws ObjectStreamException {
    refuseAgain();
    if (awaited) {
      throw refuse(
          new InvalidClassException(
              "the JVM-wide filter factory leaves out the filter of this stream, so its policy"
                  + " cannot be kept; a factory has to merge both filters it is given: see"
                  + " jdk.serialFilterFactory"));
    }
  }

  /** Carries a checked exception out of the filter, which may throw none. */
  private static final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    Refusal(ObjectStreamException cause) {
      super(cause.getMessage(), cause);
    }
  }
}
