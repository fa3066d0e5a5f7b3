package dev.offcut.agent.hooks.code;

import java.util.Random;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A class with one method, made at random: {@code static int run(int)}. It has what class files
 * have that is hard to move: loops, handlers in each other, wide variables, calls of each kind,
 * frames in which an object is not initialized yet, and in some methods switches.
 */
public final class GeneratedCode {
  static final String NAME = "dev/offcut/agent/hooks/code/Generated";
  static final String METHOD = "run";
  static final String TYPE = "(I)I";

  /** Whose method without effect is called by what is put into the code. */
  static final String HELPER = "dev/offcut/agent/hooks/code/GeneratedCode";

  static final String TICK = "tick";

  private static final int SUM = 1;

  /** Beyond what an instruction of two bytes can name, now and then. */
  private static final int FAR = 256;

  private static final Handle CONCATENATION =
      new Handle(
          Opcodes.H_INVOKESTATIC,
          "java/lang/invoke/StringConcatFactory",
          "makeConcatWithConstants",
          "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
              + "Ljava/lang/invoke/MethodType;Ljava/lang/String;[Ljava/lang/Object;)"
              + "Ljava/lang/invoke/CallSite;",
          false);

  private final Random random;
  private final MethodVisitor code;
  private final boolean switches;
  private int line = 1;
  private int next = SUM + 1;

  private GeneratedCode(Random random, MethodVisitor code, boolean switches) {
    this.random = random;
    this.code = code;
    this.switches = switches;
  }

  /** Does nothing. */
  public static void tick() {}

