package dev.offcut.agent.code;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The code of a method, in which single calls are replaced. Where that takes an instruction more,
 * all that lies behind moves: jumps, ranges, lines, variables, frames.
 *
 * <p>What cannot be moved is refused, and then the class file is not to be used. The format: JVM
 * specification, 4.7.3 and 6.5. Not for several threads.
 */
public final class Code {
  private static final String FRAMES = "StackMapTable";
  private static final String LINES = "LineNumberTable";

  private static final int HANDLER = 8;

  private final Constants constants;
  private final int locals;
  private byte[] handlers;
  private final List<Part> parts = new ArrayList<>();
  private int stack;
  private byte[] insns;

  /** An attribute of the code. */
  private static final class Part {
    final int name;
    byte[] content;

    Part(int name, byte[] content) {
      this.name = name;
      this.content = content;
    }
  }

  /** Makes code without attributes; the handlers as in a class file. */
  public Code(Constants constants, int stack, int locals, byte[] insns, byte[] handlers) {
    this.constants = constants;
    this.stack = stack;
    this.locals = locals;
    this.insns = insns;
    this.handlers = handlers;
  }

  /** Reads what stands in the attribute at a place. */
  static Code read(byte[] file, int at, Constants constants) {
    int behind = at + 8 + BigEndian.s4(file, at + 4);
    int parts = behind + 2 + BigEndian.u2(file, behind) * HANDLER;
    Code code =
        new Code(
            constants,
            BigEndian.u2(file, at),
            BigEndian.u2(file, at + 2),
            Arrays.copyOfRange(file, at + 8, behind),
            Arrays.copyOfRange(file, behind + 2, parts));
    int next = parts + 2;
    for (int left = BigEndian.u2(file, parts); left > 0; left--) {
      int end = next + 6 + BigEndian.s4(file, next + 2);
      code.addPart(BigEndian.u2(file, next), Arrays.copyOfRange(file, next + 6, end));
      next = end;
    }
    return code;
  }

  /** Says that all of it is of one line, unless that is 0. */
  public void setLine(int line) {
    if (line != 0) {
      addPart(LINES, new byte[] {0, 1, 0, 0, (byte) (line >> 8), (byte) line});
    }
  }

  /** Adds an attribute. */
  public void addPart(String name, byte[] content) {
    addPart(constants.add(name), content);
  }

  private void addPart(int name, byte[] content) {
    parts.add(new Part(name, content));
  }

  /** The instructions. */
  public byte[] insns() {
    return insns;
  }

  /** Where the instruction behind the one at a place is. */
  int after(int at) throws UnknownShapeException {
    return at + Insns.length(insns, 0, at);
  }

  /** Where something may jump to. */
  List<Integer> targets() throws UnknownShapeException {
    for (Part part : parts) {
      if (constants.isText(part.name, FRAMES)) {
        return StackMap.places(part.content);
      }
    }
    return List.of();
  }

  /** Whether the instruction at a place has this text. */
  boolean reads(int at, String text) {
    return Insns.reads(insns, at, constants, text);
  }

  /** All instructions, as texts. */
  public List<String> texts() throws UnknownShapeException {
    List<String> texts = new ArrayList<>();
    for (int at = 0; at < insns.length; at = after(at)) {
      texts.add(Insns.text(insns, at, constants));
    }
    return texts;
  }

  /** One word of stack more. */
  void deepen() {
    stack++;
  }

  /** Writes another instruction, with an index, over the one at a place, which is as long. */
  public void replace(int at, int opcode, int index) {
    insns[at] = (byte) opcode;
    BigEndian.put2(insns, at + 1, index);
  }

  /**
   * Makes the call at a place one of a static method, with these arguments more: instructions that
   * load a variable each, and are a byte long.
   */
  public void callWith(int at, int method, int... loads) throws UnknownShapeException {
    byte[] added = new byte[loads.length];
    for (int i = 0; i < loads.length; i++) {
      added[i] = (byte) loads[i];
    }
    insert(at, added, loads.length);
    replace(at + loads.length, Insns.INVOKESTATIC, method);
  }

  /** Whether a variable is written to: else it is what the method was called with. */
  public boolean stores(int variable) throws UnknownShapeException {
    for (int at = 0; at < insns.length; at = after(at)) {
      if (Insns.stores(insns, at, variable)) {
        return true;
      }
    }
    return false;
  }

  /** The number of the first line, or 0 if it is not known. */
  public int firstLine() {
    for (Part part : parts) {
      if (constants.isText(part.name, LINES) && part.content.length >= 6) {
        return BigEndian.u2(part.content, 4);
      }
    }
    return 0;
  }

  /**
   * Puts instructions before the one at a place, which leave the stack and the variables as they
   * are, jump nowhere and need so many words of stack more.
   */
  public void insert(int at, byte[] added, int words) throws UnknownShapeException {
    Shift shift = new Shift(at, added.length);
    insns = shift.insns(insns);
    handlers = shift.handlers(handlers);
    for (Part part : parts) {
      part.content = moved(shift, part);
    }
    System.arraycopy(added, 0, insns, at, added.length);
    stack += words;
  }

  /** Where the instructions with a number are. */
  public List<Integer> places(int opcode) throws UnknownShapeException {
    List<Integer> places = new ArrayList<>();
    for (int at = 0; at < insns.length; at = after(at)) {
      if ((insns[at] & 0xff) == opcode) {
        places.add(at);
      }
    }
    return places;
  }

  /** Where the instructions that read like that are. */
  public List<Integer> places(String text) throws UnknownShapeException {
    List<Integer> places = new ArrayList<>();
    for (int at = 0; at < insns.length; at = after(at)) {
      if (reads(at, text)) {
        places.add(at);
      }
    }
    return places;
  }

  private byte[] moved(Shift shift, Part part) throws UnknownShapeException {
    String name = constants.text(part.name);
    return switch (name) {
      case LINES -> shift.lines(part.content);
      case "LocalVariableTable", "LocalVariableTypeTable" -> shift.variables(part.content);
      case FRAMES -> StackMap.shifted(part.content, shift);
      default -> throw new UnknownShapeException("a method has " + name);
    };
  }

  /** Writes the content of the attribute, its length first. */
  void write(ByteWriter out) {
    int length = 12 + insns.length + handlers.length;
    for (Part part : parts) {
      length += 6 + part.content.length;
    }
    out.u4(length);
    out.u2(stack);
    out.u2(locals);
    out.u4(insns.length);
    out.write(insns);
    out.u2(handlers.length / HANDLER);
    out.write(handlers);
    out.u2(parts.size());
    for (Part part : parts) {
      out.u2(part.name);
      out.u4(part.content.length);
      out.write(part.content);
    }
  }
}
