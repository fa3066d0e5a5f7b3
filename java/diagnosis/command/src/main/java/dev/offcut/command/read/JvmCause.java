package dev.offcut.command.read;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the JVM takes memory of malloc for at the request of the program, and keeps for as long as
 * the program does not give it back: by the functions of the JVM on the way.
 */
public enum JvmCause {
  STRINGS("string table", "java.lang.String.intern", "StringTable::", "JVM_InternString"),
  SYMBOLS("symbol table", "", "SymbolTable::"),
  REFERENCES(
      "JNI global references",
      "",
      "jni_NewGlobalRef",
      "jni_NewWeakGlobalRef",
      "JNIHandles::make_global",
      "JNIHandles::make_weak_global"),
  TAGS("JVMTI tags", "", "JvmtiTagMap", "JvmtiEnv::SetTag");

  private static final String BEGIN = "the JVM's ";

  private final String words;

  /** The Java method that leads to it, for JVMs without symbols; or empty. */
  private final String method;

  @SuppressWarnings("ImmutableEnumChecker") // List.of makes it
  private final List<String> functions;

  JvmCause(String words, String method, String... functions) {
    this.words = words;
    this.method = method;
    this.functions = List.of(functions);
  }

  /** What stands in the place of the native function, with its library. */
  String function(String library) {
    return BEGIN + words + "(" + library + ")";
  }

  /** The cause that a place of {@link #function} has; null if it has another function. */
  public static @Nullable JvmCause of(String function) {
    for (JvmCause one : values()) {
      if (function.startsWith(BEGIN + one.words + "(")) {
        return one;
      }
    }
    return null;
  }

  /** The cause of a stack; null if it has none. {@code method}: the innermost Java method. */
  static @Nullable JvmCause of(List<String> natives, String method) {
    for (JvmCause one : values()) {
      if (one.method.equals(method)
          || natives.stream().anyMatch(name -> one.functions.stream().anyMatch(name::startsWith))) {
        return one;
      }
    }
    return null;
  }

  /** As in "1 MiB of the JVM's string table". */
  public String words() {
    return BEGIN + words;
  }
}
