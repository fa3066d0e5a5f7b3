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

  /** A session opens what it needs when it is called. */
  public static class Session {
    /** Opens something. */
    public void listen() {}

    /** A session, from settings. */
    public static void load() {}

    /** Ends it. */
    public void close() {}
  }

  @Test
  void receiver_isWhatTheProgramEnds() {
    assertThat(Owners.receiver(Session.class, "listen")).isEqualTo(Session.class);
    assertThat(Owners.receiver(Session.class, "load")).isNull();
    assertThat(Owners.receiver(Session.class, "<init>")).isNull();
    assertThat(Owners.receiver(Job.class, "cancel")).isNull();
    assertThat(Owners.receiver(InputStream.class, "read")).isNull(); // the JDK's counts by itself
  }
}
