package shop;

import dev.offcut.junit.NoNativeLeaks;
import java.nio.ByteBuffer;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** As {@link Many}, with what only the agent sees. */
@NoNativeLeaks
class ManyNativeTests {
  private static final boolean ARENAS = Runtime.version().feature() >= 25;

  static java.util.stream.IntStream numbers() {
    return Many.numbers();
  }

  @ParameterizedTest(name = "test {0}.")
  @MethodSource("numbers")
  void test(int number) throws Exception {
    for (int i = 0; i <= number % 4; i++) {
      new Inflater().end();
      Native.free(Native.allocate());
      ByteBuffer.allocateDirect(16);
      if (ARENAS) {
        Native.arena("ofConfined").close();
      }
    }
    if (Many.leaks(number)) {
      switch (number % 5) {
        case 0 -> new Inflater();
        case 1 -> Native.allocate();
        case 2 -> {
          Thread thread = new Thread(ManyNativeTests::open);
          thread.start();
          thread.join();
        }
        case 3 -> Kept.keep(new Image());
        default -> {
          if (ARENAS) {
            Native.arena("ofShared");
          } else {
            new Deflater();
          }
        }
      }
    }
    Kept.work(number);
  }

  private static void open() {
    new Deflater();
  }
}
