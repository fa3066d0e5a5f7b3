package dev.offcut.account;

import static dev.offcut.account.ProcessMemory.PAGE;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes accounts of the resident memory of one process on Linux: another process, or its own. The
 * process needs no agent.
 *
 * <p>The system reports the resident bytes of each mapping. The owner of a mapping comes from these
 * sources, in this order: the JVM, the mapping's path, marks of Offcut's pools, the tables of other
 * allocators, the headers of malloc, and stack pointers. The first source that claims an address
 * keeps it. Memory that no source claims is unexplained.
 *
 * <p>Only one thread at a time may use an accountant.
 */
public final class Accountant {
  /** A mapped file that has less in memory is told with all others. */
  private static final long LEAST_NAMED = 1L << 20;

  /** Ranges of metaspace are asked for again after so many accounts. */
  private static final int METASPACE_PERIOD = 6;

  /** Bytes of heap for a byte of a card table, or of a block offset table. */
  private static final int CARD = 512;

  /** At the beginning of a page before a pool's addresses; the library writes it. */
  private static final long POOL_MARK = 0x01_00_74_75_63_66_66_6fL;

  /** Bytes of heap for a byte of Shenandoah's mark bitmap. */
  private static final int BITMAP = 32;

  private static final long MERGED = 4 << 20;

  /** With less of it nobody asks for class loaders; and not before it changed by such a share. */
  private static final long LEAST_METASPACE = 16 << 20;

  private static final int METASPACE_STEP = 16;

  private final Path process;
  private final boolean isOwn;
  private final Libraries libraries = new Libraries();
  private @Nullable Jcmd socket;
  private JvmRanges ranges = JvmRanges.UNKNOWN;
  private List<Account.Group> loaders = List.of();
  private long metaspaceThen;
  private int taken;

  /**
   * Makes an accountant of a process. If the process is another JVM, some tool must have attached
   * to it before: the accountant asks it on the socket that it then opens. Without that, the heap
   * and the JVM's own memory are unexplained.
   *
   * @param pid the id of the process
   */
  public Accountant(long pid) {
    this(Path.of("/proc", String.valueOf(pid)), pid == ProcessHandle.current().pid());
  }

  /** One whose files are in a folder. */
  Accountant(Path process) {
    this(process, false);
  }

  private Accountant(Path process, boolean isOwn) {
    this.process = process;
    this.isOwn = isOwn;
  }

  /**
   * Takes an account. The process runs on meanwhile, so the account is not an exact snapshot.
   *
   * @return the account
   * @throws IOException if the process has ended, or this user may not read its mappings
   */
  public Account take() throws IOException {
    askJvm();
    List<Mapping> mappings = Mapping.of(process);
    if (mappings.stream().noneMatch(mapping -> mapping.resident() > 0)) {
      throw new IOException("the process has ended");
    }
    List<String> limits = new ArrayList<>();
    if (ranges.ranges().isEmpty() && mappings.stream().anyMatch(Libraries::isJvm)) {
      limits.add(
          "Nobody could ask the JVM where it has its parts, so its heap and its own memory are"
              + " unexplained.");
    }
    Claims claims = new Claims();
    for (JvmRanges.Range range : ranges.ranges()) {
      claims.add(range.start(), range.end(), range.part());
    }
    libraries.claim(process, mappings, claims);
    try (ProcessMemory memory = new ProcessMemory(process)) {
      GlibcMalloc.Sizes malloc = GlibcMalloc.Sizes.NONE;
      claimPools(memory, mappings, claims);
      libraries.claimAllocators(process, mappings, memory, claims);
      if (memory.isReadable() && GlibcMalloc.isUsed(mappings)) {
        malloc = GlibcMalloc.claim(memory, mappings, () -> Mapping.heapEnd(process), claims);
      } else if (!memory.isReadable()) {
        GlibcMalloc.claimShapes(mappings, claims);
        limits.add(
            "Nobody may read this process's memory, so what malloc has in use and what it keeps are"
                + " one row, and its large blocks are unexplained.");
      }
      ThreadStacks.Threads threads = ThreadStacks.claim(process, mappings, claims);
      claimTables(mappings, ranges, claims);
      libraries.claimUnread(mappings, claims);
      Descriptors descriptors = Descriptors.of(process);
      if (descriptors.open() < 0) {
        limits.add("Nobody may read which file descriptors this process has open.");
      }
      Sums sums = new Sums(mappings, claims, memory);
      sums.split(malloc, ranges);
      return new Account(
          sums.resident,
          mappings.stream().mapToLong(Mapping::swapped).sum(),
          sums.rows(),
          ranges.heapUsed(),
          ranges.heapLimit(),
          threads.count(),
          malloc.arenas(),
          ControlGroup.of(process),
          threads.names(),
          loaders(sums.sum(Part.METASPACE) + sums.sum(Part.CLASS_SPACE)),
          descriptors,
          List.copyOf(limits));
    }
  }

