package dev.offcut.objectstream;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.api.Jazzer;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.offcut.objectstream.Model.Counted;
import java.io.IOException;

/**
 * The graphs of {@link SearchTest}, by the numbers that Jazzer chooses: led by the branches that a
 * stream takes, and by how often it has {@code hashCode} and {@code equals} called.
 *
 * <p>Runs in a JVM of its own, since Jazzer changes classes as they are loaded. The tests run it on
 * the inputs in the resources; with {@code -Dstress.long=true} Jazzer searches for 15 minutes.
 */
class GraphFuzzTest {
  private static final int STEPS = 20_000;

  @FuzzTest(maxDuration = "15m")
  void readObject_ofAGraph_callsNoMoreThanItsSteps(FuzzedDataProvider data) {
    int[] choices = new int[SearchTest.Generator.MOST_CHOICES];
    for (int i = 0; i < choices.length; i++) {
      choices[i] = data.consumeInt(0, (1 << 20) - 1);
    }
    SearchTest.Generator generator = new SearchTest.Generator(choices);
    byte[] bytes = Forged.of(generator.root());
    Counted.hashes = 0;
    Counted.comparisons = 0;
    try {
      Streams.read(SearchTest.collections().maxWork(STEPS).build(), bytes);
    } catch (IOException | ClassNotFoundException e) {
      assertThat(e).as(generator.description()).hasMessageNotContaining("do not match");
    }
    long calls = Counted.hashes + Counted.comparisons;
    assertThat(calls)
        .as(generator.description())
        .isLessThanOrEqualTo(SearchTest.CALLS_A_STEP * STEPS);
    Jazzer.exploreState((byte) (Long.SIZE - Long.numberOfLeadingZeros(calls)), 0);
  }
}
