package dev.offcut.agent.shape;

import static dev.offcut.agent.hooks.code.Opcode.*;

import dev.offcut.agent.hooks.code.BigEndian;
import dev.offcut.agent.hooks.code.Insns;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.util.BitSet;

/** The instructions of one method, and where each goes on. */
final class Jumps {
  private final byte[] file;
  private final int start;
  private final int length;

  /** {@code start} and {@code length}: of the code, in the class file. */
  Jumps(byte[] file, int start, int length) {
    this.file = file;
    this.start = start;
    this.length = length;
  }

  int u1(int at) {
    return file[start + at] & 0xff;
  }

  int u2(int at) {
    return BigEndian.u2(file, start + at);
  }

  /** Where a test or a jump goes. */
  int jump(int at) {
    return at
        + (u1(at) == GOTO_W
            ? BigEndian.s4(file, start + at + 1)
            : BigEndian.s2(file, start + at + 1));
  }

  int lengthAt(int at) throws UnknownShapeException {
    return Insns.length(file, start, start + at);
  }

  /** Where a switch goes. */
  int[] targets(int at, int opcode) {
    int base = start + at + 4 - at % 4;
    boolean isTable = opcode == TABLESWITCH;
    int count =
        isTable
            ? BigEndian.s4(file, base + 8) - BigEndian.s4(file, base + 4) + 1
            : BigEndian.s4(file, base + 4);
    int[] targets = new int[count + 1];
    targets[count] = at + BigEndian.s4(file, base);
    for (int i = 0; i < count; i++) {
      targets[i] = at + BigEndian.s4(file, base + 12 + (isTable ? 4 : 8) * i);
    }
    return targets;
  }

  /** Whether only the code behind a test gets to one of some places: 1; only where it jumps: -1. */
  int side(int at, BitSet goals) throws UnknownShapeException {
    boolean behind = reaches(at + 3, at, goals);
    boolean there = reaches(jump(at), at, goals);
    return behind == there ? 0 : behind ? 1 : -1;
  }

  private boolean reaches(int from, int not, BitSet goals) throws UnknownShapeException {
    BitSet seen = new BitSet();
    BitSet left = new BitSet();
    left.set(from);
    for (int next = left.nextSetBit(0); next >= 0; next = left.nextSetBit(0)) {
      left.clear(next);
      for (int at = next; at < length && at != not && !seen.get(at); at += lengthAt(at)) {
        seen.set(at);
        if (goals.get(at)) {
          return true;
        }
        int opcode = u1(at);
        if (isTest(opcode) && !seen.get(jump(at))) {
          left.set(jump(at));
        } else if (opcode == GOTO || opcode == GOTO_W) {
          left.set(jump(at));
        } else if (opcode == TABLESWITCH || opcode == LOOKUPSWITCH) {
          for (int target : targets(at, opcode)) {
            left.set(target);
          }
        }
        left.andNot(seen);
        if (ends(opcode) || (opcode >= GOTO && opcode <= LOOKUPSWITCH) || opcode == GOTO_W) {
          break;
        }
      }
    }
    return false;
  }
}
