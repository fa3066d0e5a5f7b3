package dev.offcut.agent.code;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Bytecode as text, one instruction a line, to compare and to show. */
public final class Code {
  /** The text of a place where another instruction may jump to: no run of code goes over it. */
  private static final String TARGET = "target";

  private Code() {}

  /** All runs of instructions in a class that read like that. */
  public static List<Run> runs(ClassNode type, List<String> texts) {
    List<Run> runs = new ArrayList<>();
    for (MethodNode method : type.methods) {
      for (AbstractInsnNode insn : method.instructions) {
        List<AbstractInsnNode> run = run(insn, texts);
        if (!run.isEmpty()) {
          runs.add(new Run(method.instructions, run));
        }
      }
    }
    return runs;
  }

  /** How many instructions of a class read like one of these. */
  public static int count(ClassNode type, String... texts) {
    int count = 0;
    for (String text : texts) {
      count += runs(type, List.of(text)).size();
    }
    return count;
  }

  /**
   * Some instructions of a method, one after the other. Nothing jumps between them, so that they
   * can be replaced by others that leave the stack and the variables the same; no frame of the
   * verifier changes.
   */
  public record Run(InsnList method, List<AbstractInsnNode> insns) {
    /** Takes the instruction at an index of the run out. */
    public void remove(int index) {
      method.remove(insns.get(index));
    }

    /** Puts another instruction in the place of the one at an index of the run. */
    public void replace(int index, AbstractInsnNode other) {
      method.set(insns.get(index), other);
    }
  }

  /** The instructions from this one on if they read like that; else none. */
  private static List<AbstractInsnNode> run(AbstractInsnNode first, List<String> texts) {
    List<AbstractInsnNode> run = new ArrayList<>();
    @Nullable AbstractInsnNode next = first;
    for (String text : texts) {
      if (next == null || !text(next).equals(text)) {
        return List.of();
      }
      run.add(next);
      next = after(next);
    }
    return run;
  }

  /** The next instruction or target; null at the end of the method. */
  private static @Nullable AbstractInsnNode after(AbstractInsnNode insn) {
    @Nullable AbstractInsnNode next = insn.getNext();
    while (next != null && next.getOpcode() < 0 && !(next instanceof FrameNode)) {
      next = next.getNext();
    }
    return next;
  }

  /** One instruction. */
  public static String text(AbstractInsnNode insn) {
    if (insn instanceof FrameNode) {
      return TARGET;
    }
    String name = name(insn.getOpcode());
    if (insn instanceof VarInsnNode local) {
      return name + " " + local.var;
    }
    if (insn instanceof TypeInsnNode type) {
      return name + " " + type.desc;
    }
    if (insn instanceof FieldInsnNode field) {
      return name + " " + field.owner + "." + field.name + " " + field.desc;
    }
    if (insn instanceof MethodInsnNode method) {
      return name + " " + method.owner + "." + method.name + method.desc;
    }
    return name;
  }

  private static String name(int opcode) {
    return switch (opcode) {
      case Opcodes.ALOAD -> "aload";
      case Opcodes.ARETURN -> "areturn";
      case Opcodes.DUP -> "dup";
      case Opcodes.GETFIELD -> "getfield";
      case Opcodes.GETSTATIC -> "getstatic";
      case Opcodes.INVOKEINTERFACE -> "invokeinterface";
      case Opcodes.INVOKESPECIAL -> "invokespecial";
      case Opcodes.INVOKESTATIC -> "invokestatic";
      case Opcodes.INVOKEVIRTUAL -> "invokevirtual";
      case Opcodes.NEW -> "new";
      case Opcodes.POP -> "pop";
      case Opcodes.PUTSTATIC -> "putstatic";
      default -> "opcode " + opcode;
    };
  }
}
