package dev.offcut.agent.rules;

import dev.offcut.agent.base.concurrent.Closeables;
import dev.offcut.agent.base.concurrent.Counts;
import dev.offcut.agent.hooks.code.ClassFile;
import dev.offcut.agent.hooks.code.Code;
import dev.offcut.agent.hooks.code.Constants;
import dev.offcut.agent.hooks.code.Insns;
import dev.offcut.agent.hooks.code.Member;
import dev.offcut.agent.hooks.code.Opcode;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import dev.offcut.rules.Rule;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/**
 * The class file of a watched class, with calls of the helper put into its constructors and into
 * the methods that open and close. Each insertion is a multiple of four bytes long, so that the
 * switches of a method can be moved.
 */
final class WatchedCode {
  private static final String HELPER = "java/util/concurrent/OffcutCloseables";
  static final String INSTANCES = "java/util/concurrent/OffcutInstances";
  private static final String OF_OBJECT = "(Ljava/lang/Object;)V";
  private static final String OF_CLASS = "(Ljava/lang/Object;Ljava/lang/Class;I)V";

  private static final String THREAD = "java/lang/Thread";
  private static final String LOADER = "java/lang/ClassLoader";
  private static final String LOADER_MADE =
      "(Ljava/lang/Void;Ljava/lang/String;Ljava/lang/ClassLoader;)V";

  private final ClassFile file;
  private final Constants constants;
  private final Rule rule;

  /** What was rewritten, in words. */
  private final List<String> closes = new ArrayList<>();

  private final List<String> opens = new ArrayList<>();
  private int constructors;

  WatchedCode(byte[] bytes, Rule rule) throws UnknownShapeException {
    file = ClassFile.readAny(bytes);
    constants = file.constants();
    this.rule = rule;
  }

  /** Whether it counts objects of the classes below it, too, which are not rewritten. */
  boolean isForAllBelow() {
    return isRoot() && (file.name().equals(THREAD) || file.name().equals(LOADER));
  }

  /** Rewrites it. */
  void rewrite() throws UnknownShapeException {
    if (isForAllBelow()) {
      rewriteForAllBelow();
      return;
    }
    for (Member method : file.methods()) {
      boolean isInitializer = method.isNamed(Rule.CONSTRUCTORS);
      if (isInitializer && method.hasCode()) {
        constructor(method);
        constructors++;
      } else if (!isInitializer && !Modifier.isStatic(method.access)) {
        method(method);
      }
    }
  }

  /** A thread counts from its start to its exit, a class loader until it is unreachable. */
  private void rewriteForAllBelow() throws UnknownShapeException {
    int places = 0;
    for (Member method : file.methods()) {
      if (file.name().equals(LOADER)) {
        if (method.is(Rule.CONSTRUCTORS, LOADER_MADE)) {
          places += begins(method.code(), method.code().places(Opcode.RETURN));
        }
      } else if (method.isNamed("start") && method.hasCode()) {
        Code code = code(method);
        places += begins(code, code.places("invokevirtual " + THREAD + ".start0()V"));
      } else if (method.is("exit", "()V")) {
        int ends = constants.addMethod(INSTANCES, "ends", OF_OBJECT);
        code(method).insert(0, Insns.of(Opcode.ALOAD_0, Opcode.INVOKESTATIC, ends), 1);
        closes.add("exit()");
      }
    }
    if (places == 0 || (file.name().equals(THREAD) && closes.isEmpty())) {
      throw new UnknownShapeException("it does not begin or end as known");
    }
  }

  private int begins(Code code, List<Integer> places) throws UnknownShapeException {
    int begins = constants.addMethod(INSTANCES, "begins", OF_CLASS);
    byte[] call =
        Insns.of(
            Opcode.ALOAD_0,
            Opcode.LDC_W,
            file.thisClass(),
            Opcode.ICONST_0 + how(),
            Opcode.INVOKESTATIC,
            begins);
    for (int i = places.size() - 1; i >= 0; i--) {
      code.insert(places.get(i), call, 3);
    }
    return places.size();
  }

  /** What was rewritten, as a sentence. */
  String detail() {
    StringBuilder detail = new StringBuilder();
    if (file.isInterface()) {
      detail.append("an interface: the classes that implement it are counted");
    } else {
      detail.append(constructors).append(constructors == 1 ? " constructor" : " constructors");
    }
    if (!opens.isEmpty()) {
      detail.append("; opened by ").append(String.join(", ", opens));
    }
    if (!closes.isEmpty()) {
      detail.append("; closed by ").append(String.join(", ", closes));
    }
    return detail.toString();
  }

  String name() {
    return file.name();
  }

  String superName() {
    return file.superName();
  }

  List<String> interfaces() {
    return file.interfaces();
  }

  boolean isInterface() {
    return file.isInterface();
  }

  boolean isAbstract() {
    return file.isAbstract();
  }

  /** Whether it declares, or got, a method that closes. */
  boolean declares(String spec) {
    for (Member method : file.methods()) {
      if (matches(method, spec) && !Modifier.isStatic(method.access)) {
        return true;
      }
    }
    return false;
  }

