package dev.offcut.agent.hooks;

import dev.offcut.agent.hooks.code.Code;
import dev.offcut.agent.hooks.code.Insns;
import dev.offcut.agent.hooks.code.Opcode;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's classes of arenas, from JDK 25 on: sessions get lists of ours for what is to be freed,
 * and their factories say when one is opened. Who closes a session calls its list, whichever way.
 */
final class ArenaClasses {
  /** Older ones have other classes, or arenas that are a preview. */
  private static final int OLDEST_JDK = 25;

  static final String PACKAGE = "jdk/internal/foreign/";

  /** The same, as it is opened. */
  static final String OPENED = "jdk.internal.foreign";

  static final String SESSION = PACKAGE + "MemorySessionImpl";
  static final String LIST = SESSION + "$ResourceList";
  static final String CLEANUP = LIST + "$ResourceCleanup";
  static final String CONFINED = PACKAGE + "ConfinedSession";
  static final String SHARED = PACKAGE + "SharedSession";
  static final String SHARED_LIST = SHARED + "$SharedResourceList";

  /** From JDK 28 on: small requests are slices of memory that each thread has at hand. */
  static final String SLICING = PACKAGE + "ArenaImpl$OfConfined";

  /** Not changed, but looked at: what the helpers read must be there. */
  static final String ALLOCATION = PACKAGE + "SegmentFactories$1";

  private static final String CONFINED_LIST = CONFINED + "$ConfinedResourceList";

  private static final String HELPER = PACKAGE + "Offcut";
  private static final String OF_CLEANUP = "(L" + CLEANUP + ";)V";

  /** What the helpers extend or read, which stays as it is; they are put beside the first. */
  static final List<String> LOOKED_AT = List.of(LIST, CLEANUP, SHARED_LIST, ALLOCATION);

  /** The same, and behind them what calls the helpers. */
  static final List<String> NAMES =
      List.of(LIST, CLEANUP, SHARED_LIST, ALLOCATION, SESSION, CONFINED, SHARED, SLICING);

  private ArenaClasses() {}

  /** Whether arenas are tracked on this JDK. */
  static boolean areThere() {
    return Runtime.version().feature() >= OLDEST_JDK;
  }

  static byte @Nullable [] rewrite(String name, byte[] bytes) throws UnknownShapeException {
    return switch (name) {
      case SESSION -> session(bytes);
      case CONFINED -> made(bytes, "(Ljava/lang/Thread;)V", CONFINED_LIST, "ConfinedList");
      case SHARED -> made(bytes, "()V", SHARED_LIST, "SharedList");
      case SLICING -> slicing(bytes);
      default -> {
        look(name, new Patch(bytes));
        yield null;
      }
    };
  }

  private static void look(String name, Patch patch) throws UnknownShapeException {
    switch (name) {
      case LIST -> {
        patch.needsField("fst", "L" + CLEANUP + ";");
        patch.method("cleanup", OF_CLEANUP);
        patch.place(patch.method("run", "()V"), "invokevirtual " + LIST + ".cleanup()V");
      }
      case CLEANUP -> {
        patch.needsField("next", "L" + CLEANUP + ";");
        patch.needsField("CLOSED_LIST", "L" + CLEANUP + ";");
      }
      case SHARED_LIST -> {
        patch.method("add", OF_CLEANUP);
        patch.method("cleanup", "()V");
      }
      default -> patch.needsField("val$allocationSize", "J");
    }
  }

  private static byte[] session(byte[] bytes) throws UnknownShapeException {
    Patch patch = new Patch(bytes);
    patch.needsField("resourceList", "L" + LIST + ";");
    patch.method("alreadyClosed", "()Ljava/lang/IllegalStateException;");
    open(patch, "createConfined", "(Ljava/lang/Thread;)L" + SESSION + ";", "openedConfined");
    open(patch, "createShared", "()L" + SESSION + ";", "openedShared");
    open(patch, "createImplicit", "(Ljava/lang/ref/Cleaner;)L" + SESSION + ";", "openedAutomatic");
    return patch.toBytes();
  }

  private static void open(Patch patch, String name, String type, String helper)
      throws UnknownShapeException {
    Code code = patch.method(name, type);
    int at = patch.place(code, Opcode.ARETURN, name + " returns");
    byte[] call = patch.call(HELPER + "Arenas", helper, "(L" + SESSION + ";)V");
    code.insert(at, Patch.join(Insns.of(Opcode.DUP), call), 1);
  }

  private static byte[] slicing(byte[] bytes) throws UnknownShapeException {
    Patch patch = new Patch(bytes);
    String segment = "L" + PACKAGE + "NativeMemorySegmentImpl;";
    Code allocate = patch.method("allocateLowLevel", "(JJZ)" + segment);
    String call = PACKAGE + "SegmentFactories.makeNativeSegmentUnchecked";
    int at = patch.place(allocate, "invokestatic " + call + "(JJL" + SESSION + ";)" + segment);
    allocate.insert(
        at,
        Patch.join(
            Insns.of(Opcode.DUP, Opcode.LLOAD_1),
            patch.call(HELPER + "Arenas", "sliced", "(L" + SESSION + ";J)V")),
        3);
    return patch.toBytes();
  }

  /** A session makes another list than it did. */
  private static byte[] made(byte[] bytes, String type, String list, String helper)
      throws UnknownShapeException {
    Patch patch = new Patch(bytes);
    patch.replaceNew(patch.method("<init>", type), list, HELPER + helper);
    return patch.toBytes();
  }
}
