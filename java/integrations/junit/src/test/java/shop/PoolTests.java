package shop;

import dev.offcut.junit.NoNativeLeaks;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two tests that run at the same time and open by the same thread, which neither has started. */
@NoNativeLeaks
class PoolTests {
  private static final CyclicBarrier BOTH = new CyclicBarrier(2);
  private static ExecutorService pool;

  @BeforeAll
  static void open() throws Exception {
    pool = Executors.newFixedThreadPool(1);
    pool.submit(() -> {}).get();
  }

  @AfterAll
  static void close() {
    pool.shutdown();
  }

  @Test
  void leaks() throws Exception {
    BOTH.await();
    pool.submit(() -> new Image()).get();
    BOTH.await();
  }

  @Test
  void closes() throws Exception {
    BOTH.await();
    pool.submit(() -> new Image().close()).get();
    BOTH.await();
  }
}
