package dev.offcut.agent.track;

import dev.offcut.agent.code.Code;
import dev.offcut.agent.code.Insns;
import dev.offcut.agent.code.UnknownShapeException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's classes of arenas, from JDK 25 on: sessions say when one is opened and closed, the
 * factory of segments what it allocates.
 */
final class ArenaClasses {
  static final String PACKAGE = "jdk/internal/foreign/";
  static final String SESSION = PACKAGE + "MemorySessionImpl";
  static final String LIST = SESSION + "$ResourceList";
  static final String CLEANUP = LIST + "$ResourceCleanup";
  static final String FACTORY = PACKAGE + "SegmentFactories";

  /** Not changed, but looked at: what the helpers read must be there. */
  static final String CONFINED_LIST = PACKAGE + "ConfinedSession$ConfinedResourceList";

  /** Likewise. */
  static final String ALLOCATION = FACTORY + "$1";

  private static final String HELPER = PACKAGE + "OffcutArenas";
  private static final String OF_SESSION = "(L" + SESSION + ";)V";

  /** The session first: the helpers are put beside it. */
  static final List<String> NAMES =
      List.of(SESSION, LIST, CLEANUP, CONFINED_LIST, FACTORY, ALLOCATION);

  private ArenaClasses() {}

  static byte @Nullable [] rewrite(String name, byte[] bytes) throws UnknownShapeException {
    return switch (name) {
      case SESSION -> session(bytes);
      case LIST -> list(bytes);
      case FACTORY -> factory(bytes);
      default -> {
        look(name, new Patch(bytes));
        yield null;
      }
    };
  }

  private static void look(String name, Patch patch) throws UnknownShapeException {
    switch (name) {
      case CLEANUP -> patch.needsField("next", "L" + CLEANUP + ";");
      case CONFINED_LIST -> patch.needsField("cache", "L" + CLEANUP + ";");
      default -> patch.needsField("val$allocationSize", "J");
    }
  }

  private static byte[] session(byte[] bytes) throws UnknownShapeException {
    Patch patch = new Patch(bytes);
    patch.needsField("resourceList", "L" + LIST + ";");
    open(patch, "createConfined", "(Ljava/lang/Thread;)L" + SESSION + ";", "openedConfined");
    open(patch, "createShared", "()L" + SESSION + ";", "openedShared");
    open(patch, "createImplicit", "(Ljava/lang/ref/Cleaner;)L" + SESSION + ";", "openedAutomatic");
    Code close = patch.method("close", "()V");
    patch.place(close, "invokevirtual " + SESSION + ".justClose()V");
    patch.place(close, "invokevirtual " + LIST + ".cleanup()V");
    int at = patch.place(close, "getfield " + SESSION + ".resourceList L" + LIST + ";");
    // Between this read of the session and its use: closed, and nothing freed yet.
    close.insert(
        at, Patch.join(Patch.bytes(Insns.DUP), patch.call(HELPER, "closing", OF_SESSION)), 1);
    return patch.toBytes();
  }

  private static void open(Patch patch, String name, String type, String helper)
      throws UnknownShapeException {
    Code code = patch.method(name, type);
    int at = patch.place(code, Insns.ARETURN, name + " returns");
    code.insert(at, Patch.join(Patch.bytes(Insns.DUP), patch.call(HELPER, helper, OF_SESSION)), 1);
  }

  private static byte[] list(byte[] bytes) throws UnknownShapeException {
    Patch patch = new Patch(bytes);
    patch.needsField("fst", "L" + CLEANUP + ";");
    Code run = patch.method("run", "()V");
    patch.place(run, "invokevirtual " + LIST + ".cleanup()V");
    byte[] call = patch.call(HELPER, "collecting", "(L" + LIST + ";)V");
    run.insert(0, Patch.join(Patch.bytes(Insns.ALOAD_0), call), 1);
    return patch.toBytes();
  }

  private static byte[] factory(byte[] bytes) throws UnknownShapeException {
    Patch patch = new Patch(bytes);
    Code allocate = patch.method("allocateNativeInternal", "(JJL" + SESSION + ";ZZ)J");
    String add = ".addOrCleanupIfFail(L" + CLEANUP + ";)V";
    patch.place(allocate, "new " + ALLOCATION);
    int at = patch.place(allocate, "invokevirtual " + SESSION + add);
    int helper = patch.helper(HELPER, "add", "(L" + SESSION + ";L" + CLEANUP + ";)V");
    allocate.replace(at, Insns.INVOKESTATIC, helper);
    return patch.toBytes();
  }
}
