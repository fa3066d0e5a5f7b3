package dev.offcut.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Suite.Better;
import dev.offcut.replay.space.Policy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplaySuiteTest {
  private final ReplaySuite suite = new ReplaySuite();

  @Test
  void cases_names_areThoseOfTheDesign() {
    assertThat(suite.cases(false))
        .extracting(Case::name)
        .containsExactly(
            "example2", "survivors_100", "survivors_32", "survivors_16", "survivors_8");
  }

  @Test
  void cases_each_haveEveryPolicyAndTheJdk() {
    List<String> all = new ArrayList<>(Policy.names());
    all.add("jdk");
    for (boolean quick : new boolean[] {true, false}) {
      assertThat(suite.cases(quick))
          .allSatisfy(of -> assertThat(of.runs()).extracting(ChildRun::impl).isEqualTo(all));
    }
  }

  @Test
  void cases_survivors_arePassedToBothPrograms() {
    for (ChildRun run : suite.cases(true).getLast().runs()) {
      boolean jdk = run.impl().equals("jdk");
      assertThat(run.args().get(jdk ? 0 : 1)).isEqualTo("8");
      assertThat(run.jvmArgs().contains("-XX:CompressedClassSpaceSize=10M")).isEqualTo(jdk);
    }
  }

  @Test
  void bars_areThoseOfTheDesign() {
    assertThat(suite.bars()).hasSize(14);
  }

  @Test
  void better_classes_areHigher() {
    assertThat(suite.better("large_classes")).isEqualTo(Better.HIGHER);
    assertThat(suite.better("alignment_bytes_max")).isEqualTo(Better.LOWER);
    assertThat(suite.better("class_space_bytes")).isEqualTo(Better.NEITHER);
  }

  @Test
  void isPeer_jdkOfAnotherSize_isNot() {
    assertThat(suite.isPeer("jdk")).isFalse();
    assertThat(suite.isPeer("fixed")).isTrue();
    assertThat(suite.isPeer("buddy")).isFalse();
    assertThat(suite.isOurs("buddy")).isTrue();
  }
}
