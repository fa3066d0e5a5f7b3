package dev.offcut.agent.shape;

import dev.offcut.agent.hooks.code.BigEndian;
import dev.offcut.agent.hooks.code.Opcode;
import dev.offcut.agent.hooks.code.Supertypes;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A class file that is only read: where its members and their code are. Texts are made when they
 * are asked for, once each. For one thread.
 */
final class TypeFile {
  private static final int ABSTRACT = 0x400;
  private static final int NATIVE = 0x100;
  private static final int PUBLIC = 1;
  private static final int STATIC = 8;
  private static final int OF_METHOD = 15;

  /** Kinds of handles that call; those before them are of fields. */
  private static final int FIRST_CALL = 5;

  private static final int STATIC_CALL = 6;
  private static final int SPECIAL_CALL = 7;

  final byte[] file;
  final String name;

  final String superName;

  /** The class above; null: it is the JDK's. */
  final @Nullable String above;

  final List<String> interfaces = new ArrayList<>();
  final List<Field> fields = new ArrayList<>();
  final List<Method> methods = new ArrayList<>();
  final boolean isAbstract;
  private final int[] places;
  private final @Nullable String[] texts;
  private final int attributes;

  /** Of each bootstrap method the constant of the handle that it is given; 0: none. */
  private int @Nullable [] handles;

  /** A field of objects. */
  record Field(String name, String type) {}

  /** A method, and where its code is. */
  static final class Method {
    final TypeFile of;
    final String name;
    final String type;
    private final int access;

    /** Where the instructions are, and how many bytes; 0: it has none. */
    final int code;

    final int length;

    /** What it calls, once that was asked for. */
    @Nullable List<Call> calls;

    /** Whether it calls native code where no method is native. Known with the calls. */
    boolean callsOut;

    /** Whether it gives an object to a cleaner, or to a phantom reference. Known with the calls. */
    boolean cleans;

    /** Whether it runs a {@code Runnable}. Known with the calls. */
    boolean runs;

    /** Whether it may clear a field. Known with the calls. */
    boolean writes;

    /** What is known of its data flow with any object; null: not looked at. */
    @Nullable Summary summary;

    /** The search that came here last. */
    int visit;

    Method(TypeFile of, int access, String name, String type, int code, int length) {
      this.of = of;
      this.access = access;
      this.name = name;
      this.type = type;
      this.code = code;
      this.length = length;
    }

    boolean isStatic() {
      return (access & STATIC) != 0;
    }

    boolean isPublic() {
      return (access & PUBLIC) != 0;
    }

    boolean isNative() {
      return (access & NATIVE) != 0;
    }

    boolean isAbstract() {
      return (access & ABSTRACT) != 0;
    }

    boolean is(String otherName, String otherType) {
      return name.equals(otherName) && type.equals(otherType);
    }

    boolean hasParameters() {
      return type.charAt(1) != ')';
    }

    @Override
    public String toString() {
      return of.name + "." + name + type;
    }
  }

  /** A call: its instruction, and what it names. */
  record Call(int opcode, String owner, String name, String type) {}

  /** Reads a class file. */
  static TypeFile read(byte[] file) throws UnknownShapeException {
    try {
      return new TypeFile(file, Supertypes.of(file));
    } catch (IndexOutOfBoundsException e) {
      throw new UnknownShapeException("not readable: " + e);
    }
  }

  private TypeFile(byte[] file, Supertypes above) {
    this.file = file;
    places = above.places();
    texts = new String[places.length];
    int at = above.constantsEnd();
    isAbstract = (BigEndian.u2(file, at) & ABSTRACT) != 0;
    name = className(BigEndian.u2(file, at + 2));
    superName = above.name(0);
    this.above = Types.isOfJdk(superName) ? null : superName;
    for (int i = 1; i < above.count(); i++) {
      interfaces.add(above.name(i));
    }
    int next = fields(at + 6 + 2 * above.count());
    attributes = methods(next);
  }

  private int fields(int from) {
    int at = from + 2;
    for (int left = BigEndian.u2(file, from); left > 0; left--) {
      if ((BigEndian.u2(file, at) & STATIC) == 0) {
        fields.add(new Field(text(BigEndian.u2(file, at + 2)), text(BigEndian.u2(file, at + 4))));
      }
      at = behind(at + 6);
    }
    return at;
  }