  private void askJvm() throws IOException {
    JvmRanges.Asked jvm = jvm();
    if (jvm != null) {
      ranges =
          ranges.ranges().isEmpty()
              ? JvmRanges.of(jvm)
              : ranges.again(jvm, taken % METASPACE_PERIOD == 0);
      taken++;
    }
  }

  /** Whom to ask; null if nobody answers. */
  private JvmRanges.@Nullable Asked jvm() throws IOException {
    if (isOwn) {
      return new OwnJvm();
    }
    if (socket == null) {
      socket = Jcmd.of(process);
    }
    return socket.isThere() ? socket : null;
  }

  /** They are asked for again once metaspace has changed: the JVM stops its threads meanwhile. */
  private List<Account.Group> loaders(long metaspace) throws IOException {
    long change = Math.abs(metaspace - metaspaceThen);
    if (metaspace >= LEAST_METASPACE && change >= metaspace / METASPACE_STEP) {
      JvmRanges.Asked jvm = jvm();
      loaders = jvm == null ? List.of() : JvmRanges.loaders(jvm);
      metaspaceThen = metaspace;
    }
    return metaspace < LEAST_METASPACE ? List.of() : loaders;
  }

  /** A pool has a page before its addresses, which says how many there are. */
  private static void claimPools(ProcessMemory memory, List<Mapping> mappings, Claims claims)
      throws IOException {
    for (Mapping mapping : mappings) {
      long page = mapping.end() - PAGE;
      if (mapping.isAnonymous() && mapping.resident() > 0 && claims.isFree(page, mapping.end())) {
        ProcessMemory.Pages pages = memory.pages(page, mapping.end());
        if (pages.word(page) == POOL_MARK) {
          long bytes = pages.word(page + Long.BYTES);
          claims.add(page, mapping.end() + Math.max(0, bytes), Part.POOLS);
        }
      }
    }
  }

  /**
   * Tables of a collector that the JVM does not tell of. Each has its size from the heap's. The
   * block offset table is beside the card table; a bitmap is a range of its own. They are claimed
   * after all that is known for sure.
   */
  private static void claimTables(List<Mapping> mappings, JvmRanges known, Claims claims) {
    long heap = known.heapLimit();
    if (heap == 0) {
      return;
    }
    for (JvmRanges.Range range : known.ranges()) {
      if (range.part() == Part.GC && range.end() - range.start() == heap / CARD) {
        claims.add(range.start() - heap / CARD, range.start(), Part.GC);
        claims.add(range.end(), range.end() + heap / CARD, Part.GC);
      }
    }
    if (known.isShenandoah()) {
      claimBitmap(mappings, heap / BITMAP, claims);
    }
  }

  /**
   * A range of its own. It may have become one mapping with a neighbour's, whose part is claimed
   * already, or with a little that nobody claims. So all that lies free in a row is looked at, and
   * what fits best is claimed. There is a second one of its size, for heap dumps; most JVMs never
   * touch that.
   */
  static void claimBitmap(List<Mapping> mappings, long bytes, Claims claims) {
    List<Free> free = free(mappings, claims);
    long bestStart = 0;
    long bestEnd = 0;
    long least = MERGED + 1;
    for (int first = 0; first < free.size(); first++) {
      long start = free.get(first).start();
      long end = start;
      boolean isTouched = false;
      for (int next = first; next < free.size() && end < start + bytes; next++) {
        if (free.get(next).start() != end) {
          break;
        }
        end = free.get(next).end();
        isTouched |= free.get(next).isTouched();
      }
      long over = end - start - bytes;
      if (isTouched && over >= 0 && over < least) {
        least = over;
        bestStart = start;
        bestEnd = end;
      }
    }
    claims.add(bestStart, bestEnd, Part.GC);
  }

  private record Free(long start, long end, boolean isTouched) {}

  /** What nobody claims of private anonymous mappings, by address. */
  private static List<Free> free(List<Mapping> mappings, Claims claims) {
    List<Free> free = new ArrayList<>();
    for (Mapping mapping : mappings) {
      if (!mapping.isAnonymous() || mapping.isShared()) {
        continue;
      }
      for (long at = mapping.start(); at < mapping.end(); ) {
        Claims.Claim claim = claims.atOrAfter(at);
        long until = claim == null ? mapping.end() : Math.min(mapping.end(), claim.start());
        if (until > at) {
          free.add(new Free(at, until, mapping.resident() > 0));
        }
        at = claim == null ? mapping.end() : Math.max(until, claim.end());
      }
    }
    return free;
  }

  /** Resident bytes by part and detail. */
  private static final class Sums {
    /**
     * What bytes are added up by. Its methods stand here because those that the JDK would make for
     * it cost more CPU than the rest of the first account's sums.
     */
    private record Key(Part part, String detail) {
      @Override
      public boolean equals(@Nullable Object other) {
        return other instanceof Key key && part == key.part && detail.equals(key.detail);
      }

