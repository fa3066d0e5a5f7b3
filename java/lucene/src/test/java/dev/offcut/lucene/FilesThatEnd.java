package dev.offcut.lucene;

import dev.offcut.memory.MemoryPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/**
 * Ends many files of a directory while other threads read other files of it in bulk. None of these
 * reads may fail, and none of these threads may be interrupted. Also a program, for JVMs with other
 * options.
 *
 * <p>Arguments: {@code pool} or {@code mapped}, how many files.
 */
final class FilesThatEnd {
  private static final int READERS = 2;
  private static final int LONGS = 1 << 15;

  private FilesThatEnd() {}

  public static void main(String[] args) throws Exception {
    int files = Integer.parseInt(args[1]);
    if (args[0].equals("pool")) {
      try (MemoryPool pool = MemoryPool.named("ending").create();
          PoolDirectory directory = PoolDirectory.on(pool.owner())) {
        System.out.println(run(directory, files));
      }
    } else {
      Path folder = Files.createTempDirectory("offcut-lucene");
      try (MappedDirectory directory = MappedDirectory.on(folder)) {
        System.out.println(run(directory, files));
      }
      try (Stream<Path> left = Files.list(folder)) {
        for (Path each : left.toList()) {
          Files.delete(each);
        }
      }
      Files.delete(folder);
    }
  }

  /** Returns how many files ended. Throws what a reader has noticed. */
  static int run(Directory directory, int files) throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    CountDownLatch reading = new CountDownLatch(READERS);
    int ended = 0;
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<Long>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        String name = "reader" + i;
        write(directory, name, LONGS, i);
        int first = i;
        readers.add(threads.submit(() -> read(directory, name, first, isOver, reading)));
      }
      try {
        reading.await();
        while (ended < files) {
          endOne(directory, ended);
          ended++;
          if (ended < files / 2 && ended % 50 == 0) { // later ones by what ends them by itself
            Endings.OF_ALL.endAllOf(directory);
          }
        }
        join();
      } finally {
        isOver.set(true);
      }
      for (Future<Long> reader : readers) {
        if (reader.get() == 0) {
          throw new IllegalStateException("a reader has read nothing");
        }
      }
    }
    return ended;
  }

  private static void endOne(Directory directory, int number) throws IOException {
    String name = "ended" + number;
    write(directory, name, 64, number);
    try (IndexInput input = directory.openInput(name, IOContext.DEFAULT)) {
      if (input.clone().readLong() != number) {
        throw new IllegalStateException(name + " has something else");
      }
      directory.deleteFile(name);
    }
  }

  static void write(Directory directory, String name, int longs, long first) throws IOException {
    try (IndexOutput output = directory.createOutput(name, IOContext.DEFAULT)) {
      for (int i = 0; i < longs; i++) {
        output.writeLong(first + i);
      }
    }
  }

  /** Waits until the thread that ends files has nothing more to do. */
  static void join() throws InterruptedException {
    Optional<Thread> ending = endingThread();
    while (ending.isPresent()) {
      ending.get().join();
      ending = endingThread();
    }
  }

  /** The thread that ends files, if it runs. */
  static Optional<Thread> endingThread() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("offcut lucene"))
        .findFirst();
  }

  private static long read(
      Directory directory, String name, int first, AtomicBoolean isOver, CountDownLatch reading)
      throws IOException {
    long[] longs = new long[LONGS];
    byte[] bytes = new byte[LONGS];
    long reads = 0;
    try (IndexInput input = directory.openInput(name, IOContext.DEFAULT)) {
      while (!isOver.get()) {
        IndexInput clone = input.clone();
        clone.readLongs(longs, 0, LONGS);
        clone.seek(8);
        clone.readBytes(bytes, 0, LONGS);
        if (longs[LONGS - 1] != first + LONGS - 1 || bytes[0] != first + 1) {
          throw new IllegalStateException(name + " has something else");
        }
        if (Thread.interrupted()) {
          throw new IllegalStateException("the reader of " + name + " was interrupted");
        }
        reads++;
        reading.countDown();
      }
    } catch (RuntimeException e) {
      reading.countDown();
      throw new IllegalStateException(
          "after " + reads + " reads, interrupted: " + Thread.interrupted(), e);
    }
    return reads;
  }
}
