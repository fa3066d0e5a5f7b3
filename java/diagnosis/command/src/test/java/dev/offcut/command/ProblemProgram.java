package dev.offcut.command;

import dev.offcut.memory.MemoryPool;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.zip.Deflater;

/** A program that has one problem of native memory, or none: {@code KIND MIB}. */
final class ProblemProgram {
  private static final long MIB = 1L << 20;

  /** What one of the loaders has. */
  private static final long METASPACE = 12 << 10;

  /** Long enough for an account while all of it is there. */
  private static final long SHORTEST_MILLIS = 5_000;

  /** Long enough to tell what grows from what was opened at once. */
  private static final long GROWING_MILLIS = 14_000;

  private static final int STEPS = 140;
  private static final int LEAF = 1 << 10;
  private static final int GRANULE = 64 << 10;

  private static final long STARTED =
      ProcessHandle.current().info().startInstant().orElseGet(Instant::now).toEpochMilli();

  private static final List<Object> HELD = new ArrayList<>();

  private ProblemProgram() {}

  public static void main(String[] arguments) throws Exception {
    long bytes = Long.parseLong(arguments[1]) * MIB;
    switch (arguments[0]) {
      case "growingBuffers" -> growingBuffers(bytes);
      case "unwatchedMalloc" -> unwatchedMalloc(bytes);
      case "mappedFiles" -> mappedFiles(bytes);
      case "threads" -> start("importer-", (int) (bytes / (80 << 10)), 600);
      case "loaders" -> loaders(bytes);
      case "pooled" -> scatter(bytes);
      case "healthyCrew" -> keepACrew();
      case "healthyCache" -> fillACache();
      default -> throw new IllegalArgumentException("no such kind: " + arguments[0]);
    }
    sleepUntil(SHORTEST_MILLIS);
  }

  /** A list of buffers that nothing is ever taken from. */
  private static void growingBuffers(long bytes) throws InterruptedException {
    for (int i = 1; i <= STEPS; i++) {
      HELD.add(ByteBuffer.allocateDirect((int) (bytes / STEPS)));
      sleepUntil(GROWING_MILLIS / STEPS * i);
    }
  }

  /** What libraries in C do: memory of objects that nobody watches. */
  private static void unwatchedMalloc(long bytes) {
    byte[] text = new byte[64 << 10];
    byte[] out = new byte[64 << 10];
    new Random(2).nextBytes(text);
    long each = 268 << 10; // what zlib says that one takes
    for (long held = 0; held < bytes; held += each) {
      Deflater deflater = new Deflater();
      deflater.setInput(text);
      deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
      HELD.add(deflater);
    }
  }

  private static void mappedFiles(long bytes) throws IOException {
    int size = 4 << 20;
    for (int i = 0; i < bytes / size; i++) {
      HELD.add(map(Path.of("segment-" + i + ".data"), size));
    }
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

  private static void start(String name, int count, int depth) throws InterruptedException {
    CountDownLatch ready = new CountDownLatch(count);
    CountDownLatch never = new CountDownLatch(1);
    for (int i = 0; i < count; i++) {
      Thread thread =
          new Thread(
              () -> {
                descend(depth);
                ready.countDown();
                await(never);
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
  private static void loaders(long bytes) throws IOException {
    try (InputStream in = ProblemProgram.class.getResourceAsStream("ProblemProgram.class")) {
      byte[] code = in == null ? new byte[0] : in.readAllBytes();
      for (long held = 0; held < bytes; held += METASPACE) {
        HELD.add(new Redeployed().load(code));
      }
    }
  }

  /** The loader of an application: it has classes of its own. */
  private static final class Redeployed extends ClassLoader {
    Redeployed() {
      super("application", ProblemProgram.class.getClassLoader());
    }

    Class<?> load(byte[] code) {
      return defineClass(ProblemProgram.class.getName(), code, 0, code.length);
    }
  }

  /** One small chunk stays in each granule, so that none goes back to the system. */
  @SuppressWarnings("restricted") // it writes into its own chunk
  private static void scatter(long bytes) {
    MemoryPool pool = MemoryPool.named("scattered").limit(4 * bytes).create();
    List<Long> chunks = new ArrayList<>();
    for (long taken = 0; taken < bytes; taken += LEAF) {
      long chunk = pool.owner().allocateChunk(LEAF);
      MemorySegment.ofAddress(chunk).reinterpret(LEAF).fill((byte) 1);
      chunks.add(chunk);
    }
    for (int i = 0; i < chunks.size(); i++) {
      if (i % (GRANULE / LEAF) != 0) {
        pool.freeChunk(chunks.get(i));
      }
    }
    HELD.add(pool);
  }

  /** A pool of threads that is full, and stays so. */
  private static void keepACrew() throws InterruptedException {
    long began = System.currentTimeMillis();
    for (int i = 0; i < 10; i++) {
      start("crew-" + i + "-", 20, 20);
      Thread.sleep(150);
    }
    // three quarters of the run without a rise, however busy the machine is
    Thread.sleep(3 * (System.currentTimeMillis() - began));
  }

  /** It fills for some seconds; then each entry takes the place of another. */
  private static void fillACache() throws InterruptedException {
    ByteBuffer[] cache = new ByteBuffer[60];
    for (int i = 0; i < STEPS; i++) {
      ByteBuffer buffer = cache[i % cache.length];
      if (buffer == null) {
        cache[i % cache.length] = ByteBuffer.allocateDirect(200 << 10);
      } else {
        buffer.clear().put(new byte[1_000]);
      }
      sleepUntil(GROWING_MILLIS / STEPS * i);
    }
    HELD.add(cache);
  }

  private static void sleepUntil(long millis) throws InterruptedException {
    long left = STARTED + millis - System.currentTimeMillis();
    if (left > 0) {
      Thread.sleep(left);
    }
  }
}
