package dev.offcut.agent.shape;

import dev.offcut.agent.hooks.code.BigEndian;
import dev.offcut.agent.hooks.code.Insns;
import dev.offcut.agent.hooks.code.Opcode;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import dev.offcut.agent.shape.TypeFile.Call;
import dev.offcut.agent.shape.TypeFile.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The class files that looks have read so far, what their methods call, and which of them have the
 * code of abstract methods. Classes of the JDK are not there. For one thread.
 */
final class Types {
  /** A method that more classes have code for says nothing of any. */
  private static final int MOST_IMPLEMENTATIONS = 6;

  private static final String MEMORY_SEGMENT = "Ljava/lang/foreign/MemorySegment;";

  private final Source source;
  private final Map<String, @Nullable TypeFile> read = new HashMap<>();

  /**
   * By name and type of a native method: the classes that declare one below a class that is not the
   * JDK's.
   */
  private final Map<String, List<String>> natives = new HashMap<>();

  /** Abstract methods whose code was asked for since this was emptied. */
  final Set<Asked> asked = new HashSet<>();

  /** An abstract method: the class that declares it, its name and type. */
  record Asked(String owner, String name, String type) {}

  /** Where class files come from. */
  interface Source {
    /** The file of a class, by its internal name; null: there is none. */
    byte @Nullable [] read(String name);

    /** The classes right below one, as far as they are loaded. */
    List<String> below(String name);
  }

  Types(Source source) {
    this.source = source;
  }

  /** Whether a class is the JDK's. */
  static boolean isOfJdk(String name) {
    return name.startsWith("java/")
        || name.startsWith("jdk/")
        || name.startsWith("sun/")
        || name.startsWith("[");
  }

  /** A class; null: it is the JDK's, or its file was not found. */
  @Nullable TypeFile get(@Nullable String name) {
    if (name == null || isOfJdk(name)) {
      return null;
    }
    if (read.containsKey(name)) {
      return read.get(name);
    }
    TypeFile type = null;
    try {
      byte[] file = source.read(name);
      type = file == null ? null : TypeFile.read(file);
    } catch (UnknownShapeException e) {
      // as if it were not there
    }
    read.put(name, type);
    return type;
  }

  /** Whether a class is another one, or below it. */
  boolean isBelow(@Nullable String name, String of) {
    if (name == null) {
      return false;
    }
    if (name.equals(of)) {
      return true;
    }
    TypeFile type = get(name);
    if (type == null) {
      return false;
    }
    if (isBelow(type.superName, of)) {
      return true;
    }
    for (String one : type.interfaces) {
      if (isBelow(one, of)) {
        return true;
      }
    }
    return false;
  }

  /** The method that a class has, its own or one that it inherits. */
  @Nullable Method find(String from, String name, String type) {
    TypeFile first = get(from);
    for (TypeFile one = first; one != null; one = get(one.above)) {
      Method method = one.method(name, type);
      if (method != null) {
        return method;
      }
    }
    for (TypeFile one = first; one != null; one = get(one.above)) {
      for (String up : one.interfaces) {
        Method method = find(up, name, type);
        if (method != null) {
          return method;
        }
      }
    }
    return null;
  }

  /** Takes the native methods of a class: they may be the code of abstract ones. */
  void addNatives(String name) {
    TypeFile type = get(name);
    for (int i = 0; type != null && i < type.methods.size(); i++) {
      Method method = type.methods.get(i);
      if (method.isNative() && !method.isStatic()) {
        natives.computeIfAbsent(method.name + method.type, key -> new ArrayList<>(1)).add(name);
      }
    }
  }

  /** Forgets what was concluded, since classes have come that change it. */
  void forget() {
    for (TypeFile type : read.values()) {
      for (int i = 0; type != null && i < type.methods.size(); i++) {
        type.methods.get(i).summary = null;
      }
    }
  }

  /** Drops the class files: native methods stay known. */
  void drop() {
    read.clear();
  }

  /** Whether an abstract method has native code in a class below. */
  boolean isNativeBelow(Method method) {
    asked.add(new Asked(method.of.name, method.name, method.type));
    for (String name : natives.getOrDefault(method.name + method.type, List.of())) {
      if (isBelow(name, method.of.name)) {
        return true;
      }
    }
    return false;
  }

