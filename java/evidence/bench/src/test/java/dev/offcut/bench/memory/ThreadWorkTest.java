package dev.offcut.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.child.Workers.Result;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ThreadWorkTest {
  @Test
  void measure_aBusyThread_takesItsOperationsAndItsTime() throws InterruptedException {
    ThreadWork tally = new ThreadWork();
    AtomicBoolean ended = new AtomicBoolean();
    AtomicLong done = new AtomicLong();
    Thread busy =
        new Thread(
            () -> {
              ThreadWork.Meter meter = tally.meter();
              while (!ended.get()) {
                done.addAndGet(1000);
                meter.did(1000);
              }
            });
    busy.start();
    Result result = tally.measure(1_000_000, 20_000_000);
    ended.set(true);
    busy.join();
    assertThat(result.operations()).isPositive().isLessThanOrEqualTo((double) done.get());
    assertThat(result.cpuNanos()).isPositive();
    assertThat(result.wallNanos()).isGreaterThanOrEqualTo(20_000_000);
  }
}
