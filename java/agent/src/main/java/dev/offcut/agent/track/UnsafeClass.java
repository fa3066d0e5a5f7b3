package dev.offcut.agent.track;

import dev.offcut.agent.code.Code;
import dev.offcut.agent.code.Insns;
import dev.offcut.agent.code.UnknownShapeException;

/** The program's Unsafe, {@code sun.misc.Unsafe}. */
final class UnsafeClass {
  static final String NAME = "sun/misc/Unsafe";

  private static final String INNER = "invokevirtual jdk/internal/misc/Unsafe.";

  private UnsafeClass() {}

  static byte[] rewrite(byte[] bytes) throws UnknownShapeException {
    Patch patch = new Patch(bytes);
    Code allocate = patch.method("allocateMemory", "(J)J");
    patch.place(allocate, INNER + "allocateMemory(J)J");
    allocate.insert(
        patch.place(allocate, Insns.LRETURN, "allocateMemory returns"),
        Patch.join(
            Patch.bytes(Insns.DUP2, Insns.LLOAD_1),
            patch.call(Tracking.UNSAFE, "allocated", "(JJ)V")),
        4);
    Code reallocate = patch.method("reallocateMemory", "(JJ)J");
    // The call itself: what is checked before may throw, and the table must change before it.
    reallocate.replace(
        patch.place(reallocate, INNER + "reallocateMemory(JJ)J"),
        Insns.INVOKESTATIC,
        patch.helper(Tracking.UNSAFE, "reallocate", "(Ljdk/internal/misc/Unsafe;JJ)J"));
    Code free = patch.method("freeMemory", "(J)V");
    // At the call: what is checked before may throw.
    free.insert(
        patch.place(free, INNER + "freeMemory(J)V"),
        Patch.join(Patch.bytes(Insns.DUP2), patch.call(Tracking.UNSAFE, "freeing", "(J)V")),
        2);
    return patch.toBytes();
  }
}
