package dev.offcut.agent.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.ChildJvm;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The loader cases: as they are, with the agent, and with an agent that compares all. */
class StreamRetrofitTest {
  private static ChildJvm.Output run(ChildJvm jvm, LoaderCase loaders) throws Exception {
    return jvm.and("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
        .classPath(ChildJvm.classes())
        .and(StreamCases.class.getName(), loaders)
        .run();
  }

  @ParameterizedTest
  @EnumSource
  void loaderCase_withTheAgent_printsWhatItDoesWithout(LoaderCase loaders) throws Exception {
    List<String> stock = run(ChildJvm.with(), loaders).out();
    assertThat(stock).endsWith("end");
    ChildJvm.Output agent = run(ChildJvm.withAgent("report=stderr"), loaders);
    assertThat(agent.out()).isEqualTo(stock);
    assertThat(agent.said()).contains("offcut: mismatch none");
    ChildJvm.Output verified = run(ChildJvm.withAgent("verify=1,report=stderr"), loaders);
    assertThat(verified.out()).isEqualTo(stock);
    assertThat(verified.said()).contains("offcut: mismatch none");
  }
}
