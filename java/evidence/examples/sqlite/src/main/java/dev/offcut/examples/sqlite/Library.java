package dev.offcut.examples.sqlite;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The system's libsqlite3: where it is found, and how its functions are linked.
 *
 * <p>Every address crosses as a {@code long}: a returned {@link MemorySegment} would be an
 * allocation between the native return and the handle's record, and that can fail.
 */
final class Library {
  /** Names the library's file, where it is not found by itself. */
  private static final String PROPERTY = "offcut.sqlite.library";

  private static final List<String> NAMES =
      System.getProperty(PROPERTY) == null
          ? List.of("libsqlite3.so.0", "libsqlite3.so", "libsqlite3.dylib")
          : List.of(System.getProperty(PROPERTY));

  private static final @Nullable SymbolLookup SYMBOLS = find();

  private static volatile boolean isChecked;

  private Library() {}

  /** Throws an UnsatisfiedLinkError, which says what to install, if there is no usable library. */
  static void require() {
    if (isChecked) {
      return;
    }
    try {
      if ((int) link("sqlite3_threadsafe", ValueLayout.JAVA_INT).invokeExact() == 0) {
        throw new UnsatisfiedLinkError(
            "libsqlite3 was built without threads (SQLITE_THREADSAFE=0), but the safety net"
                + " finalizes leaked statements on its own thread; install a build with threads");
      }
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
    isChecked = true;
  }

  /** The function as a method handle. */
  @SuppressWarnings("restricted") // calling C is what a binding is for
  static MethodHandle link(String name, @Nullable MemoryLayout result, MemoryLayout... arguments) {
    if (SYMBOLS == null) {
      throw new UnsatisfiedLinkError(
          "SQLite's library was not found (tried "
              + String.join(", ", NAMES)
              + "); install it with `apt-get install libsqlite3-0` on Debian and Ubuntu,"
              + " `dnf install sqlite-libs` on Fedora, `brew install sqlite` on macOS,"
              + " or name its file with -D"
              + PROPERTY
              + "=FILE.");
    }
    FunctionDescriptor type =
        result == null
            ? FunctionDescriptor.ofVoid(arguments)
            : FunctionDescriptor.of(result, arguments);
    String missing = "libsqlite3 has no " + name + "; install SQLite 3.7.15 or newer";
    MemorySegment address = SYMBOLS.find(name).orElseThrow(() -> new UnsatisfiedLinkError(missing));
    return Linker.nativeLinker().downcallHandle(address, type);
  }

  @SuppressWarnings("restricted") // loading the library is what a binding is for
  private static @Nullable SymbolLookup find() {
    for (String name : NAMES) {
      try {
        return SymbolLookup.libraryLookup(name, Arena.global());
      } catch (IllegalArgumentException e) {
        // No such library: the next name, or link() reports it.
      }
    }
    return null;
  }
}
