package dev.offcut.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

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

  /** Before the addresses of a pool: {@code offcut}, a zero, and the version of what follows. */
  private static final long MARK = 0x01_00_74_75_63_66_66_6fL;

  /** The most that one call of {@code memset} clears: it holds up a safepoint. */
  private static final long MOST_CLEARED = 64 << 10;

  /** Linked when the first pool is made; constants, so that a call is compiled as one. */
  private static final class Calls {
    static final MethodHandle MMAP =
        link("mmap", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    static final MethodHandle MUNMAP = link("munmap", JAVA_INT, JAVA_LONG, JAVA_LONG);
    static final MethodHandle MADVISE = link("madvise", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    static final MethodHandle MPROTECT = link("mprotect", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    static final MethodHandle MINCORE = link("mincore", JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS);
    static final MethodHandle SYSCONF = link("sysconf", JAVA_LONG, JAVA_INT);
    static final MethodHandle MEMSET =
        Linker.nativeLinker()
            .downcallHandle(
                Linker.nativeLinker().defaultLookup().findOrThrow("memset"),
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG),
                Linker.Option.critical(false));
    static final LinuxMemory INSTANCE = new LinuxMemory();

    private static MethodHandle link(String name, MemoryLayout result, MemoryLayout... arguments) {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(
          linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments));
    }
  }

  private final int pageBytes;

  private LinuxMemory() {
    try {
      pageBytes = Math.toIntExact((long) Calls.SYSCONF.invokeExact(SC_PAGESIZE));
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
    return Calls.INSTANCE;
  }

  @Override
  public int pageBytes() {
    return pageBytes;
  }

  /**
   * In front of the addresses is a page that says whose they are, to whoever looks from outside.
   */
  @Override
  public long reserve(long bytes, long alignment) {
    try {
      long all = pageBytes + bytes + alignment;
      long reserved =
          (long)
              Calls.MMAP.invokeExact(
                  0L, all, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS_NORESERVE, -1, 0L);
      if (reserved == MAP_FAILED) {
        return 0;
      }
      long aligned = (reserved + pageBytes + alignment - 1) & -alignment;
      long mark = aligned - pageBytes;
      unmap(reserved, mark - reserved);
      unmap(aligned + bytes, reserved + all - (aligned + bytes));
      RawMemory.ALL.set(JAVA_LONG_UNALIGNED, mark, MARK);
      RawMemory.ALL.set(JAVA_LONG_UNALIGNED, mark + Long.BYTES, bytes);
      // Refused where the kernel has no huge pages, which is as good.
      int ignored = (int) Calls.MADVISE.invokeExact(aligned, bytes, MADV_NOHUGEPAGE);
      return aligned;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  public void release(long address, long bytes) {
    unmap(address - pageBytes, pageBytes + bytes);
  }

  private static void unmap(long address, long bytes) {
    if (bytes == 0) {
      return;
    }
    try {
      if ((int) Calls.MUNMAP.invokeExact(address, bytes) != 0) {
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
      return (int) Calls.MADVISE.invokeExact(address, bytes, MADV_DONTNEED) == 0;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  public boolean protect(long address, long bytes, boolean accessible) {
    try {
      return (int)
              Calls.MPROTECT.invokeExact(address, bytes, accessible ? PROT_READ_WRITE : PROT_NONE)
          == 0;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  public void clear(long address, long bytes) {
    try {
      for (long done = 0; done < bytes; done += MOST_CLEARED) {
        long piece = Math.min(MOST_CLEARED, bytes - done);
        long ignored = (long) Calls.MEMSET.invokeExact(address + done, 0, piece);
      }
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  public long resident(long address, long bytes) {
    long pages = (bytes + pageBytes - 1) / pageBytes;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment states = arena.allocate(pages);
      if ((int) Calls.MINCORE.invokeExact(address, bytes, states) != 0) {
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
