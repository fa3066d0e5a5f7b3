package dev.offcut.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.replay.JdkExample2.ClassSpaceUse;
import javax.management.JMException;
import org.junit.jupiter.api.Test;

class ClassSpaceUseTest {
  @Test
  void now_thisJvm_usesWhatItHandedOut() throws JMException {
    ClassSpaceUse use = ClassSpaceUse.now();
    assertThat(use.usedBytes()).isPositive().isLessThanOrEqualTo(use.handedOutBytes());
    assertThat(use.handedOutBytes()).isLessThanOrEqualTo(use.reservedBytes());
  }
}
