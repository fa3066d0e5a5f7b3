package shop;

import dev.offcut.handle.Handles;
import dev.offcut.junit.NoNativeLeaks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with leaks, and without: those whose names begin with leaks have one. */
@NoNativeLeaks
@SuppressWarnings("UnusedVariable") // they keep what is in them
class PhotosTests {
  private static final Image FOREVER = new Image();
  private static final ExecutorService POOL = Executors.newFixedThreadPool(1);

  private static Image ofClass;
  private static List<Image> kept;

  @AutoClose private final Image automatic = new Image();

  private Image each;

  @BeforeAll
  static void open() {
    ofClass = new Image();
  }

  @AfterAll
  static void close() {
    ofClass.close();
    POOL.shutdown();
  }

  @BeforeEach
  void openEach() {
    each = new Image();
  }

  @AfterEach
  void closeEach() {
    each.close();
  }

  @Test
  void closes() {
    try (Image image = new Image()) {
      image.isClosed();
    }
  }

  @Test
  void leaksReachable() {
    kept = List.of(new Image());
  }

  @Test
  void leaksUnreachable() {
    new Image();
  }

  @Test
  void leaksReleased() {
    forget();
    if (!Handles.drain(Duration.ofSeconds(20))) {
      throw new IllegalStateException("not drained");
    }
  }

  private static void forget() {
    new Image();
    new Image();
  }

  @Test
  void leaksInThread() throws InterruptedException {
    Thread thread = new Thread(Image::new);
    thread.start();
    thread.join();
  }

  @Test
  void leaksInPool() throws Exception {
    POOL.submit(() -> new Image()).get();
  }

  @Test
  void failsByItself() {
    new Image();
    throw new IllegalStateException("its own failure");
  }

  @RepeatedTest(3)
  void leaksSecond(RepetitionInfo repetition) {
    if (repetition.getCurrentRepetition() == 2) {
      new Image();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void leaksThird(int number) {
    if (number == 3) {
      new Image();
    }
  }

  @TestFactory
  Stream<DynamicTest> dynamic() {
    return Stream.of(
        DynamicTest.dynamicTest("dynamic closes", () -> new Image().close()),
        DynamicTest.dynamicTest("dynamic leaks", () -> new Image()));
  }

  @Nested
  class Inner {
    private final Image inner = new Image();

    @AfterEach
    void closeInner() {
      inner.close();
    }

    @Test
    void innerCloses() {}

    @Test
    void innerLeaks() {
      new Image();
    }
  }
}
