package dev.offcut.agent.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.base.concurrent.Counts;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CloseableProofTest {
  private final CloseableProof proof = new CloseableProof(this::make, this::read);

  /** Counts of probes as the helper would have them. */
  private final AtomicLong opened = new AtomicLong();

  private final AtomicLong closed = new AtomicLong();

  /** Looks when the first probe is made. */
  private volatile @Nullable Thread second;

  private AutoCloseable make() {
    Thread starts = second;
    if (starts != null) {
      second = null;
      starts.start();
      while (starts.getState() != Thread.State.BLOCKED && starts.isAlive()) {
        Thread.onSpinWait();
      }
    }
    opened.incrementAndGet();
    return closed::incrementAndGet;
  }

  private long[] read() {
    long[] counts = new long[Counts.LOST + 1];
    counts[Counts.OPENED] = opened.get();
    counts[Counts.CLOSED] = closed.get();
    return counts;
  }

  private Proof.State look() {
    return proof.look(true);
  }

  /** While the probes are made, another thread comes to look. */
  @Test
  void look_byAnotherThreadMeanwhile_refutesNothing() throws Exception {
    Thread other = new Thread(this::look);
    second = other;
    look();
    other.join();
    // The second probe, of which nobody counts the loss, may be gone.
    assertThat(look()).isIn(Proof.State.CLOSED, Proof.State.MISSED);
    assertThat(opened).hasValue(2);
  }

  /** Else a JVM that ends now would not collect, and the probe would never be found. */
  @Test
  void look_firstTime_saysThatAProbeIsThere() {
    assertThat(proof.look(false)).isEqualTo(Proof.State.NONE);
    assertThat(look()).isIn(Proof.State.CLOSED, Proof.State.MISSED);
  }

  @Test
  void look_aProbeWasNotCounted_refutesForGood() {
    look();
    closed.set(0);
    assertThat(look()).isEqualTo(Proof.State.REFUTED);
    closed.set(1);
    assertThat(look()).isEqualTo(Proof.State.REFUTED);
  }
}
