package dev.offcut.command;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.zip.Deflater;

/**
 * A program that has one problem of native memory, or none, and writes the truth about it into a
 * file: what a report has to say first. The same kind, size and seed make the same problem.
 *
 * <p>It is a single file for Java 17, since the table of verdicts is made on that, too.
 */
final class SeededProgram {
  /** Of what is held or lost, if the program knows it exactly: malloc's headers, and rounding. */
  private static final double EXACT = 0.05;

  /** Where the system or the JVM decides how much it is. */
  private static final double ABOUT = 0.5;

  private static final long MIB = 1L << 20;

  /** What one of the loaders has. */
  private static final long METASPACE = 26 << 10;

  /** Long enough for an account while all of it is there. */
  private static final long SHORTEST_MILLIS = 5_000;

  /** Long enough to tell what grows from what was opened at once. */
  private static final long GROWING_MILLIS = 14_000;

  private static final long STARTED =
      ProcessHandle.current().info().startInstant().orElseGet(Instant::now).toEpochMilli();

  private static final List<Object> HELD = new ArrayList<>();
  private static final Deque<Object> TURNS = new ArrayDeque<>();

  private final long bytes;
  private final Random random;
  private final Path folder;
  private String line = "";

  private SeededProgram(long bytes, long seed, Path folder) {
    this.bytes = bytes;
    this.random = new Random(seed);
    this.folder = folder;
  }

  /**
   * The truth about a program.
   *
   * @param finding the first one of its report, as JSON has it; empty if there is to be none
   * @param kind of resources; or empty
   * @param says what the finding's title or text has in it
   * @param bytes of the finding; 0 if it has none
   * @param tolerance a share of those
   */
  record Truth(String finding, String kind, String says, long bytes, double tolerance) {
    static final Truth HEALTHY = new Truth("", "", "", 0, 0);
  }

  /** What newer JDKs alone have; a class of its own, since this one is for Java 17. */
  interface Newer {
    Truth make(String kind, long bytes, Random random);
  }

  /** {@code KIND MIB SEED FILE}: the truth goes into the file, what it maps beside it. */
  public static void main(String[] arguments) throws Exception {
    Path file = Path.of(arguments[3]).toAbsolutePath();
    SeededProgram program =
        new SeededProgram(
            Long.parseLong(arguments[1]) * MIB,
            Long.parseLong(arguments[2]),
            Objects.requireNonNull(file.getParent()));
    Truth truth = program.make(arguments[0]);
    Files.writeString(
        file,
        String.format(
            Locale.ROOT,
            "finding=%s%nkind=%s%nsays=%s%nline=%s%nbytes=%d%ntolerance=%s%n",
            truth.finding(),
            truth.kind(),
            truth.says(),
            program.line,
            truth.bytes(),
            truth.tolerance()),
        StandardCharsets.UTF_8);
    sleepUntil(SHORTEST_MILLIS);
  }

  private Truth make(String kind) throws Exception {
    return switch (kind) {
      case "growing-buffers" -> growingBuffers();
      case "open-buffers" -> openBuffers();
      case "unsafe-blocks" -> unsafeBlocks();
      case "late-buffers" -> lateBuffers();
      case "unwatched-malloc" -> unwatchedMalloc();
      case "kept-malloc" -> keptMalloc();
      case "mapped-files" -> mappedFiles();
      case "threads" -> threads();
      case "loaders" -> loaders();
      case "finalizers" -> finalizers();
      case "lost-arenas", "pooled", "healthy-arenas" ->
          Class.forName("dev.offcut.command.NewerSeeds")
              .asSubclass(Newer.class)
              .getDeclaredConstructor()
              .newInstance()
              .make(kind, bytes, random);
      case "healthy-reuse" -> reuseBuffers();
      case "healthy-blocks" -> freeBlocks();
      case "healthy-burst" -> giveBackABurst();
      case "healthy-threads" -> endThreads();
      case "healthy-crew" -> keepACrew();
      case "healthy-garbage" -> makeGarbage();
      case "healthy-heap" -> fillTheHeap();
      case "healthy-map" -> mapAnIndex();
      case "healthy-loaders" -> dropLoaders();
      case "healthy-cache" -> fillACache();
      case "healthy-deflaters" -> endDeflaters();
      default -> throw new IllegalArgumentException("no such kind: " + kind);
    };
  }

