package dev.offcut.bench.malloc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A native allocator of the system; {@link Malloc} calls it. jemalloc can be called only in a
 * process that has the variable {@link #TUNABLES}.
 */
public enum MallocLibrary {
  /** The C library's: glibc's. */
  LIBC("libc-malloc-critical", "", "malloc", "free", "") {
    @Override
    public boolean isThere() {
      return true;
    }

    @Override
    SymbolLookup lookup() {
      return Linker.nativeLinker().defaultLookup();
    }

    @Override
    public void trim() {
      call("malloc_trim", FunctionDescriptor.of(JAVA_INT, JAVA_LONG), 0L);
    }

    @Override
    @SuppressWarnings("restricted") // a C string
    public String version() {
      Object text = call("gnu_get_libc_version", FunctionDescriptor.of(ADDRESS));
      return ((MemorySegment) text).reinterpret(Long.MAX_VALUE).getString(0);
    }
  },

  MIMALLOC(
      "mimalloc-critical",
      "libmimalloc2.0",
      "mi_malloc",
      "mi_free",
      "mimalloc.so.3 mimalloc.so.2") {
    @Override
    public void trim() {
      call("mi_collect", FunctionDescriptor.ofVoid(JAVA_BOOLEAN), true);
    }

    @Override
    public String version() {
      int version = (int) call("mi_version", FunctionDescriptor.of(JAVA_INT));
      return version / 100 + "." + version / 10 % 10 + "." + version % 10;
    }
  },

  JEMALLOC("jemalloc-critical", "libjemalloc2", "malloc", "free", "jemalloc.so.2") {
    @Override
    public void trim() {
      try (Arena arena = Arena.ofConfined()) {
        control(arena.allocateFrom("thread.tcache.flush"));
        control(arena.allocateFrom("arena.4096.purge")); // of all arenas
      }
    }

    /** Does what needs no value and returns none. */
    private void control(MemorySegment name) {
      MemorySegment none = MemorySegment.NULL;
      var type = FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG);
      int failed = (int) call("mallctl", type, name, none, none, none, 0L);
      if (failed != 0) {
        throw new IllegalStateException("mallctl: " + failed);
      }
    }

    @Override
    public String version() {
      return text("(\\d+\\.\\d+\\.\\d+)-\\d+-g[0-9a-f]{40}");
    }
  };

  /** The launcher sets it: room for the thread-local variables of libraries loaded late. */
  public static final String TUNABLES = "GLIBC_TUNABLES";

  /** What it is set to. */
  public static final String ROOM = "glibc.rtld.optional_static_tls=16384";

  private static final List<Path> FOLDERS =
      List.of(
          Path.of("/usr/lib/x86_64-linux-gnu"),
          Path.of("/usr/lib/aarch64-linux-gnu"),
          Path.of("/usr/lib64"),
          Path.of("/usr/local/lib"));

  final String malloc;
  final String free;

  private final String title;
  private final String debian;
  private final String files;

  MallocLibrary(String title, String debian, String malloc, String free, String files) {
    this.title = title;
    this.debian = debian;
    this.malloc = malloc;
    this.free = free;
    this.files = files;
  }

  /** What its rows are called: critical downcalls call it. */
  public String title() {
    return title;
  }

  /** The library as the system has it, or null. */
  public @Nullable Path file() {
    return Stream.of(files.split(" "))
        .flatMap(file -> FOLDERS.stream().map(folder -> folder.resolve("lib" + file)))
        .filter(Files::isRegularFile)
        .findFirst()
        .orElse(null);
  }

  public boolean isThere() {
    return file() != null;
  }

  /** That there are no rows of it, and what to do. */
  public String absence() {
    String names = "lib" + files.replace(" ", " or lib");
    return title + ": the library " + names + " is not here (Debian: " + debian + ")";
  }

  /** Gives back to the system what is free, also what this thread keeps. */
  public abstract void trim();

  /** Such as {@code 2.36}. */
  public abstract String version();

  @SuppressWarnings("restricted") // the functions are called with their own signatures
  SymbolLookup lookup() {
    return SymbolLookup.libraryLookup(Objects.requireNonNull(file(), absence()), Arena.global());
  }

  @SuppressWarnings("restricted") // the signatures are those of C
  MethodHandle downcall(String name, FunctionDescriptor type, Linker.Option... options) {
    return Linker.nativeLinker().downcallHandle(lookup().findOrThrow(name), type, options);
  }

  /** Calls a function that is called seldom. */
  Object call(String name, FunctionDescriptor type, Object... arguments) {
    try {
      return downcall(name, type).invokeWithArguments(arguments);
    } catch (Throwable t) {
      throw Malloc.thrown(t);
    }
  }

  /** The group of a text that stands in the library. */
  String text(String pattern) {
    try {
      byte[] library = Files.readAllBytes(Objects.requireNonNull(file(), absence()));
      Matcher matcher =
          Pattern.compile(pattern).matcher(new String(library, StandardCharsets.ISO_8859_1));
      return matcher.find() ? matcher.group(1) : "unknown";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
