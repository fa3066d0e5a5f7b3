package dev.offcut.metrics;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where figures come from: a library that the program may have or not, or the agent. A source is
 * linked when its library is there, and left out after the first sentence about it if that is of
 * another version.
 */
abstract class Source {
  private static final System.Logger LOG = System.getLogger("dev.offcut.metrics");

  /** How many owners have series of their own, if nothing else is said. */
  static final int OWNERS = 20;

  /** The name of the series that adds up all others. */
  static final String OTHER = "other";

  final String name;
  private final @Nullable String needed;
  private @Nullable String said;

  /** {@code needed}: a class without which there is nothing to read; null if it is the JDK's. */
  Source(String name, @Nullable String needed) {
    this.name = name;
    this.needed = needed;
  }

  /** Adds its figures; false if the program has nothing of the kind. */
  abstract boolean read(Readings to) throws Exception;

  static int notNegative(int mostOwners) {
    if (mostOwners < 0) {
      throw new IllegalArgumentException(
          "series for " + mostOwners + " owners: give 0 or more; all others are one");
    }
    return mostOwners;
  }

  /** All of them, also those that have nothing to read. */
  static List<Source> all(int mostNames) {
    List<Source> sources = new ArrayList<>();
    sources.add(new HandleSource());
    sources.add(new PoolSource(notNegative(mostNames)));
    sources.add(new AgentSource());
    return sources;
  }

  /** Reads it, and says once why it cannot be read. */
  final boolean readOrSay(Readings to) {
    try {
      return isThere() && read(to);
    } catch (Exception | LinkageError e) {
      say("the metrics lack " + name + ", which could not be read (" + e + ")");
      return false;
    }
  }

  private boolean isThere() {
    try {
      if (needed != null) {
        Class.forName(needed, false, Source.class.getClassLoader());
      }
      return true;
    } catch (ClassNotFoundException e) {
      return false; // the program has none
    }
  }

  /** One line in the program's log, the same line once. */
  final void say(String problem) {
    if (!problem.equals(said)) {
      said = problem;
      LOG.log(System.Logger.Level.WARNING, "offcut: " + problem);
    }
  }

  /**
   * The names of a label with sums that never fall: the first that come have series of their own,
   * and keep them. A name that moved from one series to another would make a sum fall.
   */
  static final class Names {
    private static final int MOST = 100;

    private final Set<String> named = new HashSet<>();

    /** The name, or that of all that have no series. */
    String of(String name) {
      return named.contains(name) || (named.size() < MOST && named.add(name)) ? name : OTHER;
    }
  }
}
