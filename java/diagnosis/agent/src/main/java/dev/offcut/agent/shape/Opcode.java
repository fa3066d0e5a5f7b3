package dev.offcut.agent.shape;

/** The instructions that data flow tells apart: JVM specification, 6.5. */
final class Opcode {
  static final int ACONST_NULL = 1;
  static final int ICONST_M1 = 2;
  static final int ICONST_0 = 3;
  static final int ICONST_1 = 4;
  static final int LCONST_0 = 9;
  static final int LCONST_1 = 10;
  static final int DCONST_0 = 14;
  static final int DCONST_1 = 15;
  static final int LDC2_W = 20;
  static final int ILOAD = 21;
  static final int ALOAD = 25;
  static final int ILOAD_0 = 26;
  static final int IALOAD = 46;
  static final int SALOAD = 53;
  static final int ISTORE = 54;
  static final int ASTORE = 58;
  static final int ISTORE_0 = 59;
  static final int IASTORE = 79;
  static final int LASTORE = 80;
  static final int SASTORE = 86;
  static final int POP = 87;
  static final int POP2 = 88;
  static final int DUP = 89;
  static final int DUP_X1 = 90;
  static final int DUP_X2 = 91;
  static final int DUP2 = 92;
  static final int DUP2_X1 = 93;
  static final int DUP2_X2 = 94;
  static final int SWAP = 95;
  static final int IADD = 96;
  static final int INEG = 116;
  static final int DNEG = 119;
  static final int ISHL = 120;
  static final int LUSHR = 125;
  static final int LXOR = 131;
  static final int IINC = 132;
  static final int I2L = 133;
  static final int I2S = 147;
  static final int LCMP = 148;
  static final int DCMPL = 151;
  static final int DCMPG = 152;
  static final int IFEQ = 153;
  static final int IFNE = 154;
  static final int IFLT = 155;
  static final int IFGE = 156;
  static final int IFGT = 157;
  static final int IFLE = 158;
  static final int IF_ICMPEQ = 159;
  static final int IF_ICMPNE = 160;
  static final int IF_ACMPEQ = 165;
  static final int IF_ACMPNE = 166;
  static final int GOTO = 167;
  static final int TABLESWITCH = 170;
  static final int LOOKUPSWITCH = 171;
  static final int IRETURN = 172;
  static final int RETURN = 177;
  static final int GETSTATIC = 178;
  static final int PUTSTATIC = 179;
  static final int GETFIELD = 180;
  static final int PUTFIELD = 181;
  static final int INVOKEVIRTUAL = 182;
  static final int INVOKESPECIAL = 183;
  static final int INVOKESTATIC = 184;
  static final int INVOKEINTERFACE = 185;
  static final int INVOKEDYNAMIC = 186;
  static final int NEWARRAY = 188;
  static final int NEW = 187;
  static final int ANEWARRAY = 189;
  static final int ARRAYLENGTH = 190;
  static final int ATHROW = 191;
  static final int CHECKCAST = 192;
  static final int INSTANCEOF = 193;
  static final int MONITOREXIT = 195;
  static final int WIDE = 196;
  static final int MULTIANEWARRAY = 197;
  static final int IFNULL = 198;
  static final int IFNONNULL = 199;
  static final int GOTO_W = 200;

  private Opcode() {}

  /** Whether an instruction goes on at one of two places. */
  static boolean isTest(int opcode) {
    return (opcode >= IFEQ && opcode <= IF_ACMPNE) || opcode == IFNULL || opcode == IFNONNULL;
  }

  /** Whether nothing follows on an instruction. */
  static boolean ends(int opcode) {
    return (opcode >= IRETURN && opcode <= RETURN) || opcode == ATHROW;
  }
}
