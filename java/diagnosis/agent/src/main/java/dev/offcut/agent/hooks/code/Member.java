package dev.offcut.agent.hooks.code;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field or a method of a class file. Its flags and its code can be replaced; its other attributes
 * are copied as they were.
 */
public final class Member {
  /** The flags of the JVM specification, 4.5 and 4.6. */
  public static final int PUBLIC = 1;

  /** See {@link #PUBLIC}. */
  public static final int PRIVATE = 2;

  /** See {@link #PUBLIC}. */
  public static final int PROTECTED = 4;

  /** See {@link #PUBLIC}. */
  public static final int STATIC = 8;

  /** See {@link #PUBLIC}. */
  public static final int FINAL = 0x10;

  /** See {@link #PUBLIC}. */
  public static final int TRANSIENT = 0x80;

  /** See {@link #PUBLIC}. */
  public static final int NATIVE = 0x100;

  /** See {@link #PUBLIC}. */
  public static final int SYNTHETIC = 0x1000;

  private static final String CODE = "Code";

  /** What may be done with it. */
  public int access;

  private final int type;
  private final int name;
  private final Constants constants;
  private final byte[] file;

  /** Where the attributes are, their count first; nowhere in one that was added. */
  private final int from;

  private final int to;
  private final int codeFrom;
  private @Nullable Code code;

  /** Name and type of one that was added: the file has no such texts; else null. */
  private final @Nullable String addedName;

  private final @Nullable String addedType;

  /** Reads the one at a place. */
  Member(byte[] file, int at, Constants constants) {
    this.file = file;
    this.constants = constants;
    addedName = null;
    addedType = null;
    int both = BigEndian.s4(file, at);
    access = both >>> 16;
    name = both & 0xffff;
    type = BigEndian.u2(file, at + 4);
    from = at + 6;
    int next = from + 2;
    int found = 0;
    for (int left = BigEndian.u2(file, from); left > 0; left--) {
      if (constants.isText(BigEndian.u2(file, next), CODE)) {
        found = next + 6;
      }
      next = after(next);
    }
    codeFrom = found;
    to = next;
  }

  /** Makes a new one. */
  Member(Constants constants, int access, String name, String type, @Nullable Code code) {
    this.constants = constants;
    this.access = access;
    this.name = constants.add(name);
    this.type = constants.add(type);
    addedName = name;
    addedType = type;
    this.code = code;
    file = new byte[0];
    from = 0;
    to = 0;
    codeFrom = 0;
  }

  /** Behind the attribute at a place. */
  private int after(int at) {
    int length = BigEndian.s4(file, at + 2);
    if (length < 0 || length > file.length - at - 6) {
      throw new ArrayIndexOutOfBoundsException("an attribute of " + length + " bytes");
    }
    return at + 6 + length;
  }

  /** Behind its last attribute. */
  int end() {
    return to;
  }

  /** Its name. */
  public String name() {
    return addedName == null ? constants.text(name) : addedName;
  }

  /** Its type, as a descriptor. */
  public String type() {
    return addedType == null ? constants.text(type) : addedType;
  }

  /** Whether it has this name. */
  public boolean isNamed(String name) {
    return addedName == null ? constants.isText(this.name, name) : addedName.equals(name);
  }

  /** Whether its type begins like that. */
  public boolean beginsWith(String start) {
    return addedType == null
        ? constants.isAt(constants.textFrom(type), start)
        : addedType.startsWith(start);
  }

  /** Whether it has both. */
  public boolean is(String name, String type) {
    return addedName == null
        ? constants.isText(this.name, name) && constants.isText(this.type, type)
        : addedName.equals(name) && type.equals(addedType);
  }

  /** Whether it has instructions. */
  public boolean hasCode() {
    return codeFrom != 0;
  }

  /** Its code, to be changed. */
  public Code code() throws UnknownShapeException {
    if (code == null) {
      code = copyOfCode();
    }
    return code;
  }

  /** Its code as it was read, for another method. */
  public Code copyOfCode() throws UnknownShapeException {
    if (!hasCode()) {
      throw new UnknownShapeException(name() + " has no code");
    }
    return Code.read(file, codeFrom, constants);
  }

  /** Adds the calls of its code, as it was read, but those of interfaces. */
  void calls(List<Calls.Call> calls) throws UnknownShapeException {
    int start = codeFrom + 8;
    int length = BigEndian.s4(file, codeFrom + 4);
    for (int at = 0; at < length; at += Insns.length(file, start, start + at)) {
      int opcode = file[start + at] & 0xff;
      if (opcode >= Opcode.INVOKEVIRTUAL && opcode <= Opcode.INVOKESTATIC) {
        calls.add(new Calls.Call(this, at, opcode, BigEndian.u2(file, start + at + 1)));
      }
    }
  }

  /** Gives it other code. */
  public void setCode(Code other) {
    code = other;
  }

  /** Where it begins in the file, if it is there still as it was read; else -1. */
  int unchangedFrom() {
    return code == null && to != 0 && access == BigEndian.u2(file, from - 6) ? from - 6 : -1;
  }

  void write(ByteWriter out) {
    out.u2(access);
    out.u2(name);
    out.u2(type);
    if (code == null) {
      if (to == from) {
        out.u2(0);
      }
      out.write(file, from, to - from);
      return;
    }
    int others = to == from ? 0 : BigEndian.u2(file, from) - (hasCode() ? 1 : 0);
    out.u2(others + 1);
    out.u2(constants.add(CODE));
    code.write(out);
    for (int at = from + 2; at < to; at = after(at)) {
      if (at + 6 != codeFrom) {
        out.write(file, at, after(at) - at);
      }
    }
  }
}
