package dev.offcut.agent.hooks.code;

import static dev.offcut.agent.hooks.code.Opcode.*;

import java.util.Arrays;

/** How long instructions are, how they read as texts, and how they are written. */
public final class Insns {
  /** The length of a call, except {@code invokeinterface}. */
  public static final int CALL_BYTES = 3;

  public static final int INTERFACE_CALL_BYTES = 5;

  /** By the number of the instruction; 0 if it depends, or there is none. */
  private static final byte[] LENGTHS = new byte[256];

  static {
    Arrays.fill(LENGTHS, 0, 0xca, (byte) 1);
    set(2, 0x10, 0x10); // bipush
    set(3, 0x11, 0x11); // sipush
    set(2, LDC, LDC);
    set(3, LDC_W, 0x14); // ldc2_w
    set(2, 0x15, 0x19); // loads
    set(2, 0x36, 0x3a); // stores
    set(3, IINC, IINC);
    set(3, 0x99, 0xa8); // jumps
    set(2, 0xa9, 0xa9); // ret
    set(0, TABLESWITCH, LOOKUPSWITCH);
    set(3, GETSTATIC, INVOKESTATIC); // fields and calls
    set(5, INVOKEINTERFACE, 0xba); // invokeinterface, invokedynamic
    set(3, NEW, NEW);
    set(2, 0xbc, 0xbc); // newarray
    set(3, 0xbd, 0xbd); // anewarray
    set(3, 0xc0, 0xc1); // checkcast, instanceof
    set(0, WIDE, WIDE);
    set(4, 0xc5, 0xc5); // multianewarray
    set(3, 0xc6, 0xc7); // ifnull, ifnonnull
    set(5, GOTO_W, JSR_W);
  }

  private Insns() {}

  private static void set(int length, int first, int last) {
    Arrays.fill(LENGTHS, first, last + 1, (byte) length);
  }

  /** Some instructions; behind one that names a constant stands its index, as one number. */
  public static byte[] of(int... all) {
    byte[] bytes = new byte[2 * all.length];
    int count = 0;
    for (int i = 0; i < all.length; i++) {
      bytes[count++] = (byte) all[i];
      if (all[i] == LDC_W || (all[i] >= GETSTATIC && all[i] <= INVOKESTATIC)) {
        i++;
        BigEndian.put2(bytes, count, all[i]);
        count += 2;
      }
    }
    return Arrays.copyOf(bytes, count);
  }

  /** The length of the instruction at a place; instructions begin at the start. */
  public static int length(byte[] insns, int start, int at) throws UnknownShapeException {
    int opcode = insns[at] & 0xff;
    int length = LENGTHS[opcode];
    return length != 0 ? length : lengthOfOther(insns, opcode, start, at);
  }

  private static int lengthOfOther(byte[] insns, int opcode, int start, int at)
      throws UnknownShapeException {
    int aligned = 4 - (at - start) % 4;
    return switch (opcode) {
      case WIDE -> (insns[at + 1] & 0xff) == IINC ? 6 : 4;
      case LOOKUPSWITCH -> positive(aligned + 8 + 8 * (long) BigEndian.s4(insns, at + aligned + 4));
      case TABLESWITCH -> {
        long low = BigEndian.s4(insns, at + aligned + 4);
        long high = BigEndian.s4(insns, at + aligned + 8);
        yield positive(aligned + 12 + 4 * (high - low + 1));
      }
      default -> throw new UnknownShapeException("not readable: an instruction " + opcode);
    };
  }

