package dev.offcut.agent.hooks;

import dev.offcut.agent.Tracking;
import dev.offcut.agent.hooks.code.Code;
import dev.offcut.agent.hooks.code.Insns;
import dev.offcut.agent.hooks.code.Opcode;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.util.List;

/**
 * The classes of Netty 4.1 and 4.2 that make and free the chunks of its allocators, and give parts
 * of them to buffers, whatever their package is called: their known shape, and where calls of the
 * helper stand.
 */
public final class NettyClasses {
  private static final String PACKAGE = "io/netty/buffer/";
  private static final String ARENA = PACKAGE + "PoolArena$DirectArena";
  private static final String ADAPTIVE = PACKAGE + "AdaptiveByteBufAllocator";
  private static final String BUFFER = PACKAGE + "AdaptivePoolingAllocator$AdaptiveByteBuf";

  private static final String OF_OBJECT = "(Ljava/lang/Object;)V";

  private NettyClasses() {}

  /** Whether a class is one of them. */
  public static boolean isOne(String name) {
    return name.endsWith(ARENA) || name.endsWith(ADAPTIVE) || name.endsWith(BUFFER);
  }

  public static byte[] rewrite(String name, byte[] file) throws UnknownShapeException {
    Patch patch = new Patch(file);
    if (name.endsWith(ARENA)) {
      arena(patch, name.substring(0, name.length() - ARENA.length()));
    } else if (name.endsWith(ADAPTIVE)) {
      allocator(patch);
    } else {
      buffer(patch, name);
    }
    return patch.toBytes();
  }

  /** {@code prefix}: of the package. */
  private static void arena(Patch patch, String prefix) throws UnknownShapeException {
    String chunk = "L" + prefix + PACKAGE + "PoolChunk;";
    for (Code made :
        List.of(
            patch.method("newChunk", "(IIII)" + chunk),
            patch.method("newUnpooledChunk", "(I)" + chunk))) {
      beforeEach(
          made,
          Opcode.ARETURN,
          Patch.join(Insns.of(Opcode.DUP), patch.call(Tracking.NETTY, "made", OF_OBJECT)),
          1);
    }
    Code destroyed = patch.method("destroyChunk", "(" + chunk + ")V");
    destroyed.insert(
        0, Patch.join(Insns.of(Opcode.ALOAD_1), patch.call(Tracking.NETTY, "gone", OF_OBJECT)), 1);
  }

  /** Some constructors call another one: the helper hears of an allocator more than once. */
  private static void allocator(Patch patch) throws UnknownShapeException {
    byte[] call =
        Patch.join(Insns.of(Opcode.ALOAD_0), patch.call(Tracking.NETTY, "allocator", OF_OBJECT));
    for (Code constructor : patch.methods("<init>")) {
      beforeEach(constructor, Opcode.RETURN, call, 1);
    }
  }

  /**
   * Its memory changes in {@code init} alone, also when it grows, and is given back in {@code
   * deallocate}. Between the two it has a chunk.
   */
  private static void buffer(Patch patch, String name) throws UnknownShapeException {
    patch.needsField("maxFastCapacity", "I");
    patch.needsField("hasArray", "Z");
    String chunk = "L" + name.substring(0, name.lastIndexOf('$')) + "$Chunk;";
    patch.needsField("chunk", chunk);
    String root = "L" + name.substring(0, name.lastIndexOf('/') + 1) + "AbstractByteBuf;";
    byte[] bytes =
        Patch.join(patch.read(name, "maxFastCapacity", "I"), patch.read(name, "hasArray", "Z"));
    byte[] gave =
        Patch.join(
            patch.read(name, "chunk", chunk),
            bytes,
            patch.call(Tracking.NETTY, "gave", "(Ljava/lang/Object;IZ)V"),
            Insns.of(Opcode.NOP));
    Code init = patch.method("init", "(" + root + chunk + "IIIIII)V");
    beforeEach(
        init,
        Opcode.RETURN,
        Patch.join(bytes, patch.call(Tracking.NETTY, "took", "(IZ)V"), Insns.of(Opcode.NOP)),
        2);
    init.insert(0, gave, 3);
    patch.method("deallocate", "()V").insert(0, gave, 3);
  }

  private static void beforeEach(Code code, int opcode, byte[] added, int words)
      throws UnknownShapeException {
    if (code.insertBeforeEach(opcode, added, words) == 0) {
      throw new UnknownShapeException("a method does not return");
    }
  }
}
