package dev.offcut.agent.stream;

import dev.offcut.agent.code.ClassFile;
import dev.offcut.agent.code.Code;
import dev.offcut.agent.code.UnknownShapeException;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The class {@code java.io.ObjectInputStream}. The rewritten one has a memo, which each entry
 * clears and restores, and copies of resolveClass and resolveProxyClass that take the loader from
 * the memo. The stream calls the copies in the place of the originals if nobody overrides those.
 * The originals stay, for subclasses that call them.
 */
final class StreamClass {
  static final String NAME = "java/io/ObjectInputStream";
  static final String MEMO = "offcutMemo";

  static final String PACKAGE = "java/io/Offcut";
  static final String ENTRIES = PACKAGE + "Entries";
  private static final String MEMO_TYPE = "L" + PACKAGE + "Memo;";
  private static final String OBJECT = "Ljava/lang/Object;";
  private static final String BY_TYPE = "(Ljava/lang/Class;)" + OBJECT;
  private static final String CLASS_TYPE = "(Ljava/io/ObjectStreamClass;)Ljava/lang/Class;";
  private static final String PROXY_TYPE = "([Ljava/lang/String;)Ljava/lang/Class;";
  private static final String LOADER = "()Ljava/lang/ClassLoader;";
  private static final String WALK = "invokestatic " + NAME + ".latestUserDefinedLoader" + LOADER;
  private static final String VM_WALK =
      "invokestatic jdk/internal/misc/VM.latestUserDefinedLoader" + LOADER;
  private static final String FOR_NAME_TYPE = "(Ljava/lang/String;ZLjava/lang/ClassLoader;";
  private static final String FOR_NAME =
      "invokestatic java/lang/Class.forName" + FOR_NAME_TYPE + ")Ljava/lang/Class;";

  private StreamClass() {}

  /** The class file of the rewritten class. */
  static byte[] rewrite(byte[] file) throws UnknownShapeException {
    ClassNode stream = ClassFile.read(file);
    MethodNode walk =
        method(stream, "latestUserDefinedLoader", LOADER, Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC);
    if (calls(stream, WALK) != 2 || calls(stream, VM_WALK) != 1 || calls(walk, VM_WALK) != 1) {
      throw new UnknownShapeException("it does not walk in the 2 places that are known");
    }
    MethodNode readObject =
        method(stream, "readObject", "()" + OBJECT, Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL);
    MethodNode byType =
        method(stream, "readObject", BY_TYPE, Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL);
    MethodNode readString =
        method(stream, "readString", "()Ljava/lang/String;", Opcodes.ACC_PRIVATE);
    MethodNode readUnshared = method(stream, "readUnshared", "()" + OBJECT, Opcodes.ACC_PUBLIC);
    MethodNode defaultReadObject = method(stream, "defaultReadObject", "()V", Opcodes.ACC_PUBLIC);
    MethodNode readFields =
        method(stream, "readFields", "()L" + NAME + "$GetField;", Opcodes.ACC_PUBLIC);
    EntryPoints.check(stream);

    redirect(stream, "readNonProxyDesc", "resolveClass", CLASS_TYPE);
    redirect(stream, "readProxyDesc", "resolveProxyClass", PROXY_TYPE);
    MethodNode resolve = copy(stream, "resolveClass", CLASS_TYPE);
    MethodNode resolveProxy = copy(stream, "resolveProxyClass", PROXY_TYPE);
    stream.methods.add(resolve);
    stream.methods.add(resolveProxy);

    enterInPlace(readObject);
    for (MethodNode entry : List.of(readString, readUnshared, defaultReadObject, readFields)) {
      enterAround(stream, entry);
    }
    byType.access &= ~Opcodes.ACC_PRIVATE;
    field(stream, "curContext", "Ljava/io/SerialCallbackContext;").access &= ~Opcodes.ACC_PRIVATE;
    stream.fields.add(
        new FieldNode(Opcodes.ACC_TRANSIENT | Opcodes.ACC_SYNTHETIC, MEMO, MEMO_TYPE, null, null));
    return ClassFile.write(stream);
  }

  /** The stream's own call goes to the helper. */
  private static void redirect(ClassNode stream, String caller, String name, String type)
      throws UnknownShapeException {
    String call = "invokevirtual " + NAME + "." + name + type;
    MethodNode method =
        method(stream, caller, "(Z)Ljava/io/ObjectStreamClass;", Opcodes.ACC_PRIVATE);
    if (calls(stream, call) != 1 || calls(method, call) != 1) {
      throw new UnknownShapeException(caller + " does not call " + name + " once");
    }
    replace(method, call, List.of(), helper(name, "(L" + NAME + ";" + type.substring(1)));
  }