  /** Remembers the caller's line, where the problem is. */
  private <T> T here(T opened) {
    if (line.isEmpty()) {
      line =
          StackWalker.getInstance()
              .walk(
                  frames ->
                      frames
                          .skip(1)
                          .map(frame -> frame.toStackTraceElement().toString())
                          .findFirst()
                          .orElse(""));
      line = line.substring(line.lastIndexOf('/') + 1); // without its loader
    }
    return opened;
  }

  private int between(int least, int most) {
    return least + random.nextInt(most - least);
  }

  // ---- Problems

  /** A list of buffers that nothing is ever taken from. */
  private Truth growingBuffers() throws InterruptedException {
    int steps = 140;
    for (int i = 1; i <= steps; i++) {
      HELD.add(here(ByteBuffer.allocateDirect((int) (bytes / steps))));
      sleepUntil(GROWING_MILLIS / steps * i);
    }
    return new Truth("growing", "buffer.direct", "", bytes / steps * steps, EXACT);
  }

  private Truth openBuffers() {
    long held = 0;
    while (held < bytes) {
      int size = between(1 << 10, 64 << 10);
      HELD.add(here(ByteBuffer.allocateDirect(size)));
      held += size;
    }
    return new Truth("open", "buffer.direct", "", held, EXACT);
  }

  private Truth unsafeBlocks() throws ReflectiveOperationException {
    Blocks blocks = new Blocks();
    long held = 0;
    while (held < bytes) {
      int size = between(100, 20_000);
      blocks.allocate(size);
      held += size;
    }
    return new Truth("open", "unsafe", "", held, EXACT);
  }

  /** Buffers that are dropped; the collector comes now and then. */
  private Truth lateBuffers() throws InterruptedException {
    long round = bytes / 8;
    for (int i = 0; i < 8; i++) {
      for (long done = 0; done < round; ) {
        int size = between(4 << 10, 256 << 10);
        TURNS.add(here(ByteBuffer.allocateDirect(size)));
        done += size;
      }
      TURNS.clear();
      System.gc();
      Thread.sleep(50);
    }
    return new Truth("late", "buffer.direct", "", 0, 0);
  }

  /** What libraries in C do: memory of objects that nobody watches. */
  private Truth unwatchedMalloc() {
    byte[] text = new byte[64 << 10];
    byte[] out = new byte[64 << 10];
    random.nextBytes(text);
    long each = 268 << 10; // what zlib says that one takes
    for (long held = 0; held < bytes; held += each) {
      Deflater deflater = here(new Deflater());
      deflater.setInput(text);
      deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
      HELD.add(deflater);
    }
    return new Truth("open", "malloc.native", "of malloc", bytes, ABOUT);
  }

  /** A burst of small blocks, of which the last ones stay. */
  private Truth keptMalloc() throws ReflectiveOperationException {
    Blocks blocks = new Blocks();
    List<Long> burst = new ArrayList<>();
    for (long held = 0; held < bytes; ) {
      int size = between(500, 30_000);
      burst.add(blocks.allocate(size));
      held += size;
    }
    int stays = burst.size() - 1;
    for (int i = 0; i < stays; i++) {
      if (i % 1_000 != 0) {
        blocks.free(burst.get(i));
      }
    }
    return new Truth("kept", "", "malloc keeps", bytes, 0.15);
  }

