package shop;

import dev.offcut.junit.NoNativeLeaks;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many tests at the same time, some of which leak: handles, and what only the agent sees. */
@NoNativeLeaks
class ManyTests {
  private static final boolean ARENAS = Runtime.version().feature() >= 25;
  private static final Queue<Image> KEPT = new ConcurrentLinkedQueue<>();

  static IntStream numbers() {
    return IntStream.range(0, Chosen.TESTS);
  }

  @ParameterizedTest(name = "test {0}.")
  @MethodSource("numbers")
  void test(int number) throws Exception {
    for (int i = 0; i <= number % 4; i++) {
      new Image().close();
      new Inflater().end();
      Native.free(Native.allocate());
      ByteBuffer.allocateDirect(16);
      if (ARENAS) {
        Native.arena("ofConfined").close();
      }
    }
    if (Chosen.leaks(number)) {
      switch (number % 7) {
        case 0 -> new Image();
        case 1 -> KEPT.add(new Image());
        case 2 -> inThread(Image::new);
        case 3 -> new Inflater();
        case 4 -> Native.allocate();
        case 5 -> inThread(ManyTests::open);
        default -> {
          if (ARENAS) {
            Native.arena("ofShared");
          } else {
            new Deflater();
          }
        }
      }
    }
  }

  /** In a frame of the program: what the JDK opens alone is no test's. */
  private static void open() {
    new Deflater();
  }

  private static void inThread(Runnable opens) throws InterruptedException {
    Thread thread = new Thread(opens);
    thread.start();
    thread.join();
  }
}
