package dev.offcut.resident;

import static dev.offcut.resident.ProcessMemory.PAGE;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
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
  /** Ranges of metaspace are asked for again after so many accounts. */
  private static final int METASPACE_PERIOD = 6;

  /** One in so many bytes may be unexplained. */
  private static final int MUCH = 100;

  /** So often a process is looked at whose memory changes meanwhile. */
  private static final int MOST_LOOKS = 3;

  /** Bytes of heap for a byte of a card table, or of a block offset table. */
  private static final int CARD = 512;

  /** At the beginning of a page before a pool's addresses; the library writes it. */
  private static final long POOL_MARK = 0x01_00_74_75_63_66_66_6fL;

  /** Bytes of heap for a byte of Shenandoah's mark bitmap. */
  private static final int BITMAP = 32;

  private static final long MERGED = 4 << 20;

  /** A record of one of Shenandoah's regions has whole cache lines: two to sixteen, by version. */
  private static final int CACHE_LINE = 64;

  private static final int MOST_LINES = 16;

  /** Nobody asks for class loaders again before metaspace changed by such a share. */
  private static final int METASPACE_STEP = 16;

  private final Path process;

  /** Asks the JVM of this process; null for another process. */
  private final JvmRanges.@Nullable Asked own;

  private final Libraries libraries = new Libraries();
  private @Nullable Jcmd socket;
  private JvmRanges ranges = JvmRanges.UNKNOWN;
  private List<Account.Group> loaders = List.of();

  /** Whether the process waits for this account before it ends. */
  private boolean isLast;

  private long metaspaceThen;
  private int taken;
  private boolean wasRefused;

  /** What nobody claimed when all ranges were known. */
  private long unexplainedThen;

  /** At the first account. */
  private @Nullable ProcessState state;

  private GoProgram.@Nullable Figures go;

  /** Whether it is a program of Go's; null before the first account. */
  private @Nullable Boolean isGo;

  /**
   * Makes an accountant of another process. A JVM is asked on the socket that it opens when a tool
   * attaches to it. If no tool has attached before, the heap and the JVM's own memory are
   * unexplained.
   *
   * @param pid the id of the process; a JVM that asks itself on its socket may hang, so use {@link
   *     #ofThisProcess} for this process
   */
  public Accountant(long pid) {
    this(Path.of("/proc", String.valueOf(pid)));
  }

  /**
   * Makes an accountant of the process that this code runs in. The system lets a process read more
   * of itself than another process may.
   *
   * @param jvm answers commands of {@code jcmd}, as {@code VM.info}; null if there is no answer
   * @return the accountant
   */
  public static Accountant ofThisProcess(Function<String, @Nullable String> jvm) {
    return new Accountant(Path.of("/proc/self"), jvm::apply);
  }

  /** One whose files are in a folder. */
  Accountant(Path process) {
    this(process, null);
  }

  Accountant(Path process, JvmRanges.@Nullable Asked own) {
    this.process = process;
    this.own = own;
  }

  /**
   * Whether something was refused at the last account, by the system or by the JVM, so that rows
   * are missing. A process may read more of itself.
   *
   * @return whether an account of the process itself may have more rows
   */
  public boolean wasRefused() {
    return wasRefused;
  }

  /**
   * Takes an account of a Go program.
   *
   * @param figures what its runtime says of its memory; null if that is not known
   * @return the account
   * @throws IOException as {@link #take()}
   */
  public Account take(GoProgram.@Nullable Figures figures) throws IOException {
    go = figures;
    return take();
  }

  /** Whether the JVM has opened the socket on which it is asked; no tool need attach to it then. */
  public boolean isAnswered() throws IOException {
    return jvm() != null;
  }

  /**
   * Takes the account of a process that waits for it before it ends. If the account has {@link
   * Account#MANY_LOADERS} class loaders of one class that have much metaspace, the JVM runs a
   * garbage collection, and the account has the loaders that are left. A loader that nothing refers
   * to counts until a collection unloads its classes. If the JVM refuses the collection, the limits
   * of the account say so.
   *
   * @return the account
   * @throws IOException as {@link #take()}
   */
  public Account takeLast() throws IOException {
    isLast = true;
    try {
      return take();
    } finally {
      isLast = false;
    }
  }

  /**
   * Takes an account. The process runs on meanwhile, so the account is not an exact snapshot.
   *
   * @return the account
   * @throws IOException if the process has ended or ends meanwhile, or this user may not read its
   *     mappings
   */
  public Account take() throws IOException {
    checkGoesOn();
    boolean asked = askJvm(taken % METASPACE_PERIOD == 0);
    try (ProcessMemory memory = new ProcessMemory(process)) {
      Look look = look(memory);
      if (!asked && look.unexplained() - unexplainedThen > look.much()) {
        askJvm(true);
        look = look(memory);
        asked = true;
      }
      for (int more = 1; more < MOST_LOOKS && look.hasMoved(); more++) {
        look = look.better(look(memory));
      }
      if (asked) {
        unexplainedThen = look.unexplained();
      }
      wasRefused = !look.limits().isEmpty();
      Account account = account(look);
      checkGoesOn();
      return isLast ? collected(account) : account;
    }
  }

  /** Of a process that ends, some parts are gone already, and what they had would be nobody's. */
  private void checkGoesOn() throws IOException {
    ProcessState now = ProcessState.of(process);
    if (state == null) {
      state = now;
    }
    if (!now.goesOnFrom(state)) {
      throw new IOException("the process has ended");
    }
  }

  /**
   * What was seen of the process's memory at a time.
   *
   * @param moved unexplained bytes that came or went meanwhile; 0 if little is unexplained
   */
  private record Look(
      Sums sums,
      long swapped,
      GlibcMalloc.Sizes malloc,
      ThreadStacks.Threads threads,
      long moved,
      List<String> limits) {
    long unexplained() {
      return sums.sum(Part.UNEXPLAINED);
    }

    /** More than this should not be unexplained. */
    long much() {
      return sums.resident() / MUCH;
    }

    /** Whether much is unexplained, and came or went meanwhile. */
    boolean hasMoved() {
      return moved > much() / 2;
    }

    /** The one of two that explains more. */
    Look better(Look other) {
      return other.unexplained() <= unexplained() ? other : this;
    }
  }

  private Look look(ProcessMemory memory) throws IOException {
    List<Mapping> mappings = Mapping.of(process);
    long resident = 0;
    long swapped = 0;
    boolean isJvm = false;
    for (Mapping mapping : mappings) {
      resident += mapping.resident();
      swapped += mapping.swapped();
      isJvm |= Libraries.isJvm(mapping);
    }
    if (resident == 0) {
      throw new IOException("the process has ended");
    }
    List<String> limits = new ArrayList<>();
    if (ranges.ranges().isEmpty() && isJvm) {
      limits.add(
          "The JVM did not answer where its heap and its own memory are, so both are"
              + " unexplained.");
    }
    Claims claims = new Claims();
    for (JvmRanges.Range range : ranges.ranges()) {
      claims.add(range.start(), range.end(), range.part());
    }
    libraries.claim(process, mappings, claims);
    memory.tryToRead(mappings);
    if (isGo(isJvm)) {
      GoProgram.claimHeap(mappings, memory, claims);
    }
    ThreadStacks stacks = new ThreadStacks(process, mappings);
    stacks.claimSure(memory, claims);
    claimPools(memory, mappings, claims);
    libraries.claimAllocators(process, mappings, memory, claims);
    GlibcMalloc.Sizes malloc = GlibcMalloc.Sizes.NONE;
    if (memory.isReadable() && GlibcMalloc.isUsed(mappings)) {
      malloc = GlibcMalloc.claim(memory, mappings, () -> Mapping.heapEnd(process), claims);
    } else if (!memory.isReadable()) {
      GlibcMalloc.claimShapes(mappings, claims);
      limits.add(
          "This user may not read the memory of the process. So the used and the kept memory of"
              + " malloc are one row, and the large blocks of malloc are unexplained.");
    }
    ThreadStacks.Threads threads = stacks.claim(claims);
    if (!threads.arePointersKnown()) {
      limits.add(
          "This user may not ask the threads of the process where their stacks are. Stacks are known"
              + " by their size alone, so some may be unexplained.");
    }
    claimTables(mappings, ranges, claims);
    libraries.claimUnread(mappings, claims);
    Sums sums = new Sums(mappings, claims, memory);
    sums.split(malloc, ranges);
    if (go != null) {
      sums.split(go);
    }
    boolean isMuch = sums.sum(Part.UNEXPLAINED) > sums.resident() / MUCH;
    return new Look(sums, swapped, malloc, threads, isMuch ? sums.moved() : 0, limits);
  }

  private boolean isGo(boolean isJvm) {
    if (isGo == null) {
      isGo = !isJvm && GoProgram.of(process.resolve("exe")) != null;
    }
    return isGo;
  }

  private Account account(Look look) throws IOException {
    List<String> limits = new ArrayList<>(look.limits());
    Descriptors descriptors = Descriptors.of(process);
    if (descriptors.open() < 0) {
      limits.add("This user may not read which file descriptors the process has open.");
    }
    if (look.hasMoved()) {
      limits.add(
          "The memory of the process changed while it was read. So some of the unexplained memory"
              + " may belong to another row.");
    }
    if (!findLoaders(look.sums().sum(Part.METASPACE) + look.sums().sum(Part.CLASS_SPACE))
        && !ranges.ranges().isEmpty()) {
      limits.add(
          "The JVM did not answer which class loaders it has. Those of the account before are"
              + " named, if there was one.");
    }
    return new Account(
        look.sums().resident(),
        look.swapped(),
        look.sums().rows(),
        ranges.heapUsed(),
        ranges.heapLimit(),
        look.threads().count(),
        look.malloc().arenas(),
        ControlGroup.of(process),
        look.threads().names(),
        loaders,
        descriptors,
        Bound.of(process, descriptors, look.sums(), ranges),
        List.copyOf(limits));
  }

  /** Returns whether nobody knows more by now: all was asked, or the JVM cannot be asked. */
  private boolean askJvm(boolean withMetaspace) throws IOException {
    JvmRanges.Asked jvm = jvm();
    if (jvm == null) {
      return true;
    }
    boolean isFirst = ranges.ranges().isEmpty();
    ranges = isFirst ? JvmRanges.of(jvm) : ranges.again(jvm, withMetaspace);
    taken++;
    return isFirst || withMetaspace;
  }

  /** Whom to ask; null if nobody answers. */
  private JvmRanges.@Nullable Asked jvm() throws IOException {
    if (own != null) {
      return own;
    }
    if (socket == null) {
      socket = Jcmd.of(process);
    }
    return socket.isThere() ? socket : null;
  }

  /**
   * They are asked for again once metaspace has changed, because the JVM stops its threads
   * meanwhile; and for the last account. Returns false if the JVM does not answer.
   */
  private boolean findLoaders(long metaspace) throws IOException {
    long change = Math.abs(metaspace - metaspaceThen);
    if (metaspace < Account.MUCH_METASPACE) {
      loaders = List.of();
      metaspaceThen = 0;
    } else if (isLast || change >= metaspace / METASPACE_STEP) {
      if (!askLoaders()) {
        return false;
      }
      metaspaceThen = metaspace;
    }
    return true;
  }

  private boolean askLoaders() throws IOException {
    JvmRanges.Asked jvm = jvm();
    List<Account.Group> found = jvm == null ? null : JvmRanges.loaders(jvm);
    if (found != null) {
      loaders = found;
    }
    return found != null;
  }

  /** The account with the loaders that a collection leaves. The process may end meanwhile. */
  private Account collected(Account account) throws IOException {
    if (!account.hasManyLoaders()) {
      return account;
    }
    JvmRanges.Asked jvm = jvm();
    return jvm != null && JvmRanges.collect(jvm) && askLoaders()
        ? account.withLoaders(loaders)
        : account.withLoadersUncollected();
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
    if (known.regions() > 0) {
      claimBitmap(mappings, heap / BITMAP, claims);
      claimRegions(mappings, known.regions(), claims);
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

  /** Shenandoah's records of regions: an array by itself, written when the JVM begins. */
  static void claimRegions(List<Mapping> mappings, long regions, Claims claims) {
    long unit = regions * CACHE_LINE;
    for (Free free : free(mappings, claims)) {
      long bytes = free.end() - free.start();
      boolean isOfRegions = unit > 0 && bytes % unit == 0;
      if (isOfRegions && bytes >= 2 * unit && bytes <= MOST_LINES * unit && free.isTouched()) {
        claims.add(free.start(), free.end(), Part.GC);
        return;
      }
    }
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
}
