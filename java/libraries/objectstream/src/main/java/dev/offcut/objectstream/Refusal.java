package dev.offcut.objectstream;

import java.io.ObjectStreamException;

/** Carries a checked exception out of a filter, which may throw none. */
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1;

  Refusal(ObjectStreamException cause) {
    super(cause.getMessage(), cause);
  }
}
