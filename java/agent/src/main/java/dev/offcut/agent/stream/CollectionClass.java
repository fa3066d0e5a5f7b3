package dev.offcut.agent.stream;

import dev.offcut.agent.code.UnknownShapeException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A class of the JDK whose readObject reads the elements one by one. In the rewritten one they are
 * read as parts of the object. Only calls change, so that a loaded class can be rewritten, too.
 *
 * <p>The methods that are not touched are copied as bytes, since this runs before the program.
 */
final class CollectionClass extends ClassVisitor {
  /** How many calls of readObject each has, on JDK 17 and on JDK 25. */
  static final Map<String, Integer> CALLS =
      Map.ofEntries(
          Map.entry("java/util/ArrayDeque", 1),
          Map.entry("java/util/ArrayList", 1),
          Map.entry("java/util/CollSer", 1),
          Map.entry("java/util/EnumMap", 2),
          Map.entry("java/util/HashMap", 2),
          Map.entry("java/util/HashSet", 1),
          Map.entry("java/util/Hashtable", 2),
          Map.entry("java/util/IdentityHashMap", 2),
          Map.entry("java/util/LinkedList", 1),
          Map.entry("java/util/PriorityQueue", 1),
          Map.entry("java/util/TreeMap", 2),
          Map.entry("java/util/TreeSet", 1),
          Map.entry("java/util/concurrent/ConcurrentHashMap", 2),
          Map.entry("java/util/concurrent/ConcurrentLinkedQueue", 1),
          Map.entry("java/util/concurrent/ConcurrentSkipListMap", 2),
          Map.entry("java/util/concurrent/CopyOnWriteArrayList", 1),
          Map.entry("java/util/concurrent/LinkedBlockingQueue", 1));

  private static final String READ = "()Ljava/lang/Object;";

  private int calls;
  private boolean reachable;

  private CollectionClass(ClassWriter writer) {
    super(Opcodes.ASM9, writer);
  }

  /** The class file of the rewritten class. */
  static byte[] rewrite(String name, byte[] file) throws UnknownShapeException {
    ClassReader reader = new ClassReader(file);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    CollectionClass changed = new CollectionClass(writer);
    reader.accept(changed, 0);
    Integer known = CALLS.get(name);
    if (known == null || changed.calls != known || changed.reachable) {
      throw new UnknownShapeException("it reads elements in " + changed.calls + " places");
    }
    return writer.toByteArray();
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String name,
      String desc,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, desc, signature, exceptions);
    if ((access & Opcodes.ACC_STATIC) != 0 || !desc.contains("Ljava/io/ObjectInputStream;")) {
      return next;
    }
    boolean open = (access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0;
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitMethodInsn(
          int opcode, String owner, String name, String desc, boolean isInterface) {
        if (opcode == Opcodes.INVOKEVIRTUAL
            && owner.equals(StreamClass.NAME)
            && name.equals("readObject")
            && desc.equals(READ)) {
          calls++;
          // What the program can call itself is no part of reading the object.
          reachable |= open;
          visitVarInsn(Opcodes.ALOAD, 0);
          super.visitMethodInsn(
              Opcodes.INVOKESTATIC,
              StreamClass.ENTRIES,
              "readElement",
              "(L" + StreamClass.NAME + ";Ljava/lang/Object;)Ljava/lang/Object;",
              false);
        } else {
          super.visitMethodInsn(opcode, owner, name, desc, isInterface);
        }
      }
    };
  }
}
