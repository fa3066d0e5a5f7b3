package dev.offcut.bench.longmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.longmap.Addresses.Walk;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WalkTest {
  private final Walk walk = new Walk(new long[] {1064, 1000, 1096}, 128);

  @Test
  void next_withinTheRecording_isTheRecording() {
    assertThat(LongStream.generate(walk::next).limit(3)).containsExactly(1064L, 1000L, 1096L);
  }

  @Test
  void next_behindTheEnd_goesOnBelowAndNeverRepeats() {
    long[] all = LongStream.generate(walk::next).limit(3000).toArray();
    assertThat(all).doesNotHaveDuplicates();
    assertThat(all[3]).isEqualTo(1064 - 128);
    assertThat(all[7]).isEqualTo(1000 - 2 * 128);
  }

  @Test
  void again_afterSomeSteps_startsFromTheBeginning() {
    walk.next();
    assertThat(walk.again().next()).isEqualTo(1064);
    assertThat(walk.next()).isEqualTo(1000);
  }
}
