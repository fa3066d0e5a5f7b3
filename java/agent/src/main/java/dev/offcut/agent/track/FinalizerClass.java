package dev.offcut.agent.track;

import dev.offcut.agent.code.Code;
import dev.offcut.agent.code.Insns;
import dev.offcut.agent.code.UnknownShapeException;

/** The JDK's class that is told of each object that has a finalizer, and runs that. */
final class FinalizerClass {
  static final String NAME = "java/lang/ref/Finalizer";

  private static final String ACCESS = "jdk/internal/access/JavaLangAccess";
  private static final String OF_OBJECT = "(Ljava/lang/Object;)V";

  private FinalizerClass() {}

  static byte[] rewrite(byte[] bytes) throws UnknownShapeException {
    Patch patch = new Patch(bytes);
    Code register = patch.method("register", OF_OBJECT);
    patch.place(register, "new " + NAME);
    register.insert(
        0,
        Patch.join(
            Patch.bytes(Insns.ALOAD_0), patch.call(Tracking.FINALIZERS, "registered", OF_OBJECT)),
        1);
    Code run = patch.method("runFinalizer", "(L" + ACCESS + ";)V");
    run.insert(
        patch.place(run, "invokeinterface " + ACCESS + ".invokeFinalize" + OF_OBJECT),
        Patch.join(Patch.bytes(Insns.DUP), patch.call(Tracking.FINALIZERS, "running", OF_OBJECT)),
        1);
    return patch.toBytes();
  }
}
