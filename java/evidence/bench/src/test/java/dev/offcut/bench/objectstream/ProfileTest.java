package dev.offcut.bench.objectstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileTest {
  private static final String LOOP =
      "java/lang/Thread.run;dev/offcut/bench/objectstream/ReadGraph.times";

  private static final String STACKS =
      LOOP
          + ";java/io/ObjectInputStream.readNonProxyDesc;jdk/internal/misc/VM.latestUserDefinedLoader;walk 60\n"
          + LOOP
          + ";java/io/ObjectInputStream.readNonProxyDesc;java/lang/Class.forName0 15\n"
          + LOOP
          + ";a;b;a;b 25\n"
          + "java/lang/Thread.run;CompileBroker::loop 900\n";

  @Test
  void percentIn_ofTheLoopThatReadsAlone_countsAStackOnce() {
    Profile profile = Profile.of(STACKS);
    assertThat(profile.samples()).isEqualTo(100);
    assertThat(profile.percentIn(Profile.WALK)).isEqualTo(60);
    assertThat(profile.percentIn(Profile.DESCRIPTOR)).isEqualTo(75);
    assertThat(profile.percentIn("a")).isEqualTo(25);
    assertThat(profile.percentIn("CompileBroker::loop")).isZero();
  }

  @Test
  void percentIn_noSamples_isNone() {
    assertThat(Profile.of("").percentIn(Profile.WALK)).isZero();
  }

  @Test
  void writeFrames_mostFirst_withoutWhatIsInNearlyAll(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("some.frames");
    Profile.of(STACKS).writeFrames(file);
    assertThat(file)
        .content()
        .startsWith("75.0 0.0 java/io/ObjectInputStream.readNonProxyDesc\n60.0 0.0 jdk/")
        .contains("60.0 60.0 walk\n", "25.0 0.0 a\n", "25.0 25.0 b\n")
        .doesNotContain("ReadGraph.times");
  }
}
