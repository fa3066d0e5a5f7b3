package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The net gives nothing back while a pool is verified: verify has the pool's monitor. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class VerifyNetTest {
  private static void forget(MemoryPool pool, boolean isHeap) {
    if (isHeap) {
      pool.owner().openHeap().allocate(70_000);
    } else {
      pool.owner().openSharedArena().allocate(70_000);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void net_whileThePoolIsVerified_waits(boolean isHeap) throws InterruptedException {
    try (MemoryPool pool = PoolInvariants.pool("verified").create()) {
      forget(pool, isHeap);
      synchronized (pool) {
        while (!netWaits()) {
          System.gc();
          Thread.sleep(1); // the net looks about once in a while: nothing else to wait for
          assertThat(pool.snapshot().handedOutBytes()).isGreaterThanOrEqualTo(70_000);
        }
        PoolInvariants.check(pool);
      }
      while (pool.snapshot().usedBytes() + handedOutToNobody(pool) != 0) {
        Thread.sleep(1);
      }
      PoolInvariants.check(pool);
    }
  }

  private static long handedOutToNobody(MemoryPool pool) {
    PoolSnapshot all = pool.snapshot();
    return all.handedOutBytes() - all.keptBytes();
  }

  /** Whether a thread of the net stands before the pool's monitor. */
  private static boolean netWaits() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(each -> each.getKey().getState() == Thread.State.BLOCKED)
        .flatMap(each -> Stream.of(each.getValue()))
        .filter(frame -> frame.getClassName().startsWith("dev.offcut.memory."))
        .anyMatch(frame -> frame.getMethodName().equals("release"));
  }
}