  /** The code of an abstract method in the classes below; nothing if there are too many. */
  List<Method> implementations(Method method) {
    List<Method> found = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    Deque<String> left = new ArrayDeque<>(source.below(method.of.name));
    while (!left.isEmpty()) {
      String name = left.pop();
      TypeFile type = seen.add(name) ? get(name) : null;
      if (type == null) {
        continue;
      }
      Method one = type.method(method.name, method.type);
      if (one != null && !one.isAbstract()) {
        found.add(one);
        if (found.size() > MOST_IMPLEMENTATIONS) {
          return List.of();
        }
      }
      left.addAll(source.below(name));
    }
    return found;
  }

  /** Whether a call leaves Java, though no native method is called: by JNA, JNR, FFM or Unsafe. */
  boolean leavesJava(Call call) {
    return isDowncall(call) || isFreeMemory(call) || isOfLibrary(call);
  }

  static boolean isDowncall(Call call) {
    return call.owner().equals("java/lang/invoke/MethodHandle")
        && call.name().startsWith("invoke")
        && call.type().contains(MEMORY_SEGMENT);
  }

  static boolean isFreeMemory(Call call) {
    return call.name().equals("freeMemory")
        && call.type().startsWith("(J)")
        && call.owner().endsWith("misc/Unsafe");
  }

  /** The argument of a call, its receiver the first, that a cleaner will clean; -1: none. */
  static int cleaned(Call call) {
    return switch (call.owner()) {
      case "java/lang/ref/Cleaner" -> call.name().equals("register") ? 1 : -1;
      case "java/lang/ref/PhantomReference" -> call.name().equals("<init>") ? 1 : -1;
      case "sun/misc/Cleaner", "jdk/internal/ref/Cleaner" -> call.name().equals("create") ? 0 : -1;
      default -> -1;
    };
  }

  /** Whether a call is of an interface that JNA or JNR binds to a library. */
  private boolean isOfLibrary(Call call) {
    return call.opcode() == Opcode.INVOKEINTERFACE
        && !call.owner().startsWith("java/")
        && !isOfBinder(call.owner())
        && (call.type().contains("Lcom/sun/jna/")
            || call.type().contains("Ljnr/ffi/")
            || isBelow(call.owner(), "com/sun/jna/Library"));
  }

  /** The libraries that call natives by interfaces. */
  private static boolean isOfBinder(String owner) {
    return owner.startsWith("com/sun/jna/") || owner.startsWith("jnr/ffi/");
  }

  /** What a method calls, but the JDK's methods. */
  List<Call> calls(Method method) {
    List<Call> known = method.calls;
    if (known == null) {
      known = new ArrayList<>(4);
      method.calls = known;
      try {
        read(method, known);
      } catch (UnknownShapeException | IndexOutOfBoundsException e) {
        known.clear();
      }
    }
    return known;
  }

  private void read(Method method, List<Call> calls) throws UnknownShapeException {
    TypeFile of = method.of;
    byte[] file = of.file;
    int end = method.code + method.length;
    for (int at = method.code; at < end; at += Insns.length(file, method.code, at)) {
      int opcode = file[at] & 0xff;
      if (opcode == Opcode.PUTFIELD || opcode == Opcode.LASTORE) {
        method.writes = true;
      } else if (opcode >= Opcode.INVOKEVIRTUAL && opcode <= Opcode.INVOKEINTERFACE) {
        int member = BigEndian.u2(file, at + 1);
        add(
            method,
            calls,
            new Call(opcode, of.owner(member), of.memberName(member), of.memberType(member)));
      } else if (opcode == Opcode.INVOKEDYNAMIC) {
        Call target = of.target(BigEndian.u2(file, at + 1));
        if (target != null) {
          add(method, calls, target);
        }
      }
    }
  }

  private void add(Method method, List<Call> calls, Call call) {
    if (leavesJava(call)) {
      method.callsOut = true;
      calls.add(call);
    } else if (call.owner().endsWith("/Cleaner") && cleaned(call) >= 0) {
      method.cleans = true;
    } else if (!isOfJdk(call.owner())) {
      calls.add(call);
    } else {
      method.runs |= call.owner().equals("java/lang/Runnable");
      method.writes |= call.owner().startsWith("java/util/concurrent/atomic/");
      method.cleans |= cleaned(call) >= 0;
    }
  }
}
