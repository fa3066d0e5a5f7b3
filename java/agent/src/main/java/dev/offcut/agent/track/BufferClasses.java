package dev.offcut.agent.track;

import dev.offcut.agent.code.Code;
import dev.offcut.agent.code.Insns;
import dev.offcut.agent.code.UnknownShapeException;
import java.util.List;

/**
 * The JDK's class that frees the memory of a direct buffer, and, from JDK 26 on, the two places
 * that clean what the collector found: a thread of its own, and whoever waits for direct memory.
 * Until JDK 25 the thread that handles references did.
 */
final class BufferClasses {
  static final String NAME = "java/nio/DirectByteBuffer$Deallocator";
  static final String CLEANER = "java/nio/BufferCleaner";
  static final String LOOP = CLEANER + "$CleaningRunnable";
  static final List<String> NAMES = List.of(NAME, CLEANER, LOOP);

  private static final String FREE = "invokevirtual jdk/internal/misc/Unsafe.freeMemory(J)V";
  private static final String CLEANABLE = "sun/nio/Cleaner";
  private static final String CLEAN = "invokeinterface " + CLEANABLE + ".clean()V";

  private BufferClasses() {}

  static byte[] rewrite(String name, byte[] bytes) throws UnknownShapeException {
    return switch (name) {
      case CLEANER -> cleaning(bytes, "tryCleaning", "()Z", "cleanForMemory");
      case LOOP -> cleaning(bytes, "run", "()V", "cleanInLoop");
      default -> deallocator(bytes);
    };
  }

  private static byte[] cleaning(byte[] bytes, String method, String type, String helper)
      throws UnknownShapeException {
    Patch patch = new Patch(bytes);
    patch.place(patch.method(method, type), CLEAN);
    patch.replaceInterfaceCall(CLEAN, Tracking.BUFFERS, helper, "(L" + CLEANABLE + ";)V");
    return patch.toBytes();
  }

  private static byte[] deallocator(byte[] bytes) throws UnknownShapeException {
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
