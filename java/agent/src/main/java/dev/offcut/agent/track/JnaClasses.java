package dev.offcut.agent.track;

import dev.offcut.agent.code.Code;
import dev.offcut.agent.code.Insns;
import dev.offcut.agent.code.UnknownShapeException;
import java.util.List;

/**
 * JNA's Memory and the class that disposes of it, of any class loader: as they are, or as the
 * retrofit of their map has made them.
 */
final class JnaClasses {
  static final String MEMORY = "com/sun/jna/Memory";
  static final String DISPOSER = MEMORY + "$MemoryDisposer";
  static final List<String> NAMES = List.of(MEMORY, DISPOSER);

  private JnaClasses() {}

  static byte[] rewrite(String name, byte[] bytes) throws UnknownShapeException {
    return name.equals(MEMORY) ? memory(bytes) : disposer(bytes);
  }

  private static byte[] memory(byte[] bytes) throws UnknownShapeException {
    Patch patch = new Patch(bytes);
    Code made = patch.method("<init>", "(J)V");
    patch.place(made, "new " + DISPOSER);
    made.insert(
        patch.place(made, Insns.RETURN, "<init> returns"),
        Patch.join(
            patch.read(MEMORY, "peer", "J"),
            Patch.bytes(Insns.LLOAD_1),
            patch.call(Tracking.JNA, "opened", "(JJ)V")),
        4);
    return patch.toBytes();
  }

  private static byte[] disposer(byte[] bytes) throws UnknownShapeException {
    Patch patch = new Patch(bytes);
    patch.needsField("peer", "J");
    Code run = patch.method("run", "()V");
    int at = patch.place(run, "invokestatic " + MEMORY + ".free(J)V");
    run.insert(
        at, Patch.join(Patch.bytes(Insns.DUP2), patch.call(Tracking.JNA, "freeing", "(J)V")), 2);
    return patch.toBytes();
  }
}
