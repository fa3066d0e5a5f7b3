package dev.offcut.agent.hooks.code;

import java.util.Arrays;

/**
 * Bytes put into the code of a method, before the instruction at a place. What jumps to that place
 * jumps to the first of them.
 */
final class Shift {
  private final int at;
  private final int length;

  Shift(int at, int length) {
    this.at = at;
    this.length = length;
  }

  /** Where what jumps to a place, or begins or ends there, does so afterwards. */
  int of(int place) {
    return place > at ? place + length : place;
  }

  /** Where the instruction at a place is afterwards. */
  int ofInsn(int place) {
    return place >= at ? place + length : place;
  }

  /** The instructions, with room for the bytes. */
  byte[] insns(byte[] old) throws UnknownShapeException {
    byte[] moved = Arrays.copyOf(old, old.length + length);
    System.arraycopy(old, at, moved, at + length, old.length - at);
    for (int place = 0; place < old.length; place += Insns.length(old, 0, place)) {
      int opcode = old[place] & 0xff;
      if (opcode < Opcode.IFEQ) {
        continue;
      }
      if (Insns.isFarJump(opcode)) {
        jumpFar(old, moved, place, opcode);
      }
      if (Insns.isJump(opcode)) {
        int source = ofInsn(place);
        int distance = of(place + BigEndian.s2(old, place + 1)) - source;
        if (distance != (short) distance) {
          throw new UnknownShapeException("a method jumps too far");
        }
        BigEndian.put2(moved, source + 1, distance);
      }
    }
    return moved;
  }

  /** A switch is padded to a multiple of four: it moves by such multiples only. */
  private void jumpFar(byte[] old, byte[] moved, int place, int opcode)
      throws UnknownShapeException {
    if (opcode != Opcode.TABLESWITCH && opcode != Opcode.LOOKUPSWITCH) {
      moveJump(old, moved, place, place + 1);
      return;
    }
    if (length % 4 != 0) {
      throw new UnknownShapeException("a method jumps far, or by a switch");
    }
    int aligned = place + 4 - place % 4;
    int end = place + Insns.length(old, 0, place);
    moveJump(old, moved, place, aligned);
    // Behind the default: limits of a table, and jumps; or a count, and values with their jumps.
    int step = opcode == Opcode.TABLESWITCH ? 4 : 8;
    for (int at = aligned + 12; at < end; at += step) {
      moveJump(old, moved, place, at);
    }
  }

  /** The jump of the instruction at a place, whose distance stands in four bytes. */
  private void moveJump(byte[] old, byte[] moved, int place, int at) {
    int distance = of(place + BigEndian.s4(old, at)) - ofInsn(place);
    BigEndian.put4(moved, ofInsn(at), distance);
  }

  /** The handlers: from, to, where it is handled, what. */
  byte[] handlers(byte[] old) {
    byte[] moved = old.clone();
    for (int entry = 0; entry < old.length; entry += 8) {
      for (int place = entry; place < entry + 6; place += 2) {
        BigEndian.put2(moved, place, of(BigEndian.u2(old, place)));
      }
    }
    return moved;
  }

  /** A LineNumberTable: a count; from, line. */
  byte[] lines(byte[] old) {
    byte[] moved = old.clone();
    for (int entry = 2; entry < old.length; entry += 4) {
      BigEndian.put2(moved, entry, of(BigEndian.u2(old, entry)));
    }
    return moved;
  }

  /** A LocalVariableTable, or one of types: a count; from, length, name, type, number. */
  byte[] variables(byte[] old) {
    byte[] moved = old.clone();
    for (int entry = 2; entry < old.length; entry += 10) {
      int from = BigEndian.u2(old, entry);
      int to = from + BigEndian.u2(old, entry + 2);
      BigEndian.put2(moved, entry, of(from));
      BigEndian.put2(moved, entry + 2, of(to) - of(from));
    }
    return moved;
  }
}
