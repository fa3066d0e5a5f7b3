package dev.offcut.agent.hooks.code;

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

  /** The JVM takes no longer method. */
  private static final int MOST_BYTES = 0xffff;

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
    replace(at + loads.length, Opcode.INVOKESTATIC, method);
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
    if (insns.length + added.length > MOST_BYTES) {
      throw new UnknownShapeException("a method becomes too long");
    }
    Shift shift = new Shift(at, added.length);
    insns = shift.insns(insns);
    handlers = shift.handlers(handlers);
    for (Part part : parts) {
      part.content = moved(shift, part);
    }
    System.arraycopy(added, 0, insns, at, added.length);
    stack += words;
  }

  /**
   * Takes out what says of the code where annotations of types stand: nobody can ask for it, and
   * compilers for more than others move it.
   */
  public void dropTypeAnnotations() {
    for (int i = parts.size() - 1; i >= 0; i--) {
      int name = parts.get(i).name;
      if (constants.isText(name, "RuntimeVisibleTypeAnnotations")
          || constants.isText(name, "RuntimeInvisibleTypeAnnotations")) {
        parts.remove(i);
      }
    }
  }

  /**
   * The call in a constructor that initializes {@code this}, which must be one: where it is. Each
   * other call of a constructor belongs to the {@code new} before it.
   */
  public int initialization() throws UnknownShapeException {
    int found = -1;
    int made = 0;
    for (int at = 0; at < insns.length; at = after(at)) {
      int opcode = insns[at] & 0xff;
      if (opcode == Opcode.NEW) {
        made++;
      } else if (opcode == Opcode.INVOKESPECIAL && constants.isInitializer(index(at))) {
        if (made > 0) {
          made--;
        } else if (found < 0) {
          found = at;
        } else {
          throw new UnknownShapeException("a constructor calls two others");
        }
      }
    }
    if (found < 0) {
      throw new UnknownShapeException("a constructor calls no other");
    }
    return found;
  }

  /** The name of the class that the call at a place is of. */
  public String calledClass(int at) {
    return constants.owner(index(at));
  }

  /** The field or method that the instruction at a place names: class, name and type. */
  public String member(int at) {
    return constants.member(index(at));
  }

  private int index(int at) {
    return BigEndian.u2(insns, at + 1);
  }

  /**
   * Whatever the instructions behind a call throw, and nobody in the method catches, is handled by
   * these instructions, which begin with the exception on the stack and {@code this} as the only
   * variable, and end by throwing. Nothing before the call may go on behind it but by the call.
   *
   * @param type the index of the class of {@code this}
   * @param words of stack that the instructions need
   */
  public void guard(int call, byte[] handler, int type, int words) throws UnknownShapeException {
    int from = after(call);
    checkOneWay(from);
    int at = insns.length;
    if (at + handler.length > MOST_BYTES) {
      throw new UnknownShapeException("a method becomes too long");
    }
    Part frames = null;
    for (Part part : parts) {
      if (constants.isText(part.name, FRAMES)) {
        frames = part;
      }
    }
    if (frames == null) {
      addPart(FRAMES, new byte[2]);
      frames = parts.get(parts.size() - 1);
    }
    frames.content =
        StackMap.withHandler(frames.content, at, type, constants.addClass("java/lang/Throwable"));
    insns = Arrays.copyOf(insns, at + handler.length);
    System.arraycopy(handler, 0, insns, at, handler.length);
    handlers = Arrays.copyOf(handlers, handlers.length + HANDLER);
    int entry = handlers.length - HANDLER;
    BigEndian.put2(handlers, entry, from);
    BigEndian.put2(handlers, entry + 2, at);
    BigEndian.put2(handlers, entry + 4, at);
    stack = Math.max(stack, words);
  }

  /** What stands before a place goes on there only by running into it. */
  private void checkOneWay(int from) throws UnknownShapeException {
    for (int at = 0; at < from; at = after(at)) {
      int opcode = insns[at] & 0xff;
      boolean goesBehind =
          Insns.isFarJump(opcode)
              || (Insns.isJump(opcode) && at + BigEndian.s2(insns, at + 1) >= from);
      if (goesBehind) {
        throw new UnknownShapeException(
            "a jump of a constructor goes past its call of another constructor");
      }
    }
    for (int entry = 0; entry < handlers.length; entry += HANDLER) {
      if (BigEndian.u2(handlers, entry) < from && BigEndian.u2(handlers, entry + 4) >= from) {
        throw new UnknownShapeException(
            "a handler of a constructor covers its call of another constructor");
      }
    }
  }

  /** The same before each instruction with a number; how many there are. */
  public int insertBeforeEach(int opcode, byte[] added, int words) throws UnknownShapeException {
    List<Integer> places = places(opcode);
    for (int i = places.size() - 1; i >= 0; i--) {
      insert(places.get(i), added, i == 0 ? words : 0); // there is room for all of them
    }
    return places.size();
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
    int opcode = Insns.opcode(text);
    for (int at = 0; at < insns.length; at = after(at)) {
      if ((opcode < 0 || (insns[at] & 0xff) == opcode) && reads(at, text)) {
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
    out.writeBytes(insns);
    out.u2(handlers.length / HANDLER);
    out.writeBytes(handlers);
    out.u2(parts.size());
    for (Part part : parts) {
      out.u2(part.name);
      out.u4(part.content.length);
      out.writeBytes(part.content);
    }
  }
}
