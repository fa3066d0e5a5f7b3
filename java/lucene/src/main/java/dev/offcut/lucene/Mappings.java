package dev.offcut.lucene;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.Charset;
import java.nio.file.Path;

/**
 * Files in the address space, by calls of Linux. The JDK maps a file for one arena, and unmaps it
 * when that arena is closed, which stops every thread: here a mapping has no arena.
 */
@SuppressWarnings("restricted") // this is where the directory meets the system
final class Mappings {
  private static final int O_RDONLY_CLOEXEC = 0x80000;
  private static final int PROT_READ = 1;
  private static final int MAP_SHARED = 1;
  private static final int MADV_WILLNEED = 3;
  private static final int SC_PAGESIZE = 30;
  private static final int ENOMEM = 12;
  private static final long MAP_FAILED = -1;

  private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
  private static final VarHandle ERRNO_OF =
      Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final MethodHandle OPEN = link("open", JAVA_INT, true, ADDRESS, JAVA_INT);
  private static final MethodHandle CLOSE = link("close", JAVA_INT, false, JAVA_INT);
  private static final MethodHandle MMAP =
      link("mmap", JAVA_LONG, true, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
  private static final MethodHandle MUNMAP = link("munmap", JAVA_INT, false, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle MADVISE =
      link("madvise", JAVA_INT, false, JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle MINCORE =
      link("mincore", JAVA_INT, false, JAVA_LONG, JAVA_LONG, ADDRESS);
  private static final int PAGE_BYTES = pageBytes();

  /** How the system spells the names of files. */
  private static final Charset NAMES =
      Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

  private Mappings() {}

  private static MethodHandle link(
      String name, MemoryLayout result, boolean tellsErrno, MemoryLayout... arguments) {
    Linker linker = Linker.nativeLinker();
    MemorySegment function = linker.defaultLookup().findOrThrow(name);
    FunctionDescriptor type = FunctionDescriptor.of(result, arguments);
    return tellsErrno
        ? linker.downcallHandle(function, type, ERRNO)
        : linker.downcallHandle(function, type);
  }

  private static int pageBytes() {
    try {
      MethodHandle sysconf = link("sysconf", JAVA_LONG, false, JAVA_INT);
      return Math.toIntExact((long) sysconf.invokeExact(SC_PAGESIZE));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Maps a file of at least one byte, to be read: where it begins. */
  static long map(Path path, long bytes) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      MemorySegment name = arena.allocateFrom(path.toString(), NAMES);
      int file = (int) OPEN.invokeExact(state, name, O_RDONLY_CLOEXEC);
      if (file < 0) {
        throw new IOException(path + " cannot be opened: error " + errno(state));
      }
      long address;
      int error;
      try {
        address = (long) MMAP.invokeExact(state, 0L, bytes, PROT_READ, MAP_SHARED, file, 0L);
        error = errno(state);
      } finally {
        int ignored = (int) CLOSE.invokeExact(file);
      }
      if (address == MAP_FAILED) {
        throw new IOException(path + " cannot be mapped, " + bytes + " bytes: " + reason(error));
      }
      return address;
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static int errno(MemorySegment state) {
    return (int) ERRNO_OF.get(state, 0L);
  }

  private static String reason(int error) {
    return error == ENOMEM
        ? "the process has as many mappings as vm.max_map_count allows, or no address space is left"
        : "error " + error;
  }

  static void unmap(long address, long bytes) {
    try {
      if ((int) MUNMAP.invokeExact(address, bytes) != 0) {
        throw new IllegalStateException(
            "munmap refused " + bytes + " bytes at 0x" + Long.toHexString(address));
      }
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Whether the page of a byte is in memory. */
  static boolean isResident(long address) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(1);
      int ignored = (int) MINCORE.invokeExact(address & -PAGE_BYTES, (long) PAGE_BYTES, state);
      return (state.get(JAVA_BYTE, 0) & 1) != 0;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Asks the system to read pages ahead. It may refuse. */
  static void willNeed(long address, long bytes) {
    long from = address & -PAGE_BYTES;
    try {
      int ignored = (int) MADVISE.invokeExact(from, address + bytes - from, MADV_WILLNEED);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static RuntimeException unexpected(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
  }
}