  private Truth mappedFiles() throws IOException {
    int size = between(2 << 20, 8 << 20);
    int files = (int) Math.max(1, bytes / size);
    for (int i = 0; i < files; i++) {
      HELD.add(map(folder.resolve("segment-" + i + ".data"), size));
    }
    return new Truth("mapped", "", "segment-", (long) files * size, EXACT);
  }

  /** Mapped and read; the file itself goes. */
  private static MappedByteBuffer map(Path file, int size) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE)) {
      MappedByteBuffer buffer = channel.map(FileChannel.MapMode.READ_WRITE, 0, size);
      for (int at = 0; at < size; at += 4096) {
        buffer.put(at, (byte) 1);
      }
      return buffer;
    }
  }

  private Truth threads() throws InterruptedException {
    int depth = between(300, 900);
    int each = 80 << 10;
    int count = (int) (bytes / each);
    start("importer-", count, depth, new CountDownLatch(1));
    return new Truth("threads", "", "importer", 0, 0);
  }

  private static void start(String name, int count, int depth, CountDownLatch end)
      throws InterruptedException {
    CountDownLatch ready = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      Thread thread =
          new Thread(
              () -> {
                descend(depth);
                ready.countDown();
                await(end);
              },
              name + i);
      thread.setDaemon(true);
      thread.start();
    }
    ready.await();
  }

  private static int descend(int depth) {
    return depth == 0 ? 0 : 1 + descend(depth - 1);
  }

  private static void await(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** An application that is deployed again and again, and never goes. */
  private Truth loaders() throws IOException {
    byte[] code = code();
    for (long held = 0; held < bytes; held += METASPACE) {
      HELD.add(new Redeployed(code).load());
    }
    return new Truth("loaders", "", "Redeployed", bytes, ABOUT);
  }

  private static byte[] code() throws IOException {
    try (InputStream in = SeededProgram.class.getResourceAsStream("SeededProgram.class")) {
      if (in == null) {
        throw new IOException("no class file");
      }
      return in.readAllBytes();
    }
  }

  /** The loader of an application: it has classes of its own. */
  private static final class Redeployed extends ClassLoader {
    private final byte[] code;

    Redeployed(byte[] code) {
      super("application", SeededProgram.class.getClassLoader());
      this.code = code;
    }

    Class<?> load() {
      return defineClass(SeededProgram.class.getName(), code, 0, code.length);
    }
  }

  /** Objects whose finalizer nobody needs. */
  private Truth finalizers() throws InterruptedException {
    long count = bytes / MIB * 1_000;
    for (long i = 0; i < count; i++) {
      TURNS.add(new Finalized());
      if (TURNS.size() == 1_000) {
        TURNS.clear();
      }
    }
    System.gc();
    Thread.sleep(200);
    return new Truth("cost", "finalizer", "Finalized", 0, 0);
  }

  private static final class Finalized {
    @SuppressWarnings("UnusedVariable") // or the JVM leaves the finalizer out
    private static long finalized;

    /** The JVM leaves out one that does nothing. */
    @Override
    @SuppressWarnings({"deprecation", "removal", "Finalize", "Finalizers"}) // it is what is tested
    protected void finalize() {
      finalized++;
    }
  }

  // ---- The same, done right

  private Truth reuseBuffers() {
    List<ByteBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      buffers.add(ByteBuffer.allocateDirect(128 << 10));
    }
    for (int i = 0; i < 20_000; i++) {
      buffers.get(random.nextInt(64)).clear().put(new byte[1_000]);
    }
    HELD.addAll(buffers);
    return Truth.HEALTHY;
  }

  private Truth freeBlocks() throws ReflectiveOperationException {
    Blocks blocks = new Blocks();
    for (long done = 0; done < 4 * bytes; ) {
      int size = between(100, 20_000);
      blocks.free(blocks.allocate(size));
      done += size;
    }
    return Truth.HEALTHY;
  }

  /** Blocks so large that malloc gives each back: its threshold rises to 32 MiB, but not above. */
  private Truth giveBackABurst() throws ReflectiveOperationException {
    Blocks blocks = new Blocks();
    for (int round = 0; round < 3; round++) {
      List<Long> burst = new ArrayList<>();
      for (long held = 0; held < bytes; held += 33 * MIB) {
        burst.add(blocks.allocate(33 * MIB));
      }
      for (long block : burst) {
        blocks.free(block);
      }
    }
    return Truth.HEALTHY;
  }

  private Truth endThreads() throws InterruptedException {
    for (int round = 0; round < 10; round++) {
      CountDownLatch end = new CountDownLatch(1);
      start("short-", 100, 100, end);
      end.countDown();
    }
    Thread.sleep(200);
    return Truth.HEALTHY;
  }

  /** A pool of threads that is full, and stays so. */
  private Truth keepACrew() throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      start("crew-" + i + "-", 20, 20, new CountDownLatch(1));
      Thread.sleep(150);
    }
    return Truth.HEALTHY;
  }

  private Truth makeGarbage() {
    for (long done = 0; done < 20 * bytes; done += 64 << 10) {
      TURNS.add(new byte[64 << 10]);
      if (TURNS.size() > 200) {
        TURNS.remove();
      }
    }
    return Truth.HEALTHY;
  }

  private Truth fillTheHeap() {
    for (long done = 0; done < bytes; done += 10_000) {
      HELD.add(new byte[10_000]);
    }
    return Truth.HEALTHY;
  }

  private Truth mapAnIndex() throws IOException {
    HELD.add(map(folder.resolve("index.data"), 8 << 20));
    return Truth.HEALTHY;
  }

  private Truth dropLoaders() throws IOException {
    byte[] code = code();
    for (int i = 0; i < 200; i++) {
      TURNS.add(new Redeployed(code).load());
      if (TURNS.size() > 10) {
        TURNS.remove();
      }
    }
    TURNS.clear();
    System.gc();
    return Truth.HEALTHY;
  }

  /** It fills for some seconds; then each entry takes the place of another. */
  private Truth fillACache() throws InterruptedException {
    ByteBuffer[] cache = new ByteBuffer[60];
    for (int i = 0; i < 140; i++) {
      ByteBuffer buffer = cache[i % 60];
      if (buffer == null) {
        cache[i % 60] = ByteBuffer.allocateDirect(200 << 10);
      } else {
        buffer.clear().put(new byte[1_000]);
      }
      sleepUntil(GROWING_MILLIS / 140 * i);
    }
    HELD.add(cache);
    return Truth.HEALTHY;
  }

  private Truth endDeflaters() {
    byte[] text = new byte[16 << 10];
    byte[] out = new byte[16 << 10];
    random.nextBytes(text);
    for (int i = 0; i < 1_000; i++) {
      Deflater deflater = new Deflater();
      deflater.setInput(text);
      deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
      deflater.end();
    }
    return Truth.HEALTHY;
  }

  private static void sleepUntil(long millis) throws InterruptedException {
    long left = STARTED + millis - System.currentTimeMillis();
    if (left > 0) {
      Thread.sleep(left);
    }
  }

  /** Blocks of Unsafe, which is in no module that this one reads. */
  private final class Blocks {
    private final Object unsafe;
    private final Method allocate;
    private final Method free;
    private final Method fill;

    Blocks() throws ReflectiveOperationException {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      var field = type.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      unsafe = field.get(null);
      allocate = type.getMethod("allocateMemory", long.class);
      free = type.getMethod("freeMemory", long.class);
      fill = type.getMethod("setMemory", long.class, long.class, byte.class);
    }

    long allocate(long size) throws IllegalAccessException, InvocationTargetException {
      long block = (long) here(allocate.invoke(unsafe, size));
      fill.invoke(unsafe, block, size, (byte) 1);
      return block;
    }

    void free(long block) throws IllegalAccessException, InvocationTargetException {
      free.invoke(unsafe, block);
    }
  }
}
