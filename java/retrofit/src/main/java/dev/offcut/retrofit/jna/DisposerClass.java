package dev.offcut.retrofit.jna;

import dev.offcut.agent.hooks.code.ClassFile;
import dev.offcut.agent.hooks.code.InsnMatch;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.util.List;

/**
 * The class {@code com.sun.jna.Memory$MemoryDisposer}, which frees an allocation and removes it
 * from the map. The rewritten one does so without boxing.
 */
final class DisposerClass {
  static final String NAME = MemoryClass.NAME + "$MemoryDisposer";

  private static final String TAKE =
      "invokestatic %s.%s()L%s;".formatted(MemoryClass.NAME, MemoryClass.ACCESSOR, MemoryClass.MAP);

  private static final List<String> REMOVE =
      List.of(
          TAKE,
          "aload 0",
          "getfield " + NAME + ".peer J",
          MemoryClass.BOX,
          "invokeinterface java/util/Map.remove(Ljava/lang/Object;)Ljava/lang/Object;",
          "pop");

  private DisposerClass() {}

  /** The class file of the retrofitted class. */
  static byte[] rewrite(byte[] file) throws UnknownShapeException {
    ClassFile disposer = ClassFile.read(file);
    List<InsnMatch> removes = InsnMatch.all(disposer, REMOVE);
    // Two: javac writes a finally block once for each way out.
    if (removes.size() != 2 || InsnMatch.count(disposer, TAKE) != 2) {
      throw new UnknownShapeException(
          "the known code that removes an address is in " + removes.size() + " places, not in 2");
    }
    int helper =
        MemoryClass.helper(disposer, "remove", "(L" + MemoryClass.MAP + ";J)Ljava/lang/Object;");
    for (InsnMatch remove : removes) {
      remove.remove(3);
      remove.deepen();
      remove.call(4, helper);
    }
    return disposer.toBytes();
  }
}
