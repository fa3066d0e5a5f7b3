package dev.offcut.agent.stream;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/** The code of an entry without arguments: the memo is cleared, and restored whatever happens. */
final class Entry {
  private static final int SAVED = 1;
  private static final int THROWN = 2;

  private Entry() {}

  /** Writes a method anew; the calls leave what it returns on the stack. */
  static void write(MethodNode entry, InsnList calls) {
    LabelNode start = new LabelNode();
    LabelNode end = new LabelNode();
    LabelNode handler = new LabelNode();
    InsnList code = new InsnList();
    code.add(new VarInsnNode(Opcodes.ALOAD, 0));
    code.add(StreamClass.helper("enter", "(L" + StreamClass.NAME + ";)" + StreamClass.memoType()));
    code.add(new VarInsnNode(Opcodes.ASTORE, SAVED));
    code.add(start);
    code.add(calls);
    code.add(end);
    restore(code);
    code.add(new InsnNode(entry.desc.endsWith("V") ? Opcodes.RETURN : Opcodes.ARETURN));
    code.add(handler);
    String memo = StreamClass.memoType();
    Object[] locals = {StreamClass.NAME, memo.substring(1, memo.length() - 1)};
    code.add(new FrameNode(Opcodes.F_FULL, 2, locals, 1, new Object[] {"java/lang/Throwable"}));
    code.add(new VarInsnNode(Opcodes.ASTORE, THROWN));
    restore(code);
    code.add(new VarInsnNode(Opcodes.ALOAD, THROWN));
    code.add(new InsnNode(Opcodes.ATHROW));
    entry.instructions = code;
    entry.tryCatchBlocks.clear();
    entry.tryCatchBlocks.add(new TryCatchBlockNode(start, end, handler, null));
    if (entry.localVariables != null) {
      entry.localVariables.clear();
    }
  }

  private static void restore(InsnList code) {
    code.add(new VarInsnNode(Opcodes.ALOAD, 0));
    code.add(new VarInsnNode(Opcodes.ALOAD, SAVED));
    code.add(
        new FieldInsnNode(
            Opcodes.PUTFIELD, StreamClass.NAME, StreamClass.MEMO, StreamClass.memoType()));
  }
}
