package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The heap of granules against the JDK's. */
final class GranuleHeapTest {
  @Test
  void random_addsAndRemoves_agreeWithAQueue() {
    long seed = Long.getLong("offcut.seed", System.nanoTime());
    System.out.println("GranuleHeapTest: -Doffcut.seed=" + seed);
    Random random = new Random(seed);
    GranuleHeap heap = new GranuleHeap();
    PriorityQueue<Integer> queue = new PriorityQueue<>();
    for (int step = 0; step < 50_000; step++) {
      int what = random.nextInt(1000);
      if (what == 0) {
        heap.clear();
        queue.clear();
      } else if (what < 550 || queue.isEmpty()) {
        int granule = random.nextInt(200);
        heap.add(granule);
        queue.add(granule);
      } else {
        assertThat(heap.lowest()).isEqualTo(Objects.requireNonNull(queue.poll()));
        heap.removeLowest();
      }
      assertThat(heap.size()).isEqualTo(queue.size());
      assertThat(heap.lowest()).isEqualTo(queue.isEmpty() ? -1 : queue.element());
    }
  }
}
