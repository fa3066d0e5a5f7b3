package dev.offcut.agent.track;

import dev.offcut.agent.code.Code;
import dev.offcut.agent.code.Insns;
import dev.offcut.agent.code.UnknownShapeException;

/** The JDK's class that limits direct memory, and collects when there is too much of it. */
final class BitsClass {
  static final String NAME = "java/nio/Bits";

  private static final int LSTORE_0 = 0x3f;
  private static final int LSTORE = 0x37;

  private BitsClass() {}

  static byte[] rewrite(byte[] bytes) throws UnknownShapeException {
    Patch patch = new Patch(bytes);
    Code reserve = patch.method("reserveMemory", "(JJ)V");
    int at = patch.place(reserve, "invokestatic java/lang/System.gc()V");
    boolean changed = !reserve.places(LSTORE_0).isEmpty();
    for (int store : reserve.places(LSTORE)) {
      changed |= reserve.insns()[store + 1] == 0;
    }
    if (changed) {
      throw new UnknownShapeException("reserveMemory changes the number of bytes");
    }
    reserve.insert(at, Patch.bytes(Insns.LLOAD_0), 2);
    int helper = patch.helper(Tracking.FORCED, "collect", "(J)V");
    reserve.replace(at + 1, Insns.INVOKESTATIC, helper);
    return patch.toBytes();
  }
}
