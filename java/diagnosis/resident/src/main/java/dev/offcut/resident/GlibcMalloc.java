package dev.offcut.resident;

import static dev.offcut.resident.ProcessMemory.PAGE;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What glibc's malloc has in use and what it keeps, read from the headers of its chunks.
 *
 * <pre>
 *   heap of an arena, at a multiple of 64 MiB; the main arena's is [heap], and begins with a chunk
 *   ┌───────────┬──────────────────┬───────┬───────┬───────┬───────┬───────────────┐
 *   │ heap_info │ state (1st heap) │ chunk │ chunk │   …   │  top  │ not accessible│
 *   └───────────┴──────────────────┴───────┴───────┴───────┴───────┴───────────────┘
 *   chunk = word, size | flags, bytes …   the flag PREV_INUSE says that the one before is in use
 * </pre>
 *
 * Sizes of heap_info and state differ by version, so they are searched: a chain of chunks is
 * believed if it ends where its heap ends. The program runs meanwhile, so a chain may break; then
 * it is read again, and after three times its heap is not told apart. Small blocks that a thread
 * keeps for itself (tcache) look used and count as such, and a trim leaves them.
 */
final class GlibcMalloc {
  /** A heap of an arena that is not the main one begins at a multiple of this. */
  private static final long HEAP_ALIGNMENT = 64L << 20;

  private static final long PREV_INUSE = 1;
  private static final long IS_MMAPPED = 2;
  private static final long FLAGS = 7;

  private static final long HEADER = 2 * Long.BYTES;
  private static final long ALIGNMENT = 16;
  private static final long LEAST_CHUNK = 32;

  /** What a trim leaves at the beginning of a free chunk: its header and its links. */
  private static final long LINKS = 48;

  /** Before the lists of freed small chunks in the state of an arena. */
  private static final long STATE_HEAD = 16;

  private static final int FASTBINS = 10;

  /** Chunks in these lists are smaller than 256 bytes. */
  private static final int SIZE_BITS = 8;

  private static final long SIZE_MASK = (1 << SIZE_BITS) - 1;

  /** More than any version's state needs up to its top. */
  private static final long MOST_STATE = 256;

  /** Where the first chunk of an arena may be, from its state. */
  private static final long LEAST_STATE_SIZE = 1024;

  private static final long MOST_STATE_SIZE = 8192;

  /** In 2.26 to 2.41. */
  private static final long USUAL_STATE_SIZE = 2208;

  private static final int TRIES = 3;

  /** A list of freed chunks that is longer changes while it is read. */
  private static final int MOST_LISTED = 10_000_000;

  /** Pages without a header after which nobody looks further in a mapping. */
  private static final int MOST_PAGES_WITHOUT = 4096;

  /**
   * What is not in use in all heaps that were read, and the size of those that could not be.
   *
   * @param trimmable resident, free, and returned by a trim
   * @param fragmented resident and free, but not returned by a trim
   * @param unread resident, of heaps that could not be read
   */
  record Sizes(long trimmable, long fragmented, long unread, int arenas) {
    static final Sizes NONE = new Sizes(0, 0, 0, 0);
  }

  /** A heap of an arena. */
  private static final class Heap {
    private final long start;

    /** Grows and shrinks while the program runs. */
    private long end;

    /** What was accessible of it before; its end may be lower by now, and higher again later. */
    private final long accessible;

    /** The address of the arena's state; 0 of the main arena, whose state is in the library. */
    private final long state;

    private final boolean first;
    private ProcessMemory.Pages pages;

    /** Starts and ends of free chunks, by address, each apart from the next. */
    private long[] free = new long[64];

    private int freeLength;

    /** Chunks of lists: the address, and the size in the lowest bits. */
    private long[] freed = new long[64];

    private int freedLength;
    private long top;

    Heap(
        long start,
        long end,
        long accessible,
        long state,
        boolean first,
        ProcessMemory.Pages pages) {
      this.pages = pages;
      this.start = start;
      this.end = end;
      this.accessible = accessible;
      this.state = state;
      this.first = first;
    }

