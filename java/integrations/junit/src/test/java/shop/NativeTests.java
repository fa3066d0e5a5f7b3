package shop;

import dev.offcut.junit.NoNativeLeaks;
import dev.offcut.junit.Shared;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Tests that open what only the agent sees: those whose names begin with leaks leak it. */
@NoNativeLeaks
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@SuppressWarnings("UnusedVariable") // they keep what is in them
class NativeTests {
  private static final Deflater FOREVER = new Deflater();

  private static ByteBuffer kept;
  private static Inflater handedOn;

  private ByteBuffer field;

  @Test
  void closesInflater() {
    new Inflater().end();
  }

  @Test
  void leaksInflater() {
    new Inflater();
  }

  @Test
  void leaksCollected() throws InterruptedException {
    WeakReference<Inflater> dropped = new WeakReference<>(new Inflater());
    while (!dropped.refersTo(null)) {
      System.gc();
      Thread.sleep(1);
    }
  }

  @Test
  void leaksInThread() throws InterruptedException {
    Thread thread = new Thread(NativeTests::open);
    thread.start();
    thread.join();
  }

  private static void open() {
    new Inflater();
  }

  @Test
  void freesUnsafe() {
    Native.free(Native.allocate());
  }

  @Test
  void leaksUnsafe() {
    Native.allocate();
  }

  @Test
  void dropsBuffer() {
    ByteBuffer.allocateDirect(64);
  }

  @Test
  void holdsBuffer() {
    field = ByteBuffer.allocateDirect(64);
  }

  @Test
  void keepsBuffer() {
    kept = ByteBuffer.allocateDirect(64);
  }

  /** The JDK keeps a direct buffer for the thread, and an inflater for the jar. */
  @Test
  void usesTheJdk() throws Exception {
    Path file = Files.createTempFile("offcut", null);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(10_000));
    }
    Files.delete(file);
    Class<?> assertions = Class.forName("org.assertj.core.api.Assertions");
    try (InputStream in = assertions.getResourceAsStream("Assertions.class")) {
      in.readAllBytes();
    }
  }

  @Test
  @Order(1)
  @Shared
  void handsOn() {
    handedOn = new Inflater();
  }

  @Test
  @Order(2)
  void closesOfPrevious() {
    handedOn.end();
  }
}
