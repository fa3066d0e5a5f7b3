package dev.offcut.agent.publish;

import dev.offcut.agent.base.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * What the retrofit saved the program, if its jar is in the JVM, too. Its helpers in java.base
 * count; nothing else is known of it here.
 *
 * @param done what was done all the same
 * @param saved what was not
 */
record Savings(String feature, long done, long saved, String unit) {
  /** The retrofit's helpers, by name. */
  private static final String WALKS = "java.io.OffcutStreamCounts";

  private static final String MAP = "java.util.concurrent.OffcutAddressMap";

  /** Set by the retrofit when it starts. */
  private static final String RETROFIT = "offcut.retrofit.version";

  /** Until now; empty without the retrofit. */
  static List<Savings> now(List<Ledger.KindCounts> kinds) throws ReflectiveOperationException {
    if (System.getProperty(RETROFIT) == null) {
      return List.of();
    }
    List<Savings> all = new ArrayList<>();
    if (isThere(WALKS)) {
      long[] walks = (long[]) Class.forName(WALKS, false, null).getMethod("counts").invoke(null);
      all.add(new Savings("object streams", walks[0], walks[1], "walks"));
    }
    for (int i = 0; i < kinds.size() && isThere(MAP); i++) {
      Ledger.KindCounts kind = kinds.get(i);
      if (kind.kind().equals(Kind.name(Kind.JNA))) {
        // One when it is put into the map, one when it is removed.
        long boxes = kind.opened() + kind.closed() + kind.collected();
        all.add(new Savings("JNA memory", 0, boxes, "boxes"));
      }
    }
    return all;
  }

  /** Whether the retrofit has put a helper into java.base, which it does when it is needed. */
  private static boolean isThere(String helper) {
    try {
      Class.forName(helper, false, null);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