  /** The method again, with the loader and the classes from the helper. */
  private static MethodNode copy(ClassNode stream, String name, String type)
      throws UnknownShapeException {
    MethodNode original = method(stream, name, type, Opcodes.ACC_PROTECTED);
    if (calls(original, WALK) != 1 || calls(original, FOR_NAME) != 1) {
      throw new UnknownShapeException(name + " does not walk once and ask the loader once");
    }
    String newName = "offcut" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
    MethodNode copy =
        new MethodNode(
            Opcodes.ACC_FINAL | Opcodes.ACC_SYNTHETIC,
            newName,
            type,
            null,
            original.exceptions.toArray(new String[0]));
    original.accept(copy);
    copy.visibleAnnotations = null;
    copy.invisibleAnnotations = null;
    VarInsnNode self = new VarInsnNode(Opcodes.ALOAD, 0);
    replace(copy, WALK, List.of(self), helper("loader", "(L" + NAME + ";)Ljava/lang/ClassLoader;"));
    replace(
        copy,
        FOR_NAME,
        List.of(new VarInsnNode(Opcodes.ALOAD, 0)),
        helper("forName", FOR_NAME_TYPE + "L" + NAME + ";)Ljava/lang/Class;"));
    return copy;
  }

  /** The body is one call, which becomes the body of the entry: no frame more than before. */
  private static void enterInPlace(MethodNode entry) throws UnknownShapeException {
    List<AbstractInsnNode> body = new ArrayList<>();
    for (AbstractInsnNode insn : entry.instructions) {
      if (insn.getOpcode() >= 0) {
        body.add(insn);
      }
    }
    String call = NAME + ".readObject" + BY_TYPE;
    if (body.size() != 4
        || !Code.text(body.get(0)).equals("aload 0")
        || body.get(1).getOpcode() != Opcodes.LDC
        || !Code.text(body.get(2)).endsWith(" " + call)
        || !Code.text(body.get(3)).equals("areturn")) {
      throw new UnknownShapeException("readObject is not one call");
    }
    InsnList calls = new InsnList();
    for (AbstractInsnNode insn : body.subList(0, 3)) {
      entry.instructions.remove(insn);
      calls.add(insn);
    }
    Entry.write(entry, calls);
  }

  /** The body goes into a method of its own, which the entry calls. */
  private static void enterAround(ClassNode stream, MethodNode body) {
    MethodNode entry =
        new MethodNode(
            body.access,
            body.name,
            body.desc,
            body.signature,
            body.exceptions.toArray(new String[0]));
    entry.visibleAnnotations = body.visibleAnnotations;
    body.visibleAnnotations = null;
    body.signature = null;
    body.access = Opcodes.ACC_PRIVATE | Opcodes.ACC_SYNTHETIC;
    body.name = "offcut" + Character.toUpperCase(body.name.charAt(0)) + body.name.substring(1);
    InsnList calls = new InsnList();
    calls.add(new VarInsnNode(Opcodes.ALOAD, 0));
    calls.add(new MethodInsnNode(Opcodes.INVOKESPECIAL, NAME, body.name, body.desc));
    Entry.write(entry, calls);
    stream.methods.add(entry);
  }

  static MethodInsnNode helper(String name, String type) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, ENTRIES, name, type);
  }

  static String memoType() {
    return MEMO_TYPE;
  }

  private static void replace(
      MethodNode method,
      String text,
      List<? extends AbstractInsnNode> before,
      AbstractInsnNode by) {
    for (AbstractInsnNode insn : method.instructions.toArray()) {
      if (reads(insn, text)) {
        for (AbstractInsnNode one : before) {
          method.instructions.insertBefore(insn, one);
        }
        method.instructions.set(insn, by);
      }
    }
  }

  private static int calls(ClassNode type, String text) {
    int calls = 0;
    for (MethodNode method : type.methods) {
      calls += calls(method, text);
    }
    return calls;
  }

  /**
   * Whether it is that call. Texts are made of the likely ones only: this runs before the program.
   */
  private static boolean reads(AbstractInsnNode insn, String text) {
    return insn instanceof MethodInsnNode call
        && text.endsWith(call.desc)
        && text.contains(call.name)
        && Code.text(insn).equals(text);
  }

  private static int calls(MethodNode method, String text) {
    int calls = 0;
    for (AbstractInsnNode insn : method.instructions) {
      if (reads(insn, text)) {
        calls++;
      }
    }
    return calls;
  }

  private static MethodNode method(ClassNode stream, String name, String type, int access)
      throws UnknownShapeException {
    for (MethodNode method : stream.methods) {
      if (method.name.equals(name) && method.desc.equals(type) && method.access == access) {
        return method;
      }
    }
    throw new UnknownShapeException("no method " + name + Type.getMethodType(type) + " as known");
  }

  static FieldNode field(ClassNode type, String name, String desc) throws UnknownShapeException {
    for (FieldNode field : type.fields) {
      if (field.name.equals(name) && field.desc.equals(desc)) {
        return field;
      }
    }
    throw new UnknownShapeException("no field " + name + " as known");
  }
}
