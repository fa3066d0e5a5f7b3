package dev.offcut.agent.code;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;

/** A class file, taken apart and put together again. */
public final class ClassFile {
  private static final int VERSION = 0xffff;

  private ClassFile() {}

  /** Takes a class file apart. */
  public static ClassNode read(byte[] bytes) throws UnknownShapeException {
    ClassNode type = new ClassNode();
    try {
      new ClassReader(bytes).accept(type, 0);
    } catch (RuntimeException e) {
      throw new UnknownShapeException("not readable: " + e);
    }
    // Only from here on do class files say where something jumps to.
    if ((type.version & VERSION) < Opcodes.V1_6) {
      throw new UnknownShapeException("class file of a Java before 6");
    }
    return type;
  }

  /** Computes the size of the stacks; the frames stay as they were read. */
  public static byte[] write(ClassNode type) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    type.accept(writer);
    return writer.toByteArray();
  }
}