    /** Of lists, in the order of the lists. */
    private void addFreed(long chunk, long size) {
      if (freedLength == freed.length) {
        freed = Arrays.copyOf(freed, 2 * freedLength);
      }
      freed[freedLength++] = chunk << SIZE_BITS | size;
    }

    /** Adds the chunks of lists to the free ones. */
    private void mergeFreed() {
      if (freedLength == 0) {
        return;
      }
      Arrays.sort(freed, 0, freedLength);
      long[] others = free;
      int length = freeLength;
      free = new long[length + 2 * freedLength];
      freeLength = 0;
      int other = 0;
      long last = 0;
      for (int i = 0; i < freedLength; i++) {
        long chunk = freed[i] >>> SIZE_BITS;
        for (; other < length && others[other] <= chunk; other += 2) {
          last = addBehind(last, others[other], others[other + 1]);
        }
        last = addBehind(last, chunk, chunk + (freed[i] & SIZE_MASK));
      }
      for (; other < length; other += 2) {
        last = addBehind(last, others[other], others[other + 1]);
      }
    }

    /** Adds what of it is not added yet. Returns where that ends which is added. */
    private long addBehind(long last, long from, long to) {
      if (to > last) {
        addFree(Math.max(last, from), to);
      }
      return Math.max(last, to);
    }

    private void addFree(long from, long to) {
      if (freeLength > 0 && free[freeLength - 1] == from) {
        free[freeLength - 1] = to;
        return;
      }
      if (freeLength == free.length) {
        free = Arrays.copyOf(free, 2 * freeLength);
      }
      free[freeLength++] = from;
      free[freeLength++] = to;
    }
  }

  private final ProcessMemory memory;
  private final List<Mapping> mappings;
  private final List<Heap> heaps = new ArrayList<>();

  private final MainEnd mainEnd;

  private GlibcMalloc(ProcessMemory memory, List<Mapping> mappings, MainEnd mainEnd) {
    this.memory = memory;
    this.mappings = mappings;
    this.mainEnd = mainEnd;
  }

  /** Tells where the main arena ends now. */
  interface MainEnd {
    long read() throws IOException;
  }

  /** Finds and claims all heaps, large blocks included, that nobody has claimed. */
  static Sizes claim(ProcessMemory memory, List<Mapping> mappings, MainEnd mainEnd, Claims claims)
      throws IOException {
    GlibcMalloc malloc = new GlibcMalloc(memory, mappings, mainEnd);
    malloc.find(claims);
    Sizes sizes = malloc.measure();
    for (Heap heap : malloc.heaps) {
      claims.add(heap.start, Math.max(heap.end, heap.accessible), Part.MALLOC_USED);
    }
    for (Mapping mapping : mappings) {
      if (mapping.isAnonymous() && mapping.isWritable() && mapping.resident() > 0) {
        malloc.claimLargeBlocks(mapping, claims);
      }
    }
    return sizes;
  }

  /** Claims what looks like a heap of an arena, of a process whose memory nobody may read. */
  static void claimShapes(List<Mapping> mappings, Claims claims) {
    for (int i = 0; i < mappings.size(); i++) {
      Mapping mapping = mappings.get(i);
      Mapping next = i + 1 < mappings.size() ? mappings.get(i + 1) : mapping;
      boolean isArena =
          mapping.isAnonymous()
              && mapping.isWritable()
              && mapping.start() % HEAP_ALIGNMENT == 0
              && next.isGuard()
              && next.start() == mapping.end()
              && next.end() % HEAP_ALIGNMENT == 0;
      if (isArena || mapping.path().equals("[heap]")) {
        claims.add(mapping, Part.MALLOC_UNREAD, "");
      }
    }
  }

