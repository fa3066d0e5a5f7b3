package dev.offcut.leaks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;

/** Threads that write large values from the heap: the JDK keeps a direct buffer for each. */
public final class NioThreads {
  private static final int THREADS = 40;
  private static final int VALUE_BYTES = 4 << 20;
  private static final int PIECE_BYTES = 64 << 10;

  private NioThreads() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    CountDownLatch written = new CountDownLatch(THREADS);
    try (Scratch scratch = Scratch.create()) {
      Observer.begin();
      for (int i = 0; i < THREADS; i++) {
        Path file = scratch.path().resolve("value" + i);
        Thread.ofPlatform().daemon().start(() -> work(file, fixed, written));
      }
      written.await();
      Observer.end();
    }
  }

  private static void work(Path file, boolean fixed, CountDownLatch written) {
    write(file, fixed);
    written.countDown();
    try {
      Thread.sleep(Long.MAX_VALUE); // a thread of a pool waits for more
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void write(Path file, boolean fixed) {
    ByteBuffer value = ByteBuffer.wrap(new byte[VALUE_BYTES]);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      while (value.hasRemaining()) {
        int bytes = fixed ? PIECE_BYTES : value.remaining();
        channel.write(value.slice(value.position(), bytes)); // the leak
        value.position(value.position() + bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
