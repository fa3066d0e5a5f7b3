package dev.offcut.junit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Knows what is open, and which test opened it. */
abstract class Ledger {
  private static final Found FOUND = Found.look();

  /** The ledgers of this JVM, and what is to be said about those that are missing. */
  private record Found(List<Ledger> ledgers, @Nullable String problem, @Nullable String remark) {
    static Found look() {
      List<Ledger> ledgers = new ArrayList<>();
      if (isThere("dev.offcut.handle.HandleScope")) {
        if ("off".equalsIgnoreCase(System.getProperty("offcut.handle.detection"))) {
          return new Found(
              List.of(),
              "cannot see who opens handles: the JVM of the tests was started with"
                  + " -Doffcut.handle.detection=off; remove this property",
              null);
        }
        ledgers.add(new HandleLedger());
      }
      Ledger agent = AgentLedger.find();
      if (agent != null) {
        ledgers.add(agent);
        return new Found(ledgers, null, null);
      }
      return ledgers.isEmpty()
          ? new Found(
              ledgers,
              "has nothing to look at: no Offcut library is on the class path, and no agent is in"
                  + " the JVM; add dev.offcut:offcut-handle, or "
                  + AgentLedger.howToFind(),
              null)
          : new Found(
              ledgers,
              null,
              "checks handles of Offcut's libraries, pool arenas, block heaps, owners and pools; it"
                  + " does not check arenas, direct buffers and other closeables: for those, "
                  + AgentLedger.howToFind());
    }

    private static boolean isThere(String type) {
      try {
        Class.forName(type, false, Ledger.class.getClassLoader());
        return true;
      } catch (ClassNotFoundException | LinkageError e) {
        return false;
      }
    }
  }

  static List<Ledger> all() {
    return FOUND.ledgers;
  }

  /** Why nothing can be checked in this JVM; null if something can. */
  static @Nullable String problem() {
    return FOUND.problem;
  }

  /** What is checked in this JVM, and what is not; null if nothing is missing. */
  static @Nullable String remark() {
    return FOUND.remark;
  }

  /** Makes sure that openings are recorded from now on. */
  abstract void begin();

  /**
   * What a scope opened and did not close.
   *
   * @param collected whether {@link #collect} was called since, so that what only the collector
   *     frees is a leak, too
   */
  abstract List<Leak> leaks(TestScope scope, boolean collected);

  /**
   * What is seen of no scope, since nobody counts it.
   *
   * @param sentences what, and why: to stand behind the annotation's name
   * @param asked those of them, or others, about what the user has asked for by name
   */
  record Unseen(List<String> sentences, List<String> asked) {}

  /** What nobody counts by now. */
  Unseen unseen() {
    return new Unseen(List.of(), List.of());
  }

  /** What of a scope could not be checked, in a sentence; null if nothing. */
  @Nullable String unchecked(TestScope scope) {
    return null;
  }

  /** Whether a scope has something open that only the collector frees. */
  boolean waitsForCollection(TestScope scope) {
    return false;
  }

  /** Collects until all that these scopes left to the collector is freed, or is in use. */
  void collect(List<TestScope> scopes) {}

  /** Nobody will ask for what a scope has closed. */
  void end(TestScope scope) {}
}
