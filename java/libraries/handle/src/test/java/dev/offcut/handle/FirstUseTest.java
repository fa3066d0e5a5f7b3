package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What only some programs use is initialized at its first use: see {@link Warmup}. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class FirstUseTest {
  @ParameterizedTest
  @MethodSource("kindsOfUse")
  void firstUse_inAFullHeap_breaksNothingForLater(int kind) throws Exception {
    ChildJvm.Output ended =
        ChildJvm.with("-Xmx8m", "-XX:-UseTLAB", "-XX:+UseSerialGC")
            .program(FirstUseProgram.class, kind)
            .runToAnyEnd();
    assertThat(ended.exitCode()).as(ended.text()).isZero();
    assertThat(ended.text()).contains("lost 0").doesNotContain("refused 0,");
  }

  static IntStream kindsOfUse() {
    return IntStream.range(0, FirstUseProgram.KINDS);
  }
}
