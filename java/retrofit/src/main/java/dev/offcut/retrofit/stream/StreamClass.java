package dev.offcut.retrofit.stream;

import dev.offcut.agent.hooks.code.Calls;
import dev.offcut.agent.hooks.code.Calls.Call;
import dev.offcut.agent.hooks.code.ClassFile;
import dev.offcut.agent.hooks.code.Code;
import dev.offcut.agent.hooks.code.Member;
import dev.offcut.agent.hooks.code.Opcode;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rewriting of {@code java.io.ObjectInputStream}. The rewritten class has a memo, which each
 * entry clears and restores. When the stream itself calls resolveClass or resolveProxyClass, these
 * methods take the loader from the memo. Both stay the methods that they are, with everything that
 * other agents have put into them or will: only two calls in their code are replaced. The JDK's
 * collections are read from an {@code ElementStream}.
 */
final class StreamClass {
  static final String NAME = "java/io/ObjectInputStream";
  static final String MEMO = "offcutMemo";
  static final String ELEMENTS = "offcutElements";
  static final String RESOLVING = "offcutResolving";

  /** Set in a stream whose readObject() is its own. */
  static final String OVERRIDE = "enableOverride";

  static final String PACKAGE = "java/io/Offcut";
  static final String LATEST_LOADER = PACKAGE + "LatestLoader";
  static final String MEMO_CLASS = PACKAGE + "Memo";
  static final String MEMO_TYPE = "L" + MEMO_CLASS + ";";
  private static final String STREAM = "L" + NAME + ";";
  private static final String OBJECT = "Ljava/lang/Object;";
  private static final String BY_TYPE = "(Ljava/lang/Class;)" + OBJECT;
  private static final String DESC = "Ljava/io/ObjectStreamClass;";
  private static final String CLASS_TYPE = "(" + DESC + ")Ljava/lang/Class;";
  private static final String PROXY_TYPE = "([Ljava/lang/String;)Ljava/lang/Class;";
  private static final String LOADER = "Ljava/lang/ClassLoader;";

  /** The type of the helper that walks. */
  private static final String WALK_TYPE = "(" + STREAM + OBJECT + ")" + LOADER;

  private static final String WALK = "latestUserDefinedLoader";
  private static final String FOR_NAME = "forName";
  private static final String FOR_NAME_TYPE = "(Ljava/lang/String;ZLjava/lang/ClassLoader;";
  private static final String CLASS = "Ljava/lang/Class;";
  private static final String FILTER = "filterCheck";
  private static final String FILTER_TYPE = "(Ljava/lang/Class;I)V";
  private static final String READ_TYPE = "(" + OBJECT + STREAM + ")V";

  private final ClassFile stream;
  private final Calls calls;
  private final List<Call> walks;
  private final List<Call> names;

  private StreamClass(byte[] file) throws UnknownShapeException {
    stream = ClassFile.read(file);
    calls = new Calls(stream, stream.methods());
    walks = calls.of(Opcode.INVOKESTATIC, NAME, WALK, "()" + LOADER);
    names = calls.of(Opcode.INVOKESTATIC, "java/lang/Class", FOR_NAME, FOR_NAME_TYPE + ")" + CLASS);
  }

  /** Whether a class file is that of a rewritten class. */
  static boolean isRewritten(byte[] file) throws UnknownShapeException {
    return ClassFile.read(file).hasField(MEMO);
  }

  /** The class file of the rewritten class. */
  static byte[] rewrite(byte[] file) throws UnknownShapeException {
    return new StreamClass(file).rewrite();
  }

  private byte[] rewrite() throws UnknownShapeException {
    checkWalks();
    EntryPoints.check(stream, calls);
    giveElements();
    Member classes = stream.method("readNonProxyDesc", "(Z)" + DESC, Member.PRIVATE);
    Member proxies = stream.method("readProxyDesc", "(Z)" + DESC, Member.PRIVATE);
    Member readObject = stream.method("readObject", "()" + OBJECT, Member.PUBLIC | Member.FINAL);
    Member byType = stream.method("readObject", BY_TYPE, Member.PRIVATE | Member.FINAL);
    Member readString = stream.method("readString", "()Ljava/lang/String;", Member.PRIVATE);
    Member readUnshared = stream.method("readUnshared", "()" + OBJECT, Member.PUBLIC);
    Member defaultRead = stream.method("defaultReadObject", "()V", Member.PUBLIC);
    Member readFields = stream.method("readFields", "()L" + NAME + "$GetField;", Member.PUBLIC);

    exchange("resolveClass", CLASS_TYPE);
    exchange("resolveProxyClass", PROXY_TYPE);
    replaceOne(classes, NAME, "resolveClass", CLASS_TYPE);
    replaceOne(proxies, NAME, "resolveProxyClass", PROXY_TYPE);
    enterInPlace(readObject);
    enterAround(readString, "offcutReadString");
    enterAround(readUnshared, "offcutReadUnshared");
    enterAround(defaultRead, "offcutDefaultReadObject");
    enterAround(readFields, "offcutReadFields");
    byType.access &= ~Member.PRIVATE;
    stream.addField(Member.TRANSIENT | Member.SYNTHETIC, MEMO, MEMO_TYPE);
    stream.addField(Member.TRANSIENT | Member.SYNTHETIC, ELEMENTS, STREAM);
    stream.addField(Member.TRANSIENT | Member.SYNTHETIC, RESOLVING, OBJECT);
    return stream.toBytes();
  }