  private void find(Claims claims) throws IOException {
    for (Mapping mapping : mappings) {
      if (mapping.path().equals("[heap]")) {
        if (!claims.isFree(mapping.start(), mapping.end())) {
          continue; // another allocator's
        }
        heaps.add(heap(mapping.start(), mapping.end(), mapping.end(), 0, true));
      } else if (mapping.isAnonymous() && mapping.isWritable()) {
        long at = (mapping.start() + HEAP_ALIGNMENT - 1) & -HEAP_ALIGNMENT;
        for (; at < mapping.end(); at += HEAP_ALIGNMENT) {
          if (claims.isFree(at, at + PAGE)) {
            addHeap(at, Math.min(mapping.end(), at + HEAP_ALIGNMENT));
          }
        }
      }
    }
  }

  private Heap heap(long start, long end, long accessible, long state, boolean first) {
    return new Heap(start, end, accessible, state, first, memory.pages(start, end));
  }

  /** heap_info: the arena's state, the heap before it, its size, its accessible size. */
  private void addHeap(long at, long accessible) throws IOException {
    ProcessMemory.Pages page = memory.pages(at, at + PAGE);
    long state = page.word(at);
    long before = page.word(at + 8);
    long size = page.word(at + 16);
    boolean first = state > at && state < at + MOST_STATE;
    boolean valid =
        size >= PAGE
            && size <= HEAP_ALIGNMENT
            && size % PAGE == 0
            && state % ALIGNMENT == 0
            && (first ? before == 0 : before != 0 && before % HEAP_ALIGNMENT == 0);
    if (valid) {
      heaps.add(heap(at, at + size, accessible, state, first));
    }
  }

  private Sizes measure() throws IOException {
    long trimmable = 0;
    long fragmented = 0;
    long unread = 0;
    Map<Long, List<Heap>> arenas = new LinkedHashMap<>();
    for (Heap heap : heaps) {
      List<Heap> known = arenas.get(heap.state);
      if (known == null) {
        known = new ArrayList<>();
        arenas.put(heap.state, known);
      }
      known.add(heap);
    }
    for (List<Heap> arena : arenas.values()) {
      if (!read(arena)) {
        for (Heap heap : arena) {
          unread += memory.pages(heap.start, heap.end).residentBytes(heap.start, heap.end);
        }
        continue;
      }
      for (Heap heap : arena) {
        long free = 0;
        long returned = 0;
        for (int at = 0; at < heap.freeLength; at += 2) {
          free += heap.pages.residentBytes(heap.free[at], heap.free[at + 1]);
          returned += trimmable(heap, heap.free[at], heap.free[at + 1]);
        }
        trimmable += returned;
        fragmented += free - returned;
      }
    }
    return new Sizes(trimmable, fragmented, unread, arenas.size());
  }

  /** What {@code malloc_trim} returns of a free chunk: whole pages; of tops the main arena's. */
  private static long trimmable(Heap heap, long from, long to) throws IOException {
    boolean isTop = to == heap.end && heap.top != 0;
    if (isTop && heap.state != 0) {
      // The top belongs to no list. What is free before it was merged with it.
      return 0;
    }
    long first = (from + LINKS + PAGE - 1) & -PAGE;
    long last = to & -PAGE;
    return first < last ? heap.pages.residentBytes(first, last) : 0;
  }

  private boolean read(List<Heap> arena) throws IOException {
    for (int turn = 0; turn < TRIES; turn++) {
      try {
        if (readOnce(arena)) {
          return true;
        }
      } catch (IOException e) {
        // A page is gone by now.
      }
    }
    return false;
  }

  private boolean readOnce(List<Heap> arena) throws IOException {
    long top = 0;
    for (Heap heap : arena) {
      heap.end = end(heap);
      heap.pages = memory.pages(heap.start, heap.end);
      if (!readChunks(heap)) {
        return false;
      }
      top = Math.max(top, heap.top);
    }
    // Chunks of these lists look used; a trim frees them first.
    addFastbins(arena, top);
    for (Heap heap : arena) {
      heap.mergeFreed();
    }
    return true;
  }

  /** By now: the mappings were looked at before. */
  private long end(Heap heap) throws IOException {
    if (heap.state == 0) {
      return mainEnd.read();
    }
    long size = memory.pages(heap.start, heap.start + PAGE).word(heap.start + 16);
    return size >= PAGE && size <= HEAP_ALIGNMENT && size % PAGE == 0
        ? heap.start + size
        : heap.end;
  }

