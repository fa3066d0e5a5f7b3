package dev.offcut.agent.rules;

import dev.offcut.agent.hooks.code.ClassFile;
import dev.offcut.agent.hooks.code.Code;
import dev.offcut.agent.hooks.code.Constants;
import dev.offcut.agent.hooks.code.Insns;
import dev.offcut.agent.hooks.code.Member;
import dev.offcut.agent.hooks.code.Opcode;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The class file of an owner, or of a class above one, with calls of the helper: where a
 * constructor returns, where a guard is written, and where a method begins that ends. Code before
 * Java 6 has no frames, and needs none.
 *
 * <p>What jumps behind an instruction must not meet what was put there. So the instruction is
 * copied into what is put before it, and its own place is emptied.
 */
final class OwnerCode {
  private static final String HELPER = "java/util/concurrent/OffcutGuards";
  private static final String OF_OBJECT = "(Ljava/lang/Object;)V";
  private static final String ATOMICS = "java/util/concurrent/atomic/Atomic";
  private static final Set<String> READS =
      Set.of("get", "getAcquire", "getPlain", "getOpaque", "intValue", "longValue", "<init>");

  private final ClassFile file;
  private final Constants constants;
  private final Part part;

  /**
   * What is inserted into a class.
   *
   * @param owns whether it is an owner itself, so that its constructors open
   * @param guards fields whose writing is looked at: {@code name type}
   * @param enders methods that end at their begin: {@code name(type)}
   */
  record Part(boolean owns, Set<String> guards, Set<String> enders) {
    /** Both together. */
    Part and(Part other) {
      Set<String> allGuards = new HashSet<>(guards);
      allGuards.addAll(other.guards);
      Set<String> allEnders = new HashSet<>(enders);
      allEnders.addAll(other.enders);
      return new Part(owns || other.owns, allGuards, allEnders);
    }
  }

  OwnerCode(byte[] bytes, Part part) throws UnknownShapeException {
    file = ClassFile.readAny(bytes);
    constants = file.constants();
    this.part = part;
  }

  byte[] rewrite() throws UnknownShapeException {
    for (Member method : file.methods()) {
      if (!method.hasCode()) {
        continue;
      }
      if (!method.isNamed("<init>")) {
        writes(method);
        if (part.enders.contains(method.name() + method.type())) {
          ends(method);
        }
      } else if (part.owns) {
        opens(method);
      }
    }
    return file.toBytes();
  }

  private int helper(String name, String type) {
    return constants.addMethod(HELPER, name, type);
  }

  private void opens(Member method) throws UnknownShapeException {
    Code code = method.code();
    checkThis(method, code);
    code.dropTypeAnnotations();
    int call = code.initialization();
    byte[] insns;
    if (code.calledClass(call).equals(file.name())) {
      // The other constructor has reported; this one may have changed more.
      insns = Insns.of(Opcode.ALOAD_0, Opcode.INVOKESTATIC, helper("changed", OF_OBJECT));
    } else {
      int owned = helper("owned", "(Ljava/lang/Object;Ljava/lang/Class;)V");
      insns =
          Insns.of(
              Opcode.ALOAD_0,
              Opcode.LDC_W,
              file.thisClass(),
              Opcode.INVOKESTATIC,
              owned,
              Opcode.NOP);
    }
    List<Integer> places = code.places(Opcode.RETURN);
    for (int i = places.size() - 1; i >= 0; i--) {
      code.insert(places.get(i), insns, i == 0 ? 2 : 0);
    }
  }

  private void ends(Member method) throws UnknownShapeException {
    Code code = method.code();
    checkThis(method, code);
    code.dropTypeAnnotations();
    code.insert(0, Insns.of(Opcode.ALOAD_0, Opcode.INVOKESTATIC, helper("ending", OF_OBJECT)), 1);
  }

  private static void checkThis(Member method, Code code) throws UnknownShapeException {
    if (code.stores(0)) {
      throw new UnknownShapeException(method.name() + " writes to variable 0");
    }
  }

  /** Looks behind each instruction that writes a guard, or an object that may be one. */
  private void writes(Member method) throws UnknownShapeException {
    Code code = method.copyOfCode();
    boolean hasThis = !Modifier.isStatic(method.access) && !code.stores(0);
    boolean isChanged = write(code, Opcode.PUTFIELD, 2);
    if (hasThis) {
      isChanged |= write(code, Opcode.INVOKEVIRTUAL, 1);
      isChanged |= hasArray() && write(code, Opcode.LASTORE, 1);
    }
    if (isChanged) {
      code.dropTypeAnnotations();
      method.setCode(code);
    }
  }

  private boolean hasArray() {
    for (String guard : part.guards) {
      if (guard.endsWith(" [J")) {
        return true;
      }
    }
    return false;
  }

  private boolean write(Code code, int opcode, int words) throws UnknownShapeException {
    List<Integer> places = code.places(opcode);
    boolean isChanged = false;
    for (int i = places.size() - 1; i >= 0; i--) {
      int at = places.get(i);
      String member = opcode == Opcode.LASTORE ? "" : code.member(at);
      if (opcode == Opcode.LASTORE
          || (opcode == Opcode.PUTFIELD ? isGuard(member) : sets(member))) {
        if (!isChanged) {
          code.dropTypeAnnotations();
        }
        look(code, at, opcode, member, isChanged ? 0 : words);
        isChanged = true;
      }
    }
    return isChanged;
  }

  private boolean isGuard(String member) {
    return part.guards.contains(member.substring(member.indexOf('.') + 1));
  }

  /** Whether a call changes what an atomic holds, while a guard is one. */
  private boolean sets(String member) {
    if (!member.startsWith(ATOMICS)) {
      return false;
    }
    int dot = member.indexOf('.');
    String name = member.substring(dot + 1, member.indexOf('('));
    boolean isGuard = false;
    for (String guard : part.guards) {
      isGuard |= guard.endsWith(" L" + member.substring(0, dot) + ";");
    }
    return isGuard && !READS.contains(name);
  }

  private void look(Code code, int at, int opcode, String member, int words)
      throws UnknownShapeException {
    int length = opcode == Opcode.LASTORE ? 1 : Insns.CALL_BYTES;
    byte[] own = Arrays.copyOfRange(code.insns(), at, at + length);
    byte[] before = {};
    byte[] after = Insns.of(Opcode.INVOKESTATIC, helper("changed", OF_OBJECT));
    if (opcode == Opcode.PUTFIELD) {
      before = member.endsWith(" J") || member.endsWith(" D") ? BELOW_TWO_WORDS : BELOW_ONE;
    } else {
      after = Insns.of(Opcode.ALOAD_0, Opcode.INVOKESTATIC, helper("changed", OF_OBJECT));
    }
    int size = before.length + length + after.length;
    byte[] all = Arrays.copyOf(before, (size + 3) / 4 * 4); // the rest is nop
    System.arraycopy(own, 0, all, before.length, length);
    System.arraycopy(after, 0, all, before.length + length, after.length);
    code.insert(at, all, words);
    Arrays.fill(code.insns(), at + all.length, at + all.length + length, (byte) Opcode.NOP);
  }

  /** The object and a value on the stack: puts the object below both once more. */
  private static final byte[] BELOW_ONE = {Opcode.SWAP, Opcode.DUP_X1, Opcode.SWAP};

  private static final byte[] BELOW_TWO_WORDS = {
    Opcode.DUP2_X1, Opcode.POP2, Opcode.DUP_X2, Opcode.DUP_X2, Opcode.POP
  };
}
