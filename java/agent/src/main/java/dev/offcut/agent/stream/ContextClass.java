package dev.offcut.agent.stream;

import dev.offcut.agent.code.ClassFile;
import dev.offcut.agent.code.UnknownShapeException;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;

/** The class {@code java.io.SerialCallbackContext}. The rewritten one shows its object. */
final class ContextClass {
  static final String NAME = "java/io/SerialCallbackContext";

  private ContextClass() {}

  /** The class file of the rewritten class. */
  static byte[] rewrite(byte[] file) throws UnknownShapeException {
    ClassNode context = ClassFile.read(file);
    StreamClass.field(context, "obj", "Ljava/lang/Object;").access &= ~Opcodes.ACC_PRIVATE;
    return ClassFile.write(context);
  }
}
