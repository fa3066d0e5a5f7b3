package dev.offcut.agent.hooks;

import dev.offcut.agent.hooks.code.Code;
import dev.offcut.agent.hooks.code.Insns;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The classes of Offcut's own libraries that open arenas of the JDK, whatever their package is
 * called: each says so to the helper, behind the call of {@code Arena}.
 */
final class LibraryClasses {
  private static final String HELPER = "java/util/concurrent/OffcutLibraryArenas";
  private static final String ARENA = "java/lang/foreign/Arena";

  /**
   * A method that opens arenas.
   *
   * @param type the end of the class's name
   * @param method its name
   * @param descriptor its parameters and result, where P stands for the package of the libraries
   * @param opens the method of {@code Arena} that it calls
   * @param as the method of the helper
   */
  private record Opening(String type, String method, String descriptor, String opens, String as) {}

  private static final List<Opening> ALL =
      List.of(
          new Opening(
              "memory/PoolArena$Confined", "<init>", "(LP/memory/Owner;)V", "ofConfined", "netted"),
          new Opening(
              "memory/PoolArena$Shared", "<init>", "(LP/memory/Owner;)V", "ofShared", "netted"));

  private LibraryClasses() {}

  /** Whether a class of that name, with slashes, is one of them. */
  static boolean isOne(String name) {
    return opening(name) != null;
  }

  private static @Nullable Opening opening(String name) {
    for (Opening opening : ALL) {
      if (name.endsWith(opening.type)) {
        return opening;
      }
    }
    return null;
  }

  /** The class as it is to be. */
  static byte[] rewrite(String name, byte[] file) throws UnknownShapeException {
    Opening opening = opening(name);
    if (opening == null) {
      throw new IllegalArgumentException(name);
    }
    String packages = name.substring(0, name.length() - opening.type.length());
    Patch patch = new Patch(file);
    Code code = patch.method(opening.method, opening.descriptor.replace("P/", packages));
    String opened = "invokestatic " + ARENA + "." + opening.opens + "()L" + ARENA + ";";
    code.insert(
        patch.place(code, opened) + Insns.CALL_BYTES,
        Patch.join(Patch.bytes(Insns.DUP), patch.call(HELPER, opening.as, "(Ljava/lang/Object;)V")),
        1);
    return patch.toBytes();
  }
}
