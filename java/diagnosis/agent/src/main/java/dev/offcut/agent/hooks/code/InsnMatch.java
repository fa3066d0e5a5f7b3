package dev.offcut.agent.hooks.code;

import java.util.ArrayList;
import java.util.List;

/**
 * Some instructions of a method, one after the other. Nothing jumps between them, so that they can
 * be replaced by others that leave the stack and the variables the same; no frame changes, and
 * nothing moves.
 */
public final class InsnMatch {
  private final Code code;

  /** Where each is, and where the last one ends. */
  private final List<Integer> places;

  private InsnMatch(Code code, List<Integer> places) {
    this.code = code;
    this.places = places;
  }

  /** All runs in a class that read like that, one text an instruction. */
  public static List<InsnMatch> all(ClassFile type, List<String> texts)
      throws UnknownShapeException {
    List<InsnMatch> runs = new ArrayList<>();
    for (Member method : type.methods()) {
      if (method.hasCode()) {
        add(runs, method.code(), texts);
      }
    }
    return runs;
  }

  private static void add(List<InsnMatch> runs, Code code, List<String> texts)
      throws UnknownShapeException {
    List<Integer> targets = code.targets();
    String first = texts.get(0);
    int opcode = Insns.opcode(first);
    byte[] insns = code.insns();
    for (int at = 0; at < insns.length; at = code.after(at)) {
      if ((opcode >= 0 && (insns[at] & 0xff) != opcode) || !code.reads(at, first)) {
        continue;
      }
      List<Integer> places = new ArrayList<>(List.of(at));
      int next = at;
      for (String text : texts) {
        if (next == code.insns().length
            || (next != at && targets.contains(next))
            || !code.reads(next, text)) {
          break;
        }
        next = code.after(next);
        places.add(next);
      }
      if (places.size() == texts.size() + 1) {
        runs.add(new InsnMatch(code, places));
      }
    }
  }

  /** How many instructions of a class read like one of these. */
  public static int count(ClassFile type, String... texts) throws UnknownShapeException {
    int count = 0;
    for (String text : texts) {
      count += all(type, List.of(text)).size();
    }
    return count;
  }

  /** Takes the instruction at an index of the run out. */
  public void remove(int index) {
    for (int at = places.get(index); at < places.get(index + 1); at++) {
      code.insns()[at] = Opcode.NOP;
    }
  }

  /** Puts a call of a static method into the place of the call at an index. */
  public void call(int index, int method) {
    remove(index);
    code.replace(places.get(index), Opcode.INVOKESTATIC, method);
  }

  /** Gives the method room for a number of two words where it had a reference. */
  public void deepen() {
    code.deepen();
  }
}
