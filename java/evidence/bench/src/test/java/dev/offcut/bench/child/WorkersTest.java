package dev.offcut.bench.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.SynchronousQueue;
import org.junit.jupiter.api.Test;

class WorkersTest {
  private static final int BLOCK = 1 << 20;

  /** Hands each operation to a thread, which allocates. */
  private static final class Handing implements Workers.Work {
    private final SynchronousQueue<Integer> orders = new SynchronousQueue<>();
    private final Thread helper = new Thread(this::serve, "helper");
    private final boolean counted;
    private volatile byte[] last = new byte[0];
    private int largest;

    Handing(boolean counted) {
      this.counted = counted;
    }

    @Override
    public void begin() {
      helper.setDaemon(true);
      helper.start();
    }

    private void serve() {
      try {
        while (true) {
          last = new byte[orders.take()];
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public int chunk() {
      return 2;
    }

    @Override
    public void times(int operations) {
      largest = Math.max(largest, operations);
      for (int i = 0; i < operations; i++) {
        put(BLOCK);
      }
    }

    private void put(int bytes) {
      try {
        orders.put(bytes);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    @SuppressWarnings("deprecation") // Java 17 has no threadId()
    public long helperThread() {
      return counted ? helper.getId() : 0;
    }

    @Override
    public void check() {
      assertThat(last).hasSize(BLOCK);
      assertThat(largest).isEqualTo(chunk());
    }
  }

  @Test
  void run_helperThread_isCountedToo() throws InterruptedException {
    Workers.Result result = Workers.run(List.of(new Handing(true)), 1, 1);
    assertThat(result.bytesPerOperation()).isGreaterThan(BLOCK / 2.0);
  }

  /** Notes which threads call it. */
  private static final class Noting implements Workers.Work {
    final Set<String> callers = ConcurrentHashMap.newKeySet();
    private boolean ended;

    @Override
    public void times(int operations) {
      assertThat(ended).isFalse();
      callers.add(Thread.currentThread().getName());
    }

    @Override
    public void end() {
      ended = true;
      callers.add(Thread.currentThread().getName() + ", end");
    }

    @Override
    public void check() {
      assertThat(ended).isTrue();
    }
  }

  @Test
  void run_threadsOfAnotherKind_doTheWorkAndEndIt() throws InterruptedException {
    Noting work = new Noting();
    Workers.run(List.of(work), 1, 1, loop -> new Thread(loop, "of another kind"));
    assertThat(work.callers).containsExactlyInAnyOrder("of another kind", "of another kind, end");
  }

  @Test
  void run_anotherThread_isNotCounted() throws InterruptedException {
    Workers.Result result = Workers.run(List.of(new Handing(false)), 1, 1);
    assertThat(result.bytesPerOperation()).isLessThan(BLOCK / 2.0);
  }
}