  /** The class file. */
  static byte[] make(Random random, boolean switches) {
    ClassWriter type = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
    type.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, NAME, null, "java/lang/Object", null);
    MethodVisitor code =
        type.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, METHOD, TYPE, null, null);
    code.visitCode();
    new GeneratedCode(random, code, switches).run();
    code.visitMaxs(0, 0);
    code.visitEnd();
    type.visitEnd();
    return type.toByteArray();
  }

  private void run() {
    code.visitInsn(Opcodes.ICONST_0);
    code.visitVarInsn(Opcodes.ISTORE, SUM);
    Label start = here();
    statements(2);
    if (switches) {
      chooses(1);
    }
    Label end = here();
    code.visitVarInsn(Opcodes.ILOAD, SUM);
    code.visitInsn(Opcodes.IRETURN);
    code.visitLocalVariable("sum", "I", null, start, end, SUM);
  }

  private Label here() {
    Label label = new Label();
    code.visitLabel(label);
    return label;
  }

  private void statements(int depth) {
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      code.visitLineNumber(line++, here());
      statement(depth);
    }
  }

  private void statement(int depth) {
    switch (random.nextInt(depth > 0 ? 9 : 5)) {
      case 0 -> counts();
      case 1 -> concatenates();
      case 2 -> builds();
      case 3 -> asksAList();
      case 4 -> fillsAnArray();
      case 5 -> branches(depth - 1);
      case 6 -> repeats(depth - 1);
      case 7 -> catches(depth - 1);
      default -> chooses(depth - 1);
    }
  }

  private int variable() {
    int variable = next;
    next += random.nextInt(16) == 0 ? FAR : 1;
    return variable;
  }

  private void addToSum() {
    code.visitVarInsn(Opcodes.ILOAD, SUM);
    code.visitInsn(Opcodes.IADD);
    code.visitVarInsn(Opcodes.ISTORE, SUM);
  }

  private void counts() {
    int variable = variable();
    code.visitLdcInsn(random.nextLong());
    code.visitInsn(Opcodes.L2I);
    code.visitVarInsn(Opcodes.ISTORE, variable);
    code.visitIincInsn(variable, random.nextInt(2000) - 1000);
    code.visitVarInsn(Opcodes.ILOAD, variable);
    addToSum();
  }

  private void concatenates() {
    code.visitVarInsn(Opcodes.ILOAD, SUM);
    code.visitInvokeDynamicInsn(
        "makeConcatWithConstants", "(I)Ljava/lang/String;", CONCATENATION, "sum \1");
    length("java/lang/String");
  }

  private void length(String type) {
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, type, "length", "()I", false);
    addToSum();
  }

  /** Between the object and its constructor is a branch, or are two. */
  private void builds() {
    code.visitTypeInsn(Opcodes.NEW, "java/lang/StringBuilder");
    code.visitInsn(Opcodes.DUP);
    boolean twice = random.nextBoolean();
    if (twice) {
      code.visitTypeInsn(Opcodes.NEW, "java/lang/String");
      code.visitInsn(Opcodes.DUP);
    }
    Label other = new Label();
    Label end = new Label();
    code.visitVarInsn(Opcodes.ILOAD, 0);
    code.visitJumpInsn(Opcodes.IFLT, other);
    code.visitLdcInsn("not less");
    code.visitJumpInsn(Opcodes.GOTO, end);
    code.visitLabel(other);
    code.visitLdcInsn("less");
    code.visitLabel(end);
    String ofText = "(Ljava/lang/String;)V";
    if (twice) {
      code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/String", "<init>", ofText, false);
    }
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/StringBuilder", "<init>", ofText, false);
    length("java/lang/StringBuilder");
  }

  private void asksAList() {
    code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/util/List", "of", "()Ljava/util/List;", true);
    code.visitMethodInsn(Opcodes.INVOKEINTERFACE, "java/util/List", "size", "()I", true);
    addToSum();
  }

  private void fillsAnArray() {
    int variable = variable();
    code.visitInsn(Opcodes.ICONST_2);
    code.visitInsn(Opcodes.ICONST_3);
    code.visitMultiANewArrayInsn("[[I", 2);
    code.visitVarInsn(Opcodes.ASTORE, variable);
    code.visitVarInsn(Opcodes.ALOAD, variable);
    code.visitTypeInsn(Opcodes.INSTANCEOF, "[I");
    addToSum();
  }

  private void branches(int depth) {
    Label other = new Label();
    Label end = new Label();
    code.visitVarInsn(Opcodes.ILOAD, 0);
    code.visitIntInsn(Opcodes.SIPUSH, random.nextInt(400) - 200);
    code.visitJumpInsn(Opcodes.IF_ICMPGE, other);
    statements(depth);
    code.visitJumpInsn(Opcodes.GOTO, end);
    code.visitLabel(other);
    statements(depth);
    code.visitLabel(end);
  }

  private void repeats(int depth) {
    int variable = variable();
    code.visitInsn(Opcodes.ICONST_3);
    code.visitVarInsn(Opcodes.ISTORE, variable);
    Label start = here();
    statements(depth);
    code.visitIincInsn(variable, -1);
    code.visitVarInsn(Opcodes.ILOAD, variable);
    code.visitJumpInsn(Opcodes.IFGT, start);
    code.visitLocalVariable("left", "I", null, start, here(), variable);
  }

  private void catches(int depth) {
    int variable = variable();
    Label handler = new Label();
    Label end = new Label();
    Label from = here();
    statements(depth);
    code.visitIntInsn(Opcodes.BIPUSH, 100);
    code.visitVarInsn(Opcodes.ILOAD, 0);
    code.visitInsn(Opcodes.IDIV);
    addToSum();
    Label to = here();
    code.visitJumpInsn(Opcodes.GOTO, end);
    code.visitLabel(handler);
    code.visitVarInsn(Opcodes.ASTORE, variable);
    statements(depth);
    code.visitLabel(end);
    boolean any = random.nextBoolean();
    code.visitTryCatchBlock(from, to, handler, any ? null : "java/lang/ArithmeticException");
  }

  private void chooses(int depth) {
    if (!switches) {
      counts();
      return;
    }
    Label[] cases = {new Label(), new Label(), new Label()};
    Label end = new Label();
    code.visitVarInsn(Opcodes.ILOAD, 0);
    if (random.nextBoolean()) {
      code.visitTableSwitchInsn(-1, 1, end, cases);
    } else {
      code.visitLookupSwitchInsn(end, new int[] {-77, 0, 4000}, cases);
    }
    for (Label one : cases) {
      code.visitLabel(one);
      statements(Math.max(0, depth - 1));
    }
    code.visitLabel(end);
  }
}
