package dev.offcut.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/**
 * Linux: {@code mmap} without reserve, of which a page counts when it is touched first, and {@code
 * madvise(MADV_DONTNEED)}, after which it does not. Huge pages are declined: one byte would keep 2
 * MiB of them.
 *
 * <p>Safe for all threads.
 */
@SuppressWarnings("restricted") // this is where the pool meets the system
final class LinuxMemory implements NativeMemory {
  private static final int PROT_NONE = 0;
  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x02 | 0x20 | 0x4000;
  private static final int MADV_DONTNEED = 4;
  private static final int MADV_NOHUGEPAGE = 15;
  private static final int SC_PAGESIZE = 30;
  private static final long MAP_FAILED = -1;

  /** Up to here the call that holds up a safepoint, and costs less, is short enough for it. */
  private static final long CRITICAL_BYTES = 64 << 10;

  private static final class Holder {
    static final LinuxMemory INSTANCE = new LinuxMemory();
  }

  private final MethodHandle mmap =
      call("mmap", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
  private final MethodHandle munmap = call("munmap", JAVA_INT, JAVA_LONG, JAVA_LONG);
  private final MethodHandle madvise = call("madvise", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
  private final MethodHandle mprotect = call("mprotect", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
  private final MethodHandle mincore = call("mincore", JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS);
  private final MethodHandle memset = call("memset", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
  private final MethodHandle memsetCritical =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("memset"),
              FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG),
              Linker.Option.critical(false));
  private final int pageBytes;

  private LinuxMemory() {
    try {
      pageBytes =
          Math.toIntExact((long) call("sysconf", JAVA_LONG, JAVA_INT).invokeExact(SC_PAGESIZE));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** The one, or an error that says what is needed. */
  static LinuxMemory instance() {
    String system = System.getProperty("os.name", "");
    if (!system.toLowerCase(Locale.ROOT).startsWith("linux") || ADDRESS.byteSize() != Long.BYTES) {
      throw new UnsupportedOperationException(
          "the pool asks the operating system for address space and knows 64-bit Linux only, not "
              + system
              + "; use java.lang.foreign.Arena there");
    }
    return Holder.INSTANCE;
  }

  private static MethodHandle call(String name, MemoryLayout result, MemoryLayout... arguments) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments));
  }

  @Override
  public int pageBytes() {
    return pageBytes;
  }

  @Override
  public long reserve(long bytes, long alignment) {
    try {
      long reserved =
          (long)
              mmap.invokeExact(
                  0L, bytes + alignment, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS_NORESERVE, -1, 0L);
      if (reserved == MAP_FAILED) {
        return 0;
      }
      long aligned = (reserved + alignment - 1) & -alignment;
      if (aligned != reserved) {
        release(reserved, aligned - reserved);
      }
      release(aligned + bytes, reserved + alignment - aligned);
      // Refused where the kernel has no huge pages, which is as good.
      int ignored = (int) madvise.invokeExact(aligned, bytes, MADV_NOHUGEPAGE);
      return aligned;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  public void release(long address, long bytes) {
    if (bytes == 0) {
      return;
    }
    try {
      if ((int) munmap.invokeExact(address, bytes) != 0) {
        throw new IllegalStateException(
            "munmap refused " + bytes + " bytes at 0x" + Long.toHexString(address));
      }
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  public boolean discard(long address, long bytes) {
    try {
      return (int) madvise.invokeExact(address, bytes, MADV_DONTNEED) == 0;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  public boolean protect(long address, long bytes, boolean accessible) {
    try {
      return (int) mprotect.invokeExact(address, bytes, accessible ? PROT_READ_WRITE : PROT_NONE)
          == 0;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  public void clear(long address, long bytes) {
    try {
      MethodHandle call = bytes <= CRITICAL_BYTES ? memsetCritical : memset;
      long ignored = (long) call.invokeExact(address, 0, bytes);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  public long resident(long address, long bytes) {
    long pages = (bytes + pageBytes - 1) / pageBytes;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment states = arena.allocate(pages);
      if ((int) mincore.invokeExact(address, bytes, states) != 0) {
        return 0;
      }
      long resident = 0;
      for (long page = 0; page < pages; page++) {
        resident += states.get(JAVA_BYTE, page) & 1;
      }
      return resident * pageBytes;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static RuntimeException unexpected(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    if (e instanceof RuntimeException runtime) {
      return runtime;
    }
    return new IllegalStateException(e);
  }
}
