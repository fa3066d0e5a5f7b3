package dev.offcut.agent.jna;

import dev.offcut.agent.base.JavaBase;
import dev.offcut.agent.code.ClassFile;
import dev.offcut.agent.code.Code;
import dev.offcut.agent.code.UnknownShapeException;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The class {@code com.sun.jna.Memory}, which keeps a map of all that is allocated, by address. The
 * rewritten one makes an {@link AddressMap} in the place of the map, and puts into it without
 * boxing. Fields, methods and frames stay; two methods change in a few instructions.
 */
final class MemoryClass {
  static final String NAME = "com/sun/jna/Memory";
  static final String MAP = "java/util/Map";
  static final String ACCESSOR = "access$000";
  static final String BOX = "invokestatic java/lang/Long.valueOf(J)Ljava/lang/Long;";

  private static final String FIELD = "allocatedMemory";
  private static final String GET = "getstatic " + NAME + "." + FIELD + " L" + MAP + ";";
  private static final String SET = "putstatic " + NAME + "." + FIELD + " L" + MAP + ";";

  /** The map is made, in the initializer of the class. */
  private static final List<String> MAKE =
      List.of(
          "new java/util/concurrent/ConcurrentHashMap",
          "dup",
          "invokespecial java/util/concurrent/ConcurrentHashMap.<init>()V",
          SET);

  /** What was allocated is put into the map, by a constructor. */
  private static final List<String> PUT =
      List.of(
          GET,
          "aload 0",
          "getfield " + NAME + ".peer J",
          BOX,
          "new java/lang/ref/WeakReference",
          "dup",
          "aload 0",
          "invokespecial java/lang/ref/WeakReference.<init>(Ljava/lang/Object;)V",
          "invokeinterface java/util/Map.put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
          "pop");

  /** All values are copied, to dispose of them. */
  private static final List<String> VALUES =
      List.of(GET, "invokeinterface java/util/Map.values()Ljava/util/Collection;");

  /** The disposer is given the map. */
  private static final List<String> GIVE = List.of(GET, "areturn");

  private MemoryClass() {}

  /** The class file of the retrofitted class. */
  static byte[] rewrite(byte[] file) throws UnknownShapeException {
    ClassNode memory = ClassFile.read(file);
    checkField(memory);
    Code.Run make = one(memory, MAKE, "made");
    Code.Run put = one(memory, PUT, "put into");
    one(memory, VALUES, "copied");
    one(memory, GIVE, "given away");
    int uses = Code.count(memory, GET, SET);
    if (uses != 4) {
      throw new UnknownShapeException(FIELD + " is used in " + uses + " places, not in 4");
    }
    make.remove(0);
    make.remove(1);
    make.replace(2, call("create", "()L" + MAP + ";"));
    put.remove(3);
    put.replace(8, call("put", "(L" + MAP + ";JLjava/lang/Object;)Ljava/lang/Object;"));
    return ClassFile.write(memory);
  }

  /** A call of a static method of {@link AddressMap}, where it is in java.base. */
  static MethodInsnNode call(String method, String type) {
    return new MethodInsnNode(
        Opcodes.INVOKESTATIC,
        JavaBase.nameOf(JnaRetrofit.NEIGHBOUR, AddressMap.class),
        method,
        type);
  }

  private static void checkField(ClassNode memory) throws UnknownShapeException {
    for (FieldNode field : memory.fields) {
      if (field.name.equals(FIELD)) {
        int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL;
        if (field.access != access || !field.desc.equals("L" + MAP + ";")) {
          throw new UnknownShapeException(FIELD + " is not a private static final Map");
        }
        return;
      }
    }
    throw new UnknownShapeException("no field " + FIELD);
  }

  private static Code.Run one(ClassNode memory, List<String> texts, String what)
      throws UnknownShapeException {
    List<Code.Run> runs = Code.runs(memory, texts);
    if (runs.size() != 1) {
      throw new UnknownShapeException(
          FIELD + " is " + what + " as expected in " + runs.size() + " places, not in 1");
    }
    return runs.get(0);
  }
}
