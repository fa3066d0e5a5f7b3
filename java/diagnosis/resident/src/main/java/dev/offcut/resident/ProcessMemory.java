package dev.offcut.resident;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a process by address, read word by word, and which of its pages are resident. Only
 * resident pages are read: to read another one would make the system give the process a page.
 *
 * <p>What is read is copied by pages, since the system has no cheaper way; of these pages only the
 * words that are asked for are looked at, and none is kept. One thread.
 */
final class ProcessMemory implements Closeable {
  /** The size of a page. */
  static final long PAGE = pageSize();

  private static final int ENTRY = Long.BYTES;

  /** In what the system says of a page: it is resident. */
  static final long PRESENT = 1L << 63;

  /** The key of the page size in what the system tells each process at its start. */
  private static final long PAGE_SIZE_KEY = 6;

  private static final long USUAL_PAGE = 4096;

  /** Pages of which the system is asked at once, at most: of 256 MiB. */
  private static final long LOOKED_AT_PAGES = 1 << 16;

  /** Pages that are copied at once, at most: where one after the other is read. */
  private static final int WINDOW_PAGES = 16;

  /** Whoever reads on so many pages behind the last ones reads one after the other. */
  private static final int SKIPPED_PAGES = 4;

  private @Nullable FileChannel memory;
  private final @Nullable FileChannel pagemap;

  /** What the system copies to. Not a direct one: in a program that is tracked it would count. */
  private final ByteBuffer copied =
      ByteBuffer.allocate((int) (WINDOW_PAGES * PAGE)).order(ByteOrder.nativeOrder());

  /** The same as words: they are asked for by the thousand, in the interpreter. */
  private final long[] window = new long[(int) (WINDOW_PAGES * PAGE / Long.BYTES)];

  private long windowStart;
  private long windowEnd;

  /** Where the last window ended, and how many pages it had. */
  private long readTo;

  private int readPages = 1;

  private ByteBuffer entries = ByteBuffer.allocate(0);

  /** That of a process, as far as this user may look at it. */
  ProcessMemory(Path process) {
    this.memory = open(process.resolve("mem"));
    this.pagemap = open(process.resolve("pagemap"));
  }

  private static @Nullable FileChannel open(Path file) {
    try {
      return FileChannel.open(file, StandardOpenOption.READ);
    } catch (IOException e) {
      return null; // another user's, or in a container that forbids it
    }
  }

  /**
   * Tries to read a word, since some systems open the file for everybody and refuse each read.
   * After that it is known whether words can be read.
   */
  void tryToRead(List<Mapping> mappings) throws IOException {
    for (Mapping mapping : mappings) {
      if (mapping.isAnonymous() && mapping.isWritable() && mapping.resident() > 0 && isReadable()) {
        Pages pages = pages(mapping.start(), mapping.end());
        for (long page = mapping.start(); page < mapping.end(); page += PAGE) {
          if (pages.isResident(page)) {
            try {
              pages.word(page);
            } catch (IOException e) {
              close(memory);
              memory = null;
            }
            return;
          }
        }
      }
    }
  }

  /** Whether words can be read. */
  boolean isReadable() {
    return memory != null && pagemap != null;
  }

  /** Whether the system tells which pages are resident. */
  boolean hasPages() {
    return pagemap != null;
  }

  private static long pageSize() {
    try {
      ByteBuffer told =
          ByteBuffer.wrap(Files.readAllBytes(Path.of("/proc/self/auxv")))
              .order(ByteOrder.nativeOrder());
      while (told.remaining() >= 2 * Long.BYTES) {
        long key = told.getLong();
        long value = told.getLong();
        if (key == PAGE_SIZE_KEY) {
          return value;
        }
      }
    } catch (IOException e) {
      // It is told to whoever may read its own memory; else no memory is read.
    }
    return USUAL_PAGE;
  }

  /**
   * Pages of an address range, and which of them are resident. The system is asked as they are
   * needed, for many at once: a range may be terabytes.
   */
  final class Pages {
    private final long start;
    private final long end;

    /** Of the pages from {@code lookedAt} on. */
    private final boolean[] resident;

    private long lookedAt = -1;

