package dev.offcut.retrofit.stream;

import dev.offcut.agent.hooks.code.Calls;
import dev.offcut.agent.hooks.code.Calls.Call;
import dev.offcut.agent.hooks.code.ClassFile;
import dev.offcut.agent.hooks.code.Insns;
import dev.offcut.agent.hooks.code.Member;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.util.List;

/**
 * The class {@code sun.rmi.server.MarshalInputStream}, whose own resolveClass and resolveProxyClass
 * walk, too. The rewritten ones take the loader from the memo, where the stream has called them.
 */
final class RmiClass {
  static final String NAME = "sun/rmi/server/MarshalInputStream";

  private static final String WALK = "latestUserDefinedLoader";
  private static final String LOADER = "Ljava/lang/ClassLoader;";

  private RmiClass() {}

  /** Whether a class file is that of a rewritten class. */
  static boolean isRewritten(byte[] file) throws UnknownShapeException {
    ClassFile stream = ClassFile.read(file);
    return !new Calls(stream, stream.methods())
        .of(Insns.INVOKESTATIC, StreamClass.LATEST_LOADER, "loader", StreamClass.WALK_TYPE)
        .isEmpty();
  }

  /** The class file of the rewritten class. */
  static byte[] rewrite(byte[] file) throws UnknownShapeException {
    ClassFile stream = ClassFile.read(file);
    if (!stream.superName().equals(StreamClass.NAME)) {
      throw new UnknownShapeException("it is not an ObjectInputStream");
    }
    List<Call> walks =
        new Calls(stream, stream.methods()).of(Insns.INVOKESTATIC, NAME, WALK, "()" + LOADER);
    if (walks.size() != 2) {
      throw new UnknownShapeException("it walks in " + walks.size() + " places, not in 2");
    }
    int helper =
        stream.constants().addMethod(StreamClass.LATEST_LOADER, "loader", StreamClass.WALK_TYPE);
    for (Call walk : walks) {
      String method = walk.method().name();
      if (!method.equals("resolveClass") && !method.equals("resolveProxyClass")) {
        throw new UnknownShapeException("it walks in " + method);
      }
      if ((walk.method().access & Member.STATIC) != 0) {
        throw new UnknownShapeException(method + " is static");
      }
      StreamClass.checkArguments(walk.method());
    }
    if (walks.get(0).method() == walks.get(1).method()) {
      throw new UnknownShapeException("it walks twice in " + walks.get(0).method().name());
    }
    for (Call walk : walks) {
      walk.method().code().callWith(walk.at(), helper, Insns.ALOAD_0, Insns.ALOAD_1);
    }
    return stream.toBytes();
  }
}
