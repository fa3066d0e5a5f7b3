package dev.offcut.leaks;

import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;

/** A finalizer that waits for ever: no object behind it is finalized and freed. */
public final class CleanerStall {
  private static final int IMAGES = 1_000;
  private static final int PIXELS = 256 << 10;
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private CleanerStall() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    Observer.begin();
    if (!fixed) {
      new Session();
    }
    ByteBuffer reused = ByteBuffer.allocateDirect(PIXELS);
    for (int i = 0; i < IMAGES; i++) {
      new Image(fixed ? reused : ByteBuffer.allocateDirect(PIXELS)); // the memory
      if (i % 50 == 0) {
        System.gc();
      }
      Thread.sleep(2);
    }
    Observer.end();
    Runtime.getRuntime().exit(0);
  }

  /** Says goodbye to its peer when it is finalized; the peer does not answer. */
  private static final class Session {
    @Override
    @SuppressWarnings({"removal", "Finalize"}) // this is what goes wrong
    protected void finalize() throws InterruptedException {
      NEVER.await(); // the leak
    }
  }

  /** Has its memory until it is finalized, as objects of many drivers have. */
  private static final class Image {
    @SuppressWarnings("UnusedVariable") // it is what keeps the memory
    private ByteBuffer pixels;

    Image(ByteBuffer pixels) {
      this.pixels = pixels;
      for (int i = 0; i < PIXELS; i += 4_096) {
        pixels.put(i, (byte) 1);
      }
    }

    @Override
    @SuppressWarnings({"removal", "Finalize"}) // drivers do so
    protected void finalize() {
      pixels = ByteBuffer.allocate(0);
    }
  }
}
