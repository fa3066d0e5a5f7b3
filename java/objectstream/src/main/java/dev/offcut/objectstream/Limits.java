package dev.offcut.objectstream;

import java.util.EnumMap;
import java.util.Map;

/** The figures of a policy, one a {@link Limit}. Immutable. */
final class Limits {
  private final Map<Limit, Long> figures = new EnumMap<>(Limit.class);

  /** The defaults, and {@code set} over them. */
  Limits(Map<Limit, Long> set) {
    for (Limit limit : Limit.values()) {
      figures.put(limit, set.getOrDefault(limit, limit.byDefault()));
    }
  }

  long of(Limit limit) {
    return figures.getOrDefault(limit, limit.byDefault());
  }

  /** Refuses a figure above the limit. */
  void check(Limit limit, long figure, String what) throws StreamLimitException {
    if (figure > of(limit)) {
      throw new StreamLimitException(limit, figure, of(limit), what);
    }
  }
}