  /** Whether the instruction at a place writes to a variable. */
  static boolean stores(byte[] insns, int at, int variable) {
    int opcode = insns[at] & 0xff;
    boolean wide = opcode == WIDE;
    if (wide) {
      opcode = insns[at + 1] & 0xff;
    }
    if ((opcode >= ISTORE && opcode <= ASTORE) || opcode == IINC) {
      int written = wide ? BigEndian.u2(insns, at + 2) : insns[at + 1] & 0xff;
      boolean twoWords = opcode == ISTORE + 1 || opcode == ISTORE + 3;
      return written == variable || (twoWords && written + 1 == variable);
    }
    if (opcode < ISTORE_0 || opcode > ASTORE_3) {
      return false;
    }
    int kind = (opcode - ISTORE_0) / 4;
    int written = (opcode - ISTORE_0) % 4;
    return written == variable || ((kind == 1 || kind == 3) && written + 1 == variable);
  }

  private static int positive(long length) throws UnknownShapeException {
    if (length <= 0 || length > 0xffff) {
      throw new UnknownShapeException("not readable: a switch of " + length + " bytes");
    }
    return (int) length;
  }

  /** The instruction at a place, as text: the likely ones with what they are about. */
  static String text(byte[] insns, int at, Constants constants) {
    int opcode = insns[at] & 0xff;
    String name = name(opcode);
    return switch (opcode) {
      case ALOAD_0, ALOAD_1, ALOAD_2, ALOAD_3 -> name + (opcode - ALOAD_0);
      case LDC -> name + ofClass(constants, insns[at + 1] & 0xff);
      case LDC_W -> name + ofClass(constants, BigEndian.u2(insns, at + 1));
      case POP, DUP, ARETURN -> name;
      case GETSTATIC,
          PUTSTATIC,
          GETFIELD,
          PUTFIELD,
          INVOKEVIRTUAL,
          INVOKESPECIAL,
          INVOKESTATIC,
          INVOKEINTERFACE ->
          name + constants.member(BigEndian.u2(insns, at + 1));
      case NEW -> name + constants.className(BigEndian.u2(insns, at + 1));
      default -> name + opcode;
    };
  }

  /** Whether the instruction at a place has this text: most are told apart without making it. */
  static boolean reads(byte[] insns, int at, Constants constants, String text) {
    return text.startsWith(name(insns[at] & 0xff)) && text(insns, at, constants).equals(text);
  }

  /** What the text of an instruction begins with. */
  private static String name(int opcode) {
    return switch (opcode) {
      case ALOAD_0, ALOAD_1, ALOAD_2, ALOAD_3 -> "aload ";
      case LDC, LDC_W -> "ldc";
      case POP -> "pop";
      case DUP -> "dup";
      case ARETURN -> "areturn";
      case GETSTATIC -> "getstatic ";
      case PUTSTATIC -> "putstatic ";
      case GETFIELD -> "getfield ";
      case PUTFIELD -> "putfield ";
      case INVOKEVIRTUAL -> "invokevirtual ";
      case INVOKESPECIAL -> "invokespecial ";
      case INVOKESTATIC -> "invokestatic ";
      case INVOKEINTERFACE -> "invokeinterface ";
      case NEW -> "new ";
      default -> "opcode ";
    };
  }

  /**
   * The only instruction whose text may be this one; -1: there may be several. To look at the
   * number first saves most texts.
   */
  static int opcode(String text) {
    for (int opcode = GETSTATIC; opcode <= NEW; opcode++) {
      String name = name(opcode);
      int last = name.length() - 1;
      if (last > 7 && last < text.length() && text.charAt(last) == ' ' && text.startsWith(name)) {
        return opcode;
      }
    }
    return text.startsWith("new ") ? NEW : -1;
  }

  private static String ofClass(Constants constants, int index) {
    return constants.isClass(index) ? " " + constants.className(index) : "";
  }

  /** Whether an instruction jumps by the two bytes behind it. */
  static boolean isJump(int opcode) {
    return (opcode >= IFEQ && opcode <= 0xa8) || opcode == 0xc6 || opcode == 0xc7;
  }

  /** Whether an instruction says in another way where to go on. */
  static boolean isFarJump(int opcode) {
    return opcode == TABLESWITCH || opcode == LOOKUPSWITCH || opcode == GOTO_W || opcode == JSR_W;
  }
}
