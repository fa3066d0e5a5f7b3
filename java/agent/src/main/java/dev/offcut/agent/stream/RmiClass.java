package dev.offcut.agent.stream;

import dev.offcut.agent.code.ClassFile;
import dev.offcut.agent.code.UnknownShapeException;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The class {@code sun.rmi.server.MarshalInputStream}, whose own resolveClass and resolveProxyClass
 * walk, too. The rewritten ones take the loader from the memo.
 */
final class RmiClass {
  static final String NAME = "sun/rmi/server/MarshalInputStream";

  private static final String WALK = "latestUserDefinedLoader";

  private RmiClass() {}

  /** The class file of the rewritten class. */
  static byte[] rewrite(byte[] file) throws UnknownShapeException {
    ClassNode stream = ClassFile.read(file);
    if (!stream.superName.equals(StreamClass.NAME)) {
      throw new UnknownShapeException("it is not an ObjectInputStream");
    }
    int walks = 0;
    for (MethodNode method : stream.methods) {
      for (AbstractInsnNode insn : method.instructions.toArray()) {
        if (insn instanceof MethodInsnNode call
            && call.owner.equals(NAME)
            && call.name.equals(WALK)) {
          walks++;
          if (!method.name.equals("resolveClass") && !method.name.equals("resolveProxyClass")) {
            throw new UnknownShapeException("it walks in " + method.name);
          }
          method.instructions.insertBefore(insn, new VarInsnNode(Opcodes.ALOAD, 0));
          method.instructions.set(
              insn,
              StreamClass.helper(
                  "loaderOfRmi", "(L" + StreamClass.NAME + ";)Ljava/lang/ClassLoader;"));
        }
      }
    }
    if (walks != 2) {
      throw new UnknownShapeException("it walks in " + walks + " places, not in 2");
    }
    return ClassFile.write(stream);
  }
}