  /** Adds a method that closes, and calls the one that the class inherits from above. */
  void addBridge(String name, String type) throws UnknownShapeException {
    int inherited = constants.addMethod(file.superName(), name, type);
    int returns =
        switch (type.charAt(type.indexOf(')') + 1)) {
          case 'V' -> Opcode.RETURN;
          case 'L', '[' -> Opcode.ARETURN;
          case 'J' -> Opcode.LRETURN;
          case 'I', 'Z', 'B', 'S', 'C' -> Opcode.IRETURN;
          default -> throw new UnknownShapeException("it inherits " + name + type);
        };
    if (!type.startsWith("()")) {
      throw new UnknownShapeException("it inherits " + name + " with parameters");
    }
    int closing = constants.addMethod(HELPER, "closing", OF_OBJECT);
    byte[] insns =
        Insns.of(
            Opcode.ALOAD_0,
            Opcode.INVOKESTATIC,
            closing,
            Opcode.ALOAD_0,
            Opcode.INVOKESPECIAL,
            inherited,
            returns);
    file.addMethod(
        Member.PUBLIC | Member.SYNTHETIC,
        name,
        type,
        new Code(constants, 2, 1, insns, new byte[0]));
    closes.add(name + "(), which it inherits");
  }

  private void constructor(Member method) throws UnknownShapeException {
    Code code = code(method);
    int call = code.initialization();
    boolean opensAll = rule.opens().contains(Rule.CONSTRUCTORS);
    boolean opens = opensAll || (isRoot() && isOneOf(method, rule.opens()));
    if (!code.calledClass(call).equals(file.name())) {
      int its = opensAll ? how() : Closeables.NOTHING;
      report(code, "opened", Opcode.ALOAD_0, its, Opcode.RETURN, Opcode.RETURN);
    } else if ((code.insns()[call + 3] & 0xff) != Opcode.RETURN) {
      // The other constructor reports; if this one throws after it, nothing was opened.
      int undone = constants.addMethod(HELPER, "undone", OF_OBJECT);
      byte[] handler = Insns.of(Opcode.ALOAD_0, Opcode.INVOKESTATIC, undone, Opcode.ATHROW);
      code.guard(call, handler, file.thisClass(), 2);
    }
    if (opens && !opensAll) {
      // Inserted last, it comes first.
      report(code, "reopened", Opcode.ALOAD_0, how(), Opcode.RETURN, Opcode.RETURN);
      opens(method);
    }
  }

  /** Only the class that a rule names has the constructors that it names. */
  private boolean isRoot() {
    return file.name().equals(rule.root().replace('.', '/'));
  }

  private void opens(Member method) {
    opens.add(method.name() + "()");
  }

  /**
   * Before each of the instructions that return, the last of them first.
   *
   * @param load puts the object on the stack
   */
  private void report(Code code, String helper, int load, int how, int first, int last)
      throws UnknownShapeException {
    int called = constants.addMethod(HELPER, helper, OF_CLASS);
    byte[] call =
        Insns.of(
            load,
            Opcode.LDC_W,
            file.thisClass(),
            Opcode.ICONST_0 + how,
            Opcode.INVOKESTATIC,
            called);
    int words = 3;
    for (int opcode = first; opcode <= last; opcode++) {
      List<Integer> places = code.places(opcode);
      for (int i = places.size() - 1; i >= 0; i--) {
        code.insert(places.get(i), call, words);
        words = 0; // there is room for all of them
      }
    }
  }

  /** What becomes of an object that is unreachable. */
  private int how() {
    int how = rule.freedBy() == Rule.FreedBy.NOBODY ? Counts.LOST : Counts.COLLECTED;
    return rule.isExact() ? how + Closeables.EXACTLY : how;
  }

  private void method(Member method) throws UnknownShapeException {
    boolean isOpen = isOneOf(method, rule.opens()) || isOneOf(method, rule.reopens());
    boolean opensParameter = opensParameter(method);
    boolean isClose = isOneOf(method, rule.closes());
    if ((isOpen || opensParameter || isClose) && Modifier.isNative(method.access)) {
      throw new UnknownShapeException(
          "its " + method.name() + "() is native; name a method that calls it");
    }
    if (isOpen && method.hasCode()) {
      report(code(method), "reopened", Opcode.ALOAD_0, how(), Opcode.IRETURN, Opcode.RETURN);
      opens(method);
    }
    if (opensParameter && method.hasCode()) {
      Code code = code(method);
      if (code.stores(1)) {
        throw new UnknownShapeException(method.name() + " writes to its first parameter");
      }
      report(code, "reopened", Opcode.ALOAD_1, how(), Opcode.IRETURN, Opcode.RETURN);
      opens(method);
    }
    if (isClose && method.hasCode()) {
      int closing = constants.addMethod(HELPER, "closing", OF_OBJECT);
      code(method).insert(0, Insns.of(Opcode.ALOAD_0, Opcode.INVOKESTATIC, closing), 1);
      closes.add(method.name() + "()");
    }
  }

  /** Whether it opens the object that is its first parameter, which is of its class. */
  private boolean opensParameter(Member method) {
    for (String spec : rule.opens()) {
      if (spec.endsWith(Rule.OF_PARAMETER) && matches(method, method(spec))) {
        return true;
      }
    }
    return false;
  }

  /** The method that opens, whatever it opens. */
  static String method(String opener) {
    return opener.endsWith(Rule.OF_PARAMETER)
        ? opener.substring(0, opener.length() - Rule.OF_PARAMETER.length())
        : opener;
  }

  private static boolean isOneOf(Member method, List<String> specs) {
    for (String spec : specs) {
      if (matches(method, spec)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a rule means a method. */
  static boolean matches(Member method, String spec) {
    int type = spec.indexOf('(');
    return type < 0
        ? method.isNamed(spec) && method.beginsWith("()")
        : method.is(spec.substring(0, type), spec.substring(type));
  }

  /** The code of a method in which variable 0 is {@code this} all the time. */
  private static Code code(Member method) throws UnknownShapeException {
    Code code = method.code();
    if (code.stores(0)) {
      throw new UnknownShapeException(method.name() + " writes to variable 0");
    }
    code.dropTypeAnnotations();
    return code;
  }

  byte[] toBytes() {
    return file.toBytes();
  }
}