      @Override
      public int hashCode() {
        return 31 * part.hashCode() + detail.hashCode();
      }
    }

    private final Map<Key, Long> bytes = new HashMap<>();
    private final Claims claims;
    private final ProcessMemory memory;
    private long resident;

    Sums(List<Mapping> mappings, Claims claims, ProcessMemory memory) throws IOException {
      this.claims = claims;
      this.memory = memory;
      for (Mapping mapping : mappings) {
        resident += mapping.resident();
        if (mapping.resident() > 0) {
          add(mapping);
        }
      }
    }

    private void add(Part part, String detail, long more) {
      bytes.merge(new Key(part, detail), more, Long::sum);
    }

    private void add(Mapping mapping) throws IOException {
      Claims.Claim first = claims.atOrAfter(mapping.start());
      if (first == null || first.start() >= mapping.end()) {
        add(Part.UNEXPLAINED, "", mapping.resident());
      } else if (first.start() <= mapping.start() && first.end() >= mapping.end()) {
        addWhole(mapping, first);
      } else if (memory.hasPages()) {
        addPieces(mapping);
      } else {
        addWhole(mapping, first); // the larger part of it, as far as anybody can tell
      }
    }

    /** Pages that ZGC maps several times belong to the heap once. */
    private void addWhole(Mapping mapping, Claims.Claim claim) {
      if (claim.part() == Part.HEAP_USED && mapping.isShared()) {
        add(claim.part(), "", mapping.proportional());
        add(Part.HEAP_AGAIN, "", mapping.resident() - mapping.proportional());
      } else {
        add(claim.part(), claim.detail(), mapping.resident());
      }
    }

    /** By pages. The system counted them a moment before, so the largest piece takes the rest. */
    private void addPieces(Mapping mapping) throws IOException {
      ProcessMemory.Pages pages = memory.pages(mapping.start(), mapping.end());
      Map<Key, Long> pieces = new HashMap<>();
      for (long at = mapping.start(); at < mapping.end(); ) {
        Claims.Claim claim = claims.atOrAfter(at);
        Key key = new Key(Part.UNEXPLAINED, "");
        long end = mapping.end();
        if (claim != null && claim.start() <= at) {
          key = new Key(claim.part(), claim.detail());
          end = Math.min(end, claim.end());
        } else if (claim != null) {
          end = Math.min(end, claim.start());
        }
        pieces.merge(key, pages.residentBytes(at, end), Long::sum);
        at = end;
      }
      long left = mapping.resident();
      List<Map.Entry<Key, Long>> byBytes = new ArrayList<>(pieces.entrySet());
      byBytes.sort(Map.Entry.comparingByValue());
      for (int i = 0; i < byBytes.size(); i++) {
        Map.Entry<Key, Long> piece = byBytes.get(i);
        long part = i == byBytes.size() - 1 ? left : Math.min(left, piece.getValue());
        add(piece.getKey().part(), piece.getKey().detail(), part);
        left -= part;
      }
    }

    /** Of malloc what it keeps, and of the heap what is free. */
    void split(GlibcMalloc.Sizes malloc, JvmRanges jvm) {
      take(Part.MALLOC_USED, Part.MALLOC_TRIMMABLE, malloc.trimmable());
      take(Part.MALLOC_USED, Part.MALLOC_FRAGMENTED, malloc.fragmented());
      take(Part.MALLOC_USED, Part.MALLOC_UNREAD, malloc.unread());
      take(Part.MALLOC_USED, Part.MALLOC_JVM, Math.max(0, jvm.malloc()));
      if (jvm.heapUsed() >= 0) {
        take(Part.HEAP_USED, Part.HEAP_FREE, Math.max(0, sum(Part.HEAP_USED) - jvm.heapUsed()));
      }
    }

    private long sum(Part part) {
      return bytes.getOrDefault(new Key(part, ""), 0L);
    }

    private void take(Part from, Part to, long wanted) {
      long moved = Math.min(wanted, sum(from));
      if (moved > 0) {
        add(from, "", -moved);
        add(to, "", moved);
      }
    }

    List<Account.Row> rows() {
      List<Account.Row> rows = new ArrayList<>();
      Map<Part, Long> small = new HashMap<>();
      bytes.forEach(
          (key, sum) -> {
            if (key.detail().isEmpty() || sum < LEAST_NAMED) {
              small.merge(key.part(), sum, Long::sum);
            } else {
              rows.add(new Account.Row(key.part(), key.detail(), sum));
            }
          });
      small.forEach(
          (part, sum) -> {
            if (sum > 0) {
              rows.add(new Account.Row(part, "", sum));
            }
          });
      rows.sort(
          Comparator.comparing(Account.Row::part)
              .thenComparing(Account.Row::bytes, Comparator.reverseOrder()));
      return List.copyOf(rows);
    }
  }
}
