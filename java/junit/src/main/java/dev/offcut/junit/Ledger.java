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
      return ledgers.isEmpty()
          ? new Found(
              ledgers,
              "has nothing to look at: no Offcut library is on the class path; add"
                  + " dev.offcut:offcut-handle",
              null)
          : new Found(
              ledgers,
              null,
              "checks handles of Offcut's libraries, pool arenas and block heaps; it does not"
                  + " check arenas, direct buffers and other closeables");
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

  /** What is checked in this JVM, and what is not. */
  static @Nullable String remark() {
    return FOUND.remark;
  }

  /** Makes sure that openings are recorded from now on. */
  abstract void begin();

  /** What a scope opened and did not close. */
  abstract List<Leak> leaks(TestScope scope);
}
