package dev.offcut.agent.stream;

import dev.offcut.agent.code.ClassFile;
import dev.offcut.agent.code.Member;
import dev.offcut.agent.code.UnknownShapeException;

/** The class {@code java.io.SerialCallbackContext}. The rewritten one shows its object. */
final class ContextClass {
  static final String NAME = "java/io/SerialCallbackContext";

  private ContextClass() {}

  /** The class file of the rewritten class. */
  static byte[] rewrite(byte[] file) throws UnknownShapeException {
    ClassFile context = ClassFile.read(file);
    context.field("obj", "Ljava/lang/Object;").access &= ~Member.PRIVATE;
    return context.toBytes();
  }
}