  private int methods(int from) {
    int at = from + 2;
    for (int left = BigEndian.u2(file, from); left > 0; left--) {
      int code = 0;
      int next = at + 8;
      for (int of = BigEndian.u2(file, at + 6); of > 0; of--) {
        if (text(BigEndian.u2(file, next)).equals("Code")) {
          code = next + 14;
        }
        next += 6 + BigEndian.s4(file, next + 2);
      }
      methods.add(
          new Method(
              this,
              BigEndian.u2(file, at),
              text(BigEndian.u2(file, at + 2)),
              text(BigEndian.u2(file, at + 4)),
              code,
              code == 0 ? 0 : BigEndian.s4(file, code - 4)));
      at = next;
    }
    return at;
  }

  /** Behind the attributes whose count is at a place. */
  private int behind(int from) {
    int at = from + 2;
    for (int left = BigEndian.u2(file, from); left > 0; left--) {
      at += 6 + BigEndian.s4(file, at + 2);
    }
    return at;
  }

  private String text(int index) {
    String text = texts[index];
    if (text == null) {
      int from = places[index] + 3;
      text = new String(file, from, BigEndian.u2(file, from - 2), StandardCharsets.ISO_8859_1);
      texts[index] = text;
    }
    return text;
  }

  private String className(int index) {
    return text(BigEndian.u2(file, places[index] + 1));
  }

  /** The method of a name and a type; null: it declares none. */
  @Nullable Method method(String methodName, String type) {
    for (int i = 0; i < methods.size(); i++) {
      Method method = methods.get(i);
      if (method.is(methodName, type)) {
        return method;
      }
    }
    return null;
  }

  /** The class of the field or method at an index. */
  String owner(int member) {
    return className(BigEndian.u2(file, places[member] + 1));
  }

  /** The name of the field, or method, at an index. */
  String memberName(int member) {
    return text(BigEndian.u2(file, places[nameAndType(member)] + 1));
  }

  /** Its type. */
  String memberType(int member) {
    return text(BigEndian.u2(file, places[nameAndType(member)] + 3));
  }

  private int nameAndType(int member) {
    return BigEndian.u2(file, places[member] + 3);
  }

  /** Whether a constant is the long -1. */
  boolean isMinusOne(int index) {
    int at = places[index];
    return file[at] == 5 && BigEndian.s4(file, at + 1) == -1 && BigEndian.s4(file, at + 5) == -1;
  }

  /** The method that a lambda, or a reference to a method, calls; null: not known. */
  @Nullable Call target(int dynamic) {
    int[] known = handles;
    if (known == null) {
      known = bootstraps();
      handles = known;
    }
    int number = BigEndian.u2(file, places[dynamic] + 1);
    int handle = number < known.length ? known[number] : 0;
    if (handle == 0 || file[places[handle] + 1] < FIRST_CALL) {
      return null;
    }
    int kind = file[places[handle] + 1];
    int member = BigEndian.u2(file, places[handle] + 2);
    int opcode =
        kind == STATIC_CALL
            ? Opcode.INVOKESTATIC
            : kind == SPECIAL_CALL ? Opcode.INVOKESPECIAL : Opcode.INVOKEVIRTUAL;
    return new Call(opcode, owner(member), memberName(member), memberType(member));
  }

  private int[] bootstraps() {
    int at = attributes + 2;
    for (int left = BigEndian.u2(file, attributes); left > 0; left--) {
      if (text(BigEndian.u2(file, at)).equals("BootstrapMethods")) {
        return handles(at + 6);
      }
      at += 6 + BigEndian.s4(file, at + 2);
    }
    return new int[0];
  }

  private int[] handles(int from) {
    int[] found = new int[BigEndian.u2(file, from)];
    int at = from + 2;
    for (int i = 0; i < found.length; i++) {
      int count = BigEndian.u2(file, at + 2);
      at += 4;
      for (int k = 0; k < count; k++) {
        int argument = BigEndian.u2(file, at);
        if (file[places[argument]] == OF_METHOD) {
          found[i] = argument;
        }
        at += 2;
      }
    }
    return found;
  }
}