  private boolean readChunks(Heap heap) throws IOException {
    if (heap.state == 0) {
      return readChunks(heap, heap.start) || readChunks(heap, heap.start + HEADER / 2);
    }
    if (!heap.first) {
      for (long at = heap.start + LEAST_CHUNK; at <= heap.start + MOST_STATE; at += ALIGNMENT) {
        if (readChunks(heap, at)) {
          return true;
        }
      }
      return false;
    }
    if (readChunks(heap, aligned(heap.state + USUAL_STATE_SIZE))) {
      return true;
    }
    long most = Math.min(heap.end, heap.state + MOST_STATE_SIZE);
    for (long at = aligned(heap.state + LEAST_STATE_SIZE); at < most; at += ALIGNMENT) {
      if (readChunks(heap, at)) {
        return true;
      }
    }
    return false;
  }

  private static long aligned(long address) {
    return (address + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Whether there is a chain of chunks from here to the end of the heap. */
  private boolean readChunks(Heap heap, long from) throws IOException {
    heap.freeLength = 0;
    heap.freedLength = 0;
    heap.top = 0;
    long at = from;
    long size = heap.pages.word(at + 8);
    if ((size & PREV_INUSE) == 0 || size == -1) {
      return false; // nothing is before the first
    }
    while (true) {
      if (size == -1) {
        return false;
      }
      long length = size & ~FLAGS;
      long next = at + length;
      if (length == 0) {
        // A heap that is not its arena's last ends with an empty chunk.
        return heap.state != 0 && at + HEADER == heap.end;
      }
      boolean isFence = length == HEADER && next + HEADER == heap.end;
      if ((length < LEAST_CHUNK && !isFence) || length % ALIGNMENT != 0 || next > heap.end) {
        return false;
      }
      if (next == heap.end || (heap.state == 0 && next + PAGE > heap.end && isEnd(heap, next))) {
        heap.addFree(at, heap.end);
        heap.top = at;
        return true;
      }
      long nextSize = heap.pages.word(next + 8);
      if ((nextSize & PREV_INUSE) == 0) {
        heap.addFree(at, next);
      }
      at = next;
      size = nextSize;
    }
  }

  /** The break need not be at the end of a page: behind it there is nothing. */
  private static boolean isEnd(Heap heap, long at) throws IOException {
    return heap.pages.word(at + 8) == 0;
  }

  /**
   * Small chunks that were freed, but look used: they wait in lists of their arena, one for each
   * size. What is in a list and has another size was allocated again meanwhile.
   */
  private void addFastbins(List<Heap> arena, long top) throws IOException {
    if (top == 0) {
      return;
    }
    long state = arena.get(0).state == 0 ? mainState(top) : arena.get(0).state;
    if (state == 0) {
      return;
    }
    ProcessMemory.Pages pages = memory.pages(state & -PAGE, (state & -PAGE) + 2 * PAGE);
    // Without such lists, as in 2.43, the top stands in their place.
    if (pages.word(state + STATE_HEAD + FASTBINS * Long.BYTES) != top) {
      return;
    }
    long[] heads = new long[FASTBINS];
    for (int bin = 0; bin < FASTBINS; bin++) {
      heads[bin] = pages.word(state + STATE_HEAD + bin * (long) Long.BYTES);
    }
    for (int bin = 0; bin < FASTBINS; bin++) {
      addFastbin(arena, heads[bin], LEAST_CHUNK + bin * ALIGNMENT);
    }
  }

  private static void addFastbin(List<Heap> arena, long head, long size) throws IOException {
    long seen = 0;
    int listed = 0;
    for (long chunk = head; chunk != 0 && listed < MOST_LISTED; listed++) {
      Heap heap = heapOf(arena, chunk);
      if (heap == null
          || chunk == seen // a list that changes may lead back
          || chunk % ALIGNMENT != 0
          || (heap.pages.word(chunk + 8) & ~FLAGS) != size
          || chunk + size > heap.end) {
        return;
      }
      heap.addFreed(chunk, size);
      seen = (listed & listed - 1) == 0 ? chunk : seen;
      long position = chunk + HEADER;
      long link = heap.pages.word(position);
      if (link == -1) {
        return;
      }
      // Since 2.32 a link is mixed with its own address.
      long mixed = (position >>> 12) ^ link;
      chunk = mixed == 0 || heapOf(arena, mixed) != null ? mixed : link;
    }
  }

  private static @Nullable Heap heapOf(List<Heap> arena, long address) {
    for (Heap heap : arena) {
      if (address >= heap.start && address < heap.end) {
        return heap;
      }
    }
    return null;
  }

  /** The main arena's state is in the library's data; its top is known. 0 if it is not found. */
  private long mainState(long top) throws IOException {
    for (int i = 0; i < mappings.size(); i++) {
      Mapping data = mappings.get(i);
      if (!data.isWritable() || !isLibrary(data)) {
        continue;
      }
      long end = data.end();
      if (i + 1 < mappings.size()
          && mappings.get(i + 1).start() == end
          && mappings.get(i + 1).isAnonymous()) {
        end = mappings.get(i + 1).end();
      }
      ProcessMemory.Pages pages = memory.pages(data.start(), end);
      for (long at = data.start(); at < end; at += Long.BYTES) {
        if (pages.word(at) == top) {
          return at - STATE_HEAD - FASTBINS * Long.BYTES;
        }
      }
    }
    return 0;
  }

  private static boolean isLibrary(Mapping mapping) {
    String file = mapping.file();
    String name = file.substring(file.lastIndexOf('/') + 1);
    return name.equals("libc.so.6") || (name.startsWith("libc-2.") && name.endsWith(".so"));
  }

  /** Whether the process uses glibc. */
  static boolean isUsed(List<Mapping> mappings) {
    for (Mapping mapping : mappings) {
      if (isLibrary(mapping)) {
        return true;
      }
    }
    return false;
  }

  /**
   * A large block is a mapping of its own; mappings of several merge. Its header is at the start of
   * the mapping or, of an aligned block, before a page's end.
   */
  private void claimLargeBlocks(Mapping mapping, Claims claims) throws IOException {
    long at = mapping.start();
    int without = 0;
    ProcessMemory.Pages pages = null;
    Claims.Claim claim = claims.atOrAfter(at);
    while (at < mapping.end() && without < MOST_PAGES_WITHOUT) {
      if (claim != null && claim.start() <= at) {
        at = Math.max(at, claim.end());
        claim = claims.atOrAfter(at);
        continue;
      }
      if (pages == null) {
        pages = memory.pages(mapping.start(), mapping.end());
      }
      long free = claim == null ? mapping.end() : Math.min(mapping.end(), claim.start());
      long end = 0;
      while (at < free && end == 0 && without < MOST_PAGES_WITHOUT) {
        if (pages.isResident(at)) {
          end = claimLargeBlock(pages, mapping, at, claims);
          if (end == 0) {
            end = claimLargeBlock(pages, mapping, at + PAGE - HEADER, claims);
          }
          without = end == 0 ? without + 1 : 0;
        }
        at = end == 0 ? at + PAGE : end;
      }
    }
  }

  /** Returns where it ends; 0 if there is none. */
  private static long claimLargeBlock(
      ProcessMemory.Pages pages, Mapping mapping, long at, Claims claims) throws IOException {
    long size = pages.word(at + 8);
    if (size == -1 || (size & FLAGS) != IS_MMAPPED) {
      return 0;
    }
    long before = pages.word(at);
    long start = at - before;
    long end = at + (size & ~FLAGS);
    if (end % PAGE != 0) {
      end += HEADER; // in 2.43 the size is without the header
    }
    boolean valid =
        before >= 0
            && size > 0
            && start % PAGE == 0
            && end % PAGE == 0
            && start >= mapping.start()
            && end <= mapping.end()
            && end > at + HEADER
            && claims.isFree(start, end);
    if (!valid) {
      return 0;
    }
    claims.add(start, end, Part.MALLOC_USED);
    return end;
  }
}
