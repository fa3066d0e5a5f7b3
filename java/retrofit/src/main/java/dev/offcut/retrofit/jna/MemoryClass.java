package dev.offcut.retrofit.jna;

import dev.offcut.agent.hooks.code.ClassFile;
import dev.offcut.agent.hooks.code.InsnMatch;
import dev.offcut.agent.hooks.code.Member;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.util.List;

/**
 * The class {@code com.sun.jna.Memory}, which keeps a map of all that is allocated, by address. The
 * rewritten one makes an {@code AddressMap} in the place of the map, and puts into it without
 * boxing. Fields, methods and frames stay; two methods change in a few instructions.
 */
final class MemoryClass {
  static final String NAME = "com/sun/jna/Memory";
  static final String MAP = "java/util/Map";
  static final String ACCESSOR = "access$000";
  static final String BOX = "invokestatic java/lang/Long.valueOf(J)Ljava/lang/Long;";

  private static final String ADDRESS_MAP = "java/util/concurrent/OffcutAddressMap";

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
    ClassFile memory = ClassFile.read(file);
    checkField(memory);
    InsnMatch make = one(memory, MAKE, "makes");
    InsnMatch put = one(memory, PUT, "puts into");
    one(memory, VALUES, "copies");
    one(memory, GIVE, "gives away");
    int uses = InsnMatch.count(memory, GET, SET);
    if (uses != 4) {
      throw new UnknownShapeException(FIELD + " is used in " + uses + " places, not in 4");
    }
    make.remove(0);
    make.remove(1);
    make.call(2, helper(memory, "create", "()L" + MAP + ";"));
    put.remove(3);
    put.deepen();
    put.call(8, helper(memory, "put", "(L" + MAP + ";JLjava/lang/Object;)Ljava/lang/Object;"));
    return memory.toBytes();
  }

  /** A static method of the helper AddressMap, where it is in java.base. */
  static int helper(ClassFile type, String method, String desc) {
    return type.constants().addMethod(ADDRESS_MAP, method, desc);
  }

  private static void checkField(ClassFile memory) throws UnknownShapeException {
    int access = Member.PRIVATE | Member.STATIC | Member.FINAL;
    Member field = memory.field(FIELD);
    if (field.access != access || !field.type().equals("L" + MAP + ";")) {
      throw new UnknownShapeException(FIELD + " is not a private static final Map");
    }
  }

  private static InsnMatch one(ClassFile memory, List<String> texts, String what)
      throws UnknownShapeException {
    List<InsnMatch> runs = InsnMatch.all(memory, texts);
    if (runs.size() != 1) {
      throw new UnknownShapeException(
          "the known code that %s %s is in %s places, not in 1"
              .formatted(what, FIELD, runs.size()));
    }
    return runs.get(0);
  }
}
