package dev.offcut.examples.sqlite;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The system's libsqlite3: where it is found, and how its functions are linked.
 *
 * <p>Every address crosses as a {@code long}: a returned {@link MemorySegment} would be an
 * allocation between the native return and the handle's record, and that can fail.
 */
final class Library {
  /** Names the library's file, where it is not found by itself. */
  static final String PROPERTY = "offcut.sqlite.library";

  private static final List<String> NAMES =
      List.of("libsqlite3.so.0", "libsqlite3.so", "libsqlite3.dylib");

  /** The youngest function used: it came with 3.7.15, in 2012. */
  private static final String YOUNGEST = "sqlite3_errstr";

  /** What {@code sqlite3_libversion_number} returns in 3.7.15. */
  private static final int YOUNGEST_VERSION = 3_007_015;

  /** In every SQLite 3 that shows its functions. */
  private static final String OLDEST = "sqlite3_libversion_number";

  /**
   * More than the 127 calls after which the JDK makes code for a method handle, few enough for the
   * JVM not to have compiled the caller, which would not count them.
   */
  private static final int REHEARSALS = 192;

  private static final @Nullable SymbolLookup SYMBOLS = find(candidates());
  private static final @Nullable String PROBLEM = problem();

  private Library() {}

  /**
   * Checks that there is a usable library.
   *
   * @throws UnsatisfiedLinkError with what to install
   */
  static void require() {
    if (PROBLEM != null) {
      throw new UnsatisfiedLinkError(PROBLEM);
    }
  }

  /** The function as a method handle. To be called after {@link #require}. */
  @SuppressWarnings("restricted") // calling C is what a binding is for
  static MethodHandle link(String name, @Nullable MemoryLayout result, MemoryLayout... arguments) {
    if (SYMBOLS == null) {
      throw new UnsatisfiedLinkError(PROBLEM);
    }
    FunctionDescriptor type =
        result == null
            ? FunctionDescriptor.ofVoid(arguments)
            : FunctionDescriptor.of(result, arguments);
    MemorySegment address =
        SYMBOLS.find(name).orElseThrow(() -> new UnsatisfiedLinkError("libsqlite3 has no " + name));
    return Linker.nativeLinker().downcallHandle(address, type);
  }

  /**
   * Calls a function that must not need memory until it needs none; with 0, which it ignores: what
   * {@code HandleType.Builder.rehearse} does for a releaser. The first call links it, and after
   * some more the JDK makes code of its own for its method handle; with a full heap each of these
   * throws OutOfMemoryError, and what was to be released is lost. To be called in the initializer
   * of the function's class.
   */
  static void rehearse(LongConsumer function) {
    for (int i = 0; i < REHEARSALS; i++) {
      function.accept(0);
    }
  }

  private static List<String> candidates() {
    String named = System.getProperty(PROPERTY);
    return named == null ? NAMES : List.of(named);
  }

  private static @Nullable SymbolLookup find(List<String> candidates) {
    for (String name : candidates) {
      SymbolLookup found = open(name);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  @SuppressWarnings("restricted") // loading the library is what a binding is for
  private static @Nullable SymbolLookup open(String name) {
    try {
      Path file = Path.of(name);
      return Files.isRegularFile(file) && file.isAbsolute()
          ? SymbolLookup.libraryLookup(file, Arena.global())
          : SymbolLookup.libraryLookup(name, Arena.global());
    } catch (IllegalArgumentException e) {
      return null; // not there, or no library: the next name, or require() says so
    }
  }

  private static @Nullable String problem() {
    if (SYMBOLS == null) {
      return "SQLite's library was not found (tried "
          + String.join(", ", candidates())
          + "); install it with `apt-get install libsqlite3-0` on Debian and Ubuntu,"
          + " `dnf install sqlite-libs` on Fedora, `brew install sqlite` on macOS,"
          + " or name its file with -D"
          + PROPERTY
          + "=FILE.";
    }
    String missing = missing(SYMBOLS, SYMBOLS.find(OLDEST).isPresent() ? callInt(OLDEST) : 0);
    if (missing != null) {
      return missing;
    }
    if (callInt("sqlite3_threadsafe") == 0) {
      return "libsqlite3 was built without threads (SQLITE_THREADSAFE=0), but forgotten statements"
          + " are finalized on a thread of their own; install one that was built with them.";
    }
    return null;
  }

  /**
   * What a library lacks, and what to do; null if it has all that is used.
   *
   * @param version what {@link #OLDEST} returns, such as 3007015; 0 if there is no such function
   */
  static @Nullable String missing(SymbolLookup symbols, int version) {
    if (version == 0) {
      return "The library found is not SQLite, or it hides its functions (it has no "
          + OLDEST
          + "); name another file with -D"
          + PROPERTY
          + "=FILE.";
    }
    if (symbols.find(YOUNGEST).isPresent()) {
      return null;
    }
    return version < YOUNGEST_VERSION
        ? "libsqlite3 is older than 3.7.15 (it has no " + YOUNGEST + "); install a newer one."
        : "libsqlite3 is new enough (its version is "
            + version
            + "), but it hides functions (it has no "
            + YOUNGEST
            + "); name another file with -D"
            + PROPERTY
            + "=FILE.";
  }

  /** Calls a function without arguments. */
  private static int callInt(String name) {
    try {
      return (int) link(name, ValueLayout.JAVA_INT).invokeExact();
    } catch (Throwable t) {
      throw new AssertionError(name + " throws nothing", t);
    }
  }
}