    private Pages(long start, long end) {
      this.start = start;
      this.end = end;
      this.resident = new boolean[(int) Math.min(LOOKED_AT_PAGES, (end - start) / PAGE)];
    }

    boolean contains(long address) {
      return address >= start && address < end;
    }

    boolean isResident(long address) throws IOException {
      if (!contains(address)) {
        return false;
      }
      long span = resident.length * PAGE;
      long from = start + (address - start) / span * span;
      if (from != lookedAt) {
        look(from, Math.min(end, from + span), resident);
        lookedAt = from;
      }
      return resident[(int) ((address - from) / PAGE)];
    }

    /** Resident bytes between two addresses; a page counts as far as it lies between them. */
    long residentBytes(long from, long to) throws IOException {
      long bytes = 0;
      for (long page = from & -PAGE; page < to; page += PAGE) {
        if (isResident(page)) {
          bytes += Math.min(to, page + PAGE) - Math.max(from, page);
        }
      }
      return bytes;
    }

    /**
     * The word at an address that is a multiple of eight; -1 if its page is not resident, which no
     * header of malloc has for a value.
     */
    long word(long address) throws IOException {
      if (address < windowStart || address >= windowEnd) {
        if (memory == null || !isResident(address)) {
          return -1;
        }
        fill(address & -PAGE);
      }
      return window[(int) (address - windowStart) >> 3];
    }

    private void fill(long from) throws IOException {
      FileChannel source = Objects.requireNonNull(memory);
      boolean goesOn = from >= readTo && from < readTo + SKIPPED_PAGES * PAGE;
      readPages = goesOn ? Math.min(WINDOW_PAGES, 2 * readPages) : 1;
      long to = from + PAGE;
      while (to < from + readPages * PAGE && isResident(to)) {
        to += PAGE;
      }
      readTo = to;
      copied.clear().limit((int) (to - from));
      windowStart = from;
      windowEnd = from;
      while (copied.hasRemaining()) {
        int read = source.read(copied, from + copied.position());
        if (read <= 0) {
          break; // unmapped by now
        }
      }
      if (copied.position() < PAGE) {
        throw new IOException("the page at 0x" + Long.toHexString(from) + " cannot be read");
      }
      int bytes = (int) (copied.position() & -PAGE);
      copied.position(0).limit(bytes);
      copied.asLongBuffer().get(window, 0, bytes / Long.BYTES);
      windowEnd = from + bytes;
    }
  }

  /** The pages of an address range, of which the system is asked anew. */
  Pages pages(long start, long end) {
    forget();
    return new Pages(start, end);
  }

  private void look(long start, long end, boolean[] resident) throws IOException {
    int count = (int) ((end - start) / PAGE);
    int told = readEntries(start, count);
    // Without a call for each page: PRESENT is the sign.
    byte[] bytes = entries.array();
    int sign = entries.order() == ByteOrder.LITTLE_ENDIAN ? ENTRY - 1 : 0;
    for (int page = 0; page < count; page++) {
      resident[page] = page < told && bytes[page * ENTRY + sign] < 0;
    }
  }

  /** Reads what the system says of so many pages. Returns of how many it does. */
  private int readEntries(long start, int count) throws IOException {
    if (entries.capacity() < count * ENTRY) {
      entries = ByteBuffer.allocate(count * ENTRY).order(ByteOrder.nativeOrder());
    }
    entries.clear().limit(count * ENTRY);
    long offset = start / PAGE * ENTRY;
    while (pagemap != null && entries.hasRemaining()) {
      int read = pagemap.read(entries, offset + entries.position());
      if (read <= 0) {
        break; // behind the last mapping
      }
    }
    return entries.position() / ENTRY;
  }

  /** Whether a page is resident now. */
  boolean isResident(long page) throws IOException {
    return readEntries(page, 1) == 1 && (entries.getLong(0) & PRESENT) != 0;
  }

  /** What was copied before may have changed. */
  void forget() {
    windowStart = 0;
    windowEnd = 0;
  }

  private static void close(@Nullable FileChannel file) throws IOException {
    if (file != null) {
      file.close();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      close(pagemap);
    } finally {
      close(memory);
    }
  }
}