  private void checkWalks() throws UnknownShapeException {
    Member walk = stream.method(WALK, "()" + LOADER, Member.PRIVATE | Member.STATIC);
    List<Call> vm = calls.of(Opcode.INVOKESTATIC, "jdk/internal/misc/VM", WALK, "()" + LOADER);
    if (walks.size() != 2 || vm.size() != 1 || vm.get(0).method() != walk) {
      throw new UnknownShapeException("it does not walk in the 2 places that are known");
    }
  }

  /**
   * The call by which a collection gets its stream. Whatever a collection can do with that must be
   * known: {@code ElementStream} passes it on.
   */
  private void giveElements() throws UnknownShapeException {
    StreamMethods.check(stream, calls);
    stream.field(OVERRIDE, "Z");
    Member data = stream.method("readSerialData", "(" + OBJECT + DESC + ")V", Member.PRIVATE);
    replaceOne(data, "java/io/ObjectStreamClass", "invokeReadObject", READ_TYPE);
    checkArraysBehind();
  }

  /** Who has the length of an array checked may be a collection, which was given its elements. */
  private void checkArraysBehind() throws UnknownShapeException {
    Member filter = stream.method(FILTER, FILTER_TYPE, Member.PRIVATE);
    List<Call> found =
        calls.of(Opcode.INVOKEVIRTUAL, NAME, FILTER, FILTER_TYPE).stream()
            .filter(call -> call.method().name().equals("checkArray"))
            .toList();
    if (found.size() != 1) {
      throw new UnknownShapeException("checkArray does not call " + FILTER + " once");
    }
    replace(found.get(0), NAME, FILTER_TYPE, FILTER);
    filter.access = Member.FINAL;
  }

  /** The stream's own call goes to the helper. */
  private void replaceOne(Member caller, String owner, String name, String type)
      throws UnknownShapeException {
    List<Call> found = calls.of(Opcode.INVOKEVIRTUAL, owner, name, type);
    if (found.size() != 1 || found.get(0).method() != caller) {
      throw new UnknownShapeException(caller.name() + " does not call " + name + " once");
    }
    replace(found.get(0), owner, type, name);
  }

  private void replace(Call call, String owner, String type, String name)
      throws UnknownShapeException {
    int index = helper(name, "(L" + owner + ";" + type.substring(1));
    call.method().code().replace(call.at(), Opcode.INVOKESTATIC, index);
  }

  /** Takes the loader and the classes from the helper. */
  private void exchange(String name, String type) throws UnknownShapeException {
    Member method = stream.method(name, type, Member.PROTECTED);
    Call walk = one(walks, method);
    Call forName = one(names, method);
    if (forName.at() < walk.at()) {
      throw unknown(method);
    }
    checkArguments(method);
    Code code = method.code();
    int answer = helper(FOR_NAME, FOR_NAME_TYPE + STREAM + ")" + CLASS);
    // The walk is first, and each moves what is behind it.
    code.callWith(forName.at(), answer, Opcode.ALOAD_0);
    code.callWith(walk.at(), helper("loader", WALK_TYPE), Opcode.ALOAD_0, Opcode.ALOAD_1);
  }

  /** That the object and the first argument of a method are in their variables all along. */
  private static void checkArguments(Member method) throws UnknownShapeException {
    if (method.code().stores(0) || method.code().stores(1)) {
      throw new UnknownShapeException(method.name() + " writes to its arguments");
    }
  }

  private static Call one(List<Call> calls, Member method) throws UnknownShapeException {
    @Nullable Call found = null;
    for (Call call : calls) {
      if (call.method() == method) {
        if (found != null) {
          throw unknown(method);
        }
        found = call;
      }
    }
    if (found == null) {
      throw unknown(method);
    }
    return found;
  }

  private static UnknownShapeException unknown(Member method) {
    return new UnknownShapeException(method.name() + " does not walk once and ask the loader once");
  }

  /** The body is one call, which becomes the body of the entry: no frame more than before. */
  private void enterInPlace(Member entry) throws UnknownShapeException {
    List<String> body = entry.code().texts();
    if (!body.equals(oneCall("invokevirtual ")) && !body.equals(oneCall("invokespecial "))) {
      throw new UnknownShapeException("readObject is not one call");
    }
    byte[] insns = entry.code().insns();
    byte[] call = Arrays.copyOf(insns, insns.length - 1);
    enter(entry, call, Opcode.ARETURN);
  }

  private static List<String> oneCall(String how) {
    return List.of(
        "aload 0", "ldc java/lang/Object", how + NAME + ".readObject" + BY_TYPE, "areturn");
  }

  /** The body goes into a method of its own, which the entry calls. */
  private void enterAround(Member entry, String newName) throws UnknownShapeException {
    stream.addMethod(Member.PRIVATE | Member.SYNTHETIC, newName, entry.type(), entry.copyOfCode());
    int index = stream.constants().addMethod(NAME, newName, entry.type());
    byte[] call = {Opcode.ALOAD_0, (byte) Opcode.INVOKESPECIAL, (byte) (index >> 8), (byte) index};
    int end = entry.type().endsWith("V") ? Opcode.RETURN : Opcode.ARETURN;
    enter(entry, call, end);
  }

  /** Stack traces have the line where the method began. */
  private void enter(Member entry, byte[] call, int end) throws UnknownShapeException {
    Code code = EntryCode.around(stream.constants(), call, end);
    code.setLine(entry.code().firstLine());
    entry.setCode(code);
  }

  private int helper(String name, String type) {
    return stream.constants().addMethod(LATEST_LOADER, name, type);
  }
}
