package dev.offcut.agent.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.ChildJvm;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The loader cases: as they are, with the agent, and with an agent that compares all. */
class StreamRetrofitTest {
  private static <C extends Enum<C> & StreamCases.Case> ChildJvm.Output run(ChildJvm jvm, C one)
      throws Exception {
    return jvm.and("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
        .classPath(ChildJvm.classes())
        .and(StreamCases.class.getName(), one.getDeclaringClass().getSimpleName(), one)
        .run();
  }

  @ParameterizedTest
  @EnumSource
  void loaderCase_withTheAgent_printsWhatItDoesWithout(LoaderCase one) throws Exception {
    printsTheSame(one);
  }

  @ParameterizedTest
  @EnumSource
  void publishedCase_withTheAgent_printsWhatItDoesWithout(PublishedCase one) throws Exception {
    printsTheSame(one);
  }

  private static <C extends Enum<C> & StreamCases.Case> void printsTheSame(C one) throws Exception {
    List<String> stock = run(ChildJvm.with(), one).out();
    assertThat(stock).endsWith("end");
    ChildJvm.Output agent = run(ChildJvm.withAgent("report=stderr"), one);
    assertThat(agent.out()).isEqualTo(stock);
    assertThat(agent.said()).contains("offcut: mismatch none");
    ChildJvm.Output verified = run(ChildJvm.withAgent("verify=1,report=stderr"), one);
    assertThat(verified.out()).isEqualTo(stock);
    assertThat(verified.said()).contains("offcut: mismatch none");
  }
}
