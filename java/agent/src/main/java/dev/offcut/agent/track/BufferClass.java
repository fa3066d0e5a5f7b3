package dev.offcut.agent.track;

import dev.offcut.agent.code.Code;
import dev.offcut.agent.code.Insns;
import dev.offcut.agent.code.UnknownShapeException;

/** The JDK's class that frees the memory of a direct buffer, and is made once there is some. */
final class BufferClass {
  static final String NAME = "java/nio/DirectByteBuffer$Deallocator";

  private static final String FREE = "invokevirtual jdk/internal/misc/Unsafe.freeMemory(J)V";

  private BufferClass() {}

  static byte[] rewrite(byte[] bytes) throws UnknownShapeException {
    Patch patch = new Patch(bytes);
    patch.needsField("address", "J");
    patch.needsField("size", "J");
    Code made = patch.method("<init>", "(JJI)V");
    made.insert(
        patch.place(made, Insns.RETURN, "<init> returns"),
        Patch.join(
            Patch.bytes(Insns.LLOAD_1, Insns.LLOAD_3),
            patch.call(Tracking.BUFFERS, "opened", "(JJ)V")),
        4);
    Code run = patch.method("run", "()V");
    run.insert(
        patch.place(run, FREE),
        Patch.join(
            Patch.bytes(Insns.DUP2),
            patch.read(NAME, "size", "J"),
            patch.call(Tracking.BUFFERS, "freeing", "(JJ)V")),
        4);
    return patch.toBytes();
  }
}
