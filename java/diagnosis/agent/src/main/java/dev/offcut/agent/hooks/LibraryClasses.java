package dev.offcut.agent.hooks;

import dev.offcut.agent.hooks.code.Code;
import dev.offcut.agent.hooks.code.Insns;
import dev.offcut.agent.hooks.code.Opcode;
import dev.offcut.agent.hooks.code.UnknownShapeException;

/**
 * The classes of Offcut's own libraries that open arenas of the JDK, whatever their package is
 * called: each says so to the helper, behind the call of {@code Arena}.
 */
final class LibraryClasses {
  private static final String HELPER = "java/util/concurrent/OffcutLibraryArenas";
  private static final String ARENA = "java/lang/foreign/Arena";

  private static final String CONFINED = "memory/PoolArena$Confined";
  private static final String SHARED = "memory/PoolArena$Shared";

  private LibraryClasses() {}

  /** Whether a class of that name, with slashes, is one of them. */
  static boolean isOne(String name) {
    return name.endsWith(CONFINED) || name.endsWith(SHARED);
  }

  /** The class as it is to be: its constructor opens an arena of the JDK. */
  static byte[] rewrite(String name, byte[] file) throws UnknownShapeException {
    boolean isConfined = name.endsWith(CONFINED);
    String ending = isConfined ? CONFINED : SHARED;
    String libraries = name.substring(0, name.length() - ending.length());
    Patch patch = new Patch(file);
    Code code = patch.method("<init>", "(L" + libraries + "memory/Owner;)V");
    String opens = isConfined ? "ofConfined" : "ofShared";
    int opened = patch.place(code, "invokestatic " + ARENA + "." + opens + "()L" + ARENA + ";");
    code.insert(
        opened + Insns.CALL_BYTES,
        Patch.join(Insns.of(Opcode.DUP), patch.call(HELPER, "netted", "(Ljava/lang/Object;)V")),
        1);
    return patch.toBytes();
  }
}
