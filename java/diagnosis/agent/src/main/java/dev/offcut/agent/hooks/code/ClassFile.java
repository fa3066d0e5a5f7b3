package dev.offcut.agent.hooks.code;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A class file in which a few members change. All else is copied as bytes, and nothing is made into
 * objects that is not looked at: this runs before the program, in an interpreter.
 *
 * <p>Not for several threads.
 */
public final class ClassFile {
  /** From a Java 6 on class files say where something jumps to. */
  private static final int OLDEST = 50;

  private static final int WITH_CLASS_CONSTANTS = 49;

  private static final int INTERFACE = 0x200;
  private static final int ABSTRACT = 0x400;

  private final byte[] file;
  private final Constants constants;
  private final List<Member> fields;
  private final List<Member> methods;

  /** Between the constants and the fields; behind the methods. */
  private final int fieldsAt;

  private final int rest;

  private ClassFile(byte[] file) throws UnknownShapeException {
    if (BigEndian.s4(file, 0) != 0xcafebabe) {
      throw new UnknownShapeException("not readable: no class file");
    }
    this.file = file;
    constants = Constants.of(file);
    fieldsAt = constants.end() + 8 + 2 * BigEndian.u2(file, constants.end() + 6);
    fields = members(fieldsAt);
    int methodsAt = end(fields, fieldsAt);
    methods = members(methodsAt);
    rest = end(methods, methodsAt);
    checkEnd();
  }

  /** Reads a class file in which code may be moved. */
  public static ClassFile read(byte[] file) throws UnknownShapeException {
    ClassFile read = readAny(file);
    if (BigEndian.u2(file, 6) < OLDEST) {
      throw new UnknownShapeException("class file of a Java before 6");
    }
    return read;
  }

  /** Reads one of any age. As it is written it is of Java 5 at least, which has class constants. */
  public static ClassFile readAny(byte[] file) throws UnknownShapeException {
    try {
      return new ClassFile(file);
    } catch (IndexOutOfBoundsException e) {
      throw new UnknownShapeException("not readable: " + e);
    }
  }

  private List<Member> members(int at) {
    int count = BigEndian.u2(file, at);
    List<Member> members = new ArrayList<>(count + 4);
    int next = at + 2;
    for (int i = 0; i < count; i++) {
      Member member = new Member(file, next, constants);
      members.add(member);
      next = member.end();
    }
    return members;
  }

  private static int end(List<Member> members, int at) {
    return members.isEmpty() ? at + 2 : members.get(members.size() - 1).end();
  }

  /** The attributes of the class end where the file ends. */
  private void checkEnd() throws UnknownShapeException {
    int at = rest + 2;
    for (int left = BigEndian.u2(file, rest); left > 0; left--) {
      at += 6 + BigEndian.s4(file, at + 2);
    }
    if (at != file.length) {
      throw new UnknownShapeException("not readable: it should end after " + at + " bytes");
    }
  }

  /** Its constants. */
  public Constants constants() {
    return constants;
  }

  /** Its own name, by the constant that the JVM makes a hidden class's own, too. */
  public String name() {
    return constants.className(thisClass());
  }

  /** The index of the constant that is the class itself. */
  public int thisClass() {
    return BigEndian.u2(file, constants.end() + 2);
  }

  /** Whether it is an interface. */
  public boolean isInterface() {
    return (BigEndian.u2(file, constants.end()) & INTERFACE) != 0;
  }

  /** Whether there are objects of classes below it only. */
  public boolean isAbstract() {
    return (BigEndian.u2(file, constants.end()) & ABSTRACT) != 0;
  }

  /** The class it extends. */
  public String superName() {
    return constants.className(BigEndian.u2(file, constants.end() + 4));
  }

  /** The interfaces that it names. */
  public List<String> interfaces() {
    List<String> names = new ArrayList<>();
    int at = constants.end() + 6;
    for (int i = 1; i <= BigEndian.u2(file, at); i++) {
      names.add(constants.className(BigEndian.u2(file, at + 2 * i)));
    }
    return names;
  }

  /** Its methods, those added too. */
  public List<Member> methods() {
    return methods;
  }

  /** The method with these, which must be there. */
  public Member method(String name, String type, int access) throws UnknownShapeException {
    Member method = find(methods, name, type);
    if (method == null || method.access != access) {
      throw new UnknownShapeException("no method " + name + type + " as known");
    }
    return method;
  }

  /** The field with these, which must be there. */
  public Member field(String name, String type) throws UnknownShapeException {
    Member field = find(fields, name, type);
    if (field == null) {
      throw new UnknownShapeException("no field " + name + " as known");
    }
    return field;
  }

  /** Whether there is a field of a name. */
  public boolean hasField(String name) {
    for (Member field : fields) {
      if (field.name().equals(name)) {
        return true;
      }
    }
    return false;
  }

  /** The field of a name, which must be there. */
  public Member field(String name) throws UnknownShapeException {
    for (Member field : fields) {
      if (field.name().equals(name)) {
        return field;
      }
    }
    throw new UnknownShapeException("no field " + name);
  }

  private static @Nullable Member find(List<Member> members, String name, String type) {
    for (Member member : members) {
      if (member.is(name, type)) {
        return member;
      }
    }
    return null;
  }

  /** Adds a field. */
  public void addField(int access, String name, String type) {
    fields.add(new Member(constants, access, name, type, null));
  }

  /** Adds a method; without code one that is native. */
  public void addMethod(int access, String name, String type, @Nullable Code code) {
    methods.add(new Member(constants, access, name, type, code));
  }

  /** The class file as it is now. */
  public byte[] toBytes() {
    ByteWriter body = new ByteWriter(file.length + 4096);
    body.write(file, constants.end(), fieldsAt - constants.end());
    write(fields, body);
    write(methods, body);
    body.write(file, rest, file.length - rest);
    ByteWriter bytes = new ByteWriter(file.length + 8192);
    // Last, since members add to them while they are written.
    constants.write(bytes);
    bytes.writeBytes(body.toByteArray());
    byte[] made = bytes.toByteArray();
    if (BigEndian.u2(made, 6) < WITH_CLASS_CONSTANTS) {
      BigEndian.put2(made, 4, 0);
      BigEndian.put2(made, 6, WITH_CLASS_CONSTANTS);
    }
    return made;
  }

  private void write(List<Member> members, ByteWriter out) {
    out.u2(members.size());
    for (Member member : members) {
      int at = member.unchangedFrom();
      if (at < 0) {
        member.write(out);
      } else {
        out.write(file, at, member.end() - at);
      }
    }
  }
}
