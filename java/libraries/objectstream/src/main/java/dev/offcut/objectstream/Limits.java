package dev.offcut.objectstream;

import java.util.Map;

/** The figures of a policy, one a {@link Limit}. Immutable. */
@SuppressWarnings("EnumOrdinal") // of an array that never leaves this class
final class Limits {
  /** By ordinal: they are asked for at every byte. */
  private final long[] figures = new long[Limit.values().length];

  /** The defaults, and {@code set} over them. */
  Limits(Map<Limit, Long> set) {
    for (Limit limit : Limit.values()) {
      figures[limit.ordinal()] = set.getOrDefault(limit, limit.byDefault());
    }
  }

  long of(Limit limit) {
    return figures[limit.ordinal()];
  }

  /** Refuses a figure above the limit. */
  void check(Limit limit, long figure, String what) throws StreamLimitException {
    if (figure > of(limit)) {
      throw new StreamLimitException(limit, figure, of(limit), what);
    }
  }

  /** As the other; of a class, whose name ends the text if it is needed. */
  void check(Limit limit, long figure, String what, Class<?> of) throws StreamLimitException {
    if (figure > of(limit)) {
      check(limit, figure, what + of.getName());
    }
  }
}
