package dev.offcut.metrics;

import java.util.HashSet;
import java.util.Set;

/**
 * The names of a label with sums that never fall: the first that come have series of their own, and
 * keep them. A name that moved from one series to another would make a sum fall.
 */
final class Names {
  static final String OTHER = "other";

  private static final int MOST = 100;

  private final Set<String> named = new HashSet<>();

  /** The name, or that of all that have no series. */
  String of(String name) {
    return named.contains(name) || (named.size() < MOST && named.add(name)) ? name : OTHER;
  }
}
