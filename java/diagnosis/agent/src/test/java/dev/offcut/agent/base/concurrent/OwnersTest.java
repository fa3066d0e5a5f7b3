package dev.offcut.agent.base.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Which objects that a call returns own what it opened. */
class OwnersTest {
  /** What a library has for whoever schedules jobs. */
  public interface Scheduler {
    /** Ends it. */
    void shutdown();
  }

  /** One of its jobs, which ends by itself. */
  public interface Job {
    /** Not needed. */
    boolean cancel();
  }

  /** The library. */
  abstract static class Factory {
    abstract Scheduler scheduler();

    abstract Job job();

    abstract InputStream stream();

    abstract CompletableFuture<String> future();
  }

  @Test
  void returned_isWhatTheProgramEnds() {
    assertThat(Owners.returned(Factory.class, "scheduler")).isEqualTo(Scheduler.class);
    assertThat(Owners.returned(Factory.class, "stream")).isEqualTo(InputStream.class);
    assertThat(Owners.returned(Factory.class, "job")).isNull();
    assertThat(Owners.returned(Factory.class, "future")).isNull();
  }
}
