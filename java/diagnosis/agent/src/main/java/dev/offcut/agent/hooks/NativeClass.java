package dev.offcut.agent.hooks;

import dev.offcut.agent.Tracking;
import dev.offcut.agent.hooks.code.ClassFile;
import dev.offcut.agent.hooks.code.Code;
import dev.offcut.agent.hooks.code.Constants;
import dev.offcut.agent.hooks.code.Insns;
import dev.offcut.agent.hooks.code.Member;
import dev.offcut.agent.hooks.code.Opcode;
import dev.offcut.agent.hooks.code.UnknownShapeException;

/**
 * JNA's {@code Native}, whose {@code malloc} and {@code free} have no code that calls could be put
 * into. The rewritten class has both with code, which counts and calls native methods of other
 * names: the JVM finds their functions, since it is told that the names begin with {@link #PREFIX}.
 *
 * <p>That adds methods, which is possible only while the class is loaded.
 */
public final class NativeClass {
  public static final String NAME = "com/sun/jna/Native";

  /** In front of the names of the native methods. */
  static final String PREFIX = "offcut$";

  private static final String MALLOC = "malloc";
  private static final String FREE = "free";
  private static final String OF_MALLOC = "(J)J";
  private static final String OF_FREE = "(J)V";
  private static final int NATIVE = Member.PUBLIC | Member.STATIC | Member.NATIVE;

  private NativeClass() {}

  static byte[] rewrite(byte[] bytes) throws UnknownShapeException {
    ClassFile file = ClassFile.read(bytes);
    Constants constants = file.constants();
    byte[] allocate =
        Patch.join(
            Insns.of(Opcode.LLOAD_0),
            call(constants, NAME, PREFIX + MALLOC, OF_MALLOC),
            Insns.of(Opcode.DUP2, Opcode.LLOAD_0),
            call(constants, Tracking.NATIVE, "allocated", "(JJ)V"),
            Insns.of(Opcode.LRETURN));
    byte[] free =
        Patch.join(
            Insns.of(Opcode.LLOAD_0),
            call(constants, Tracking.NATIVE, "freeing", OF_FREE),
            Insns.of(Opcode.LLOAD_0),
            call(constants, NAME, PREFIX + FREE, OF_FREE),
            Insns.of(Opcode.RETURN));
    wrap(file, MALLOC, OF_MALLOC, new Code(constants, 6, 2, allocate, new byte[0]));
    wrap(file, FREE, OF_FREE, new Code(constants, 2, 2, free, new byte[0]));
    return file.toBytes();
  }

  private static void wrap(ClassFile file, String name, String type, Code code)
      throws UnknownShapeException {
    Member method = file.method(name, type, NATIVE);
    method.access &= ~Member.NATIVE;
    method.setCode(code);
    file.addMethod(NATIVE | Member.SYNTHETIC, PREFIX + name, type, null);
  }

  private static byte[] call(Constants constants, String owner, String name, String type) {
    int index = constants.addMethod(owner, name, type);
    return Insns.of(Opcode.INVOKESTATIC, index);
  }
}
