package dev.offcut.resident;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

/** A program that holds memory of each kind, as much as the constants say, says so, and waits. */
final class Holder {
  static final int SMALL_BUFFERS = 2_000;
  static final int SMALL_BUFFER = 5_000;
  static final int LARGE_BUFFERS = 4;
  static final int LARGE_BUFFER = 6 << 20;
  static final int HEAP = 30 << 20;
  static final int FILE = 12 << 20;
  static final int THREADS = 60;
  static final int BLOCKS = 60_000;
  static final String READY = "ready";

  private static final List<Object> KEPT = new ArrayList<>();

  private Holder() {}

  /** {@code arguments}: a file to map, of the size above; and what to do besides. */
  public static void main(String[] arguments) throws Exception {
    for (int i = 0; i < SMALL_BUFFERS; i++) {
      KEPT.add(touched(ByteBuffer.allocateDirect(SMALL_BUFFER)));
    }
    for (int i = 0; i < LARGE_BUFFERS; i++) {
      KEPT.add(touched(ByteBuffer.allocateDirect(LARGE_BUFFER)));
    }
    for (int i = 0; i < HEAP >> 10; i++) {
      KEPT.add(new byte[1 << 10]);
    }
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(Holder::waitForEver);
      thread.setDaemon(true);
      thread.start();
    }
    KEPT.add(mapped(Path.of(arguments[0])));
    if (arguments.length > 1) {
      freeMost();
    }
    System.gc();
    await(arguments.length > 1);
    System.out.println(READY);
    waitForEver();
  }

  /** Buffers that were dropped are freed by a thread, some time after the collection. */
  private static void await(boolean dropped) throws InterruptedException {
    BufferPoolMXBean direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findFirst()
            .orElseThrow();
    while (dropped && direct.getCount() > SMALL_BUFFERS + LARGE_BUFFERS + BLOCKS / 10) {
      Thread.sleep(10);
    }
  }

  private static void waitForEver() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static ByteBuffer touched(ByteBuffer buffer) {
    for (int at = 0; at < buffer.capacity(); at += 512) {
      buffer.put(at, (byte) 1);
    }
    return buffer;
  }

  private static MappedByteBuffer mapped(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer buffer = channel.map(FileChannel.MapMode.READ_WRITE, 0, FILE);
      touched(buffer);
      return buffer;
    }
  }

  /** Blocks of malloc in a random order, so that free ones lie between used ones. */
  private static void freeMost() {
    Random random = new Random(1);
    List<ByteBuffer> blocks = new ArrayList<>();
    for (int i = 0; i < BLOCKS; i++) {
      int bytes = random.nextInt(100) == 0 ? 20_000 + random.nextInt(60_000) : random.nextInt(3000);
      blocks.add(touched(ByteBuffer.allocateDirect(bytes)));
    }
    Collections.shuffle(blocks, random);
    blocks.subList(blocks.size() / 20, blocks.size()).clear();
    KEPT.add(blocks);
  }
}
