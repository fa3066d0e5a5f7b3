package dev.offcut.agent.hooks;

import dev.offcut.agent.hooks.code.ClassFile;
import dev.offcut.agent.hooks.code.Code;
import dev.offcut.agent.hooks.code.Constants;
import dev.offcut.agent.hooks.code.Insns;
import dev.offcut.agent.hooks.code.Member;
import dev.offcut.agent.hooks.code.Opcode;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A class file into whose methods calls of helpers are put. Each place must be there as often as is
 * known; no field and no method is added, so that a class that is loaded can be changed, too.
 */
public final class Patch {
  private final ClassFile file;
  private final Constants constants;

  public Patch(byte[] file) throws UnknownShapeException {
    this.file = ClassFile.read(file);
    constants = this.file.constants();
  }

  /** The code of a method, which must be there. */
  public Code method(String name, String type) throws UnknownShapeException {
    for (Member method : file.methods()) {
      if (method.is(name, type) && method.hasCode()) {
        return method.code();
      }
    }
    throw new UnknownShapeException("no method " + name + type);
  }

  /** The code of each method of a name. */
  List<Code> methods(String name) throws UnknownShapeException {
    List<Code> all = new ArrayList<>();
    for (Member method : file.methods()) {
      if (method.isNamed(name) && method.hasCode()) {
        all.add(method.code());
      }
    }
    return all;
  }

  /** A field must be there. */
  void needsField(String name, String type) throws UnknownShapeException {
    if (!file.field(name).type().equals(type)) {
      throw new UnknownShapeException(name + " is of another type");
    }
  }

  /** The one place of an instruction, by its number. */
  public int place(Code code, int opcode, String what) throws UnknownShapeException {
    return one(code.places(opcode), what);
  }

  /** The one place of an instruction, by its text. */
  int place(Code code, String text) throws UnknownShapeException {
    return one(code.places(text), text);
  }

  private static int one(List<Integer> places, String what) throws UnknownShapeException {
    if (places.size() != 1) {
      throw new UnknownShapeException(what + " in " + places.size() + " places, not in 1");
    }
    return places.get(0);
  }

  /** The index of a helper's static method. */
  int helper(String owner, String name, String type) {
    return constants.addMethod(owner, name, type);
  }

  /** Instructions that read a field of {@code this}. */
  byte[] read(String owner, String field, String type) {
    int index = constants.addField(owner, field, type);
    return Insns.of(Opcode.ALOAD_0, Opcode.GETFIELD, index);
  }

  /** Instructions that call a helper. */
  public byte[] call(String owner, String name, String type) {
    int index = helper(owner, name, type);
    return Insns.of(Opcode.INVOKESTATIC, index);
  }

  /** Makes an object of another class, without arguments, in the place of the one of a class. */
  void replaceNew(Code code, String type, String helper) throws UnknownShapeException {
    int made = place(code, "new " + type);
    int initialized = place(code, "invokespecial " + type + ".<init>()V");
    code.replace(made, Opcode.NEW, constants.addClass(helper));
    code.replace(initialized, Opcode.INVOKESPECIAL, helper(helper, "<init>", "()V"));
  }

  /** Puts a call of a helper in the place of the one call of an interface's method. */
  void replaceInterfaceCall(Code code, String call, String owner, String name, String type)
      throws UnknownShapeException {
    int at = place(code, call);
    code.replace(at, Opcode.INVOKESTATIC, helper(owner, name, type));
    Arrays.fill(
        code.insns(), at + Insns.CALL_BYTES, at + Insns.INTERFACE_CALL_BYTES, (byte) Opcode.NOP);
  }

  public static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /** The class file as it is now. */
  public byte[] toBytes() {
    return file.toBytes();
  }
}
