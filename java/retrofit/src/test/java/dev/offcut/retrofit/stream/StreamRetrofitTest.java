package dev.offcut.retrofit.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The loader cases: as they are, with the agent, and with an agent that compares all. Each of the
 * three runs all of them in one JVM.
 */
class StreamRetrofitTest {
  private static List<String> stock = List.of();
  private static List<String> retrofitted = List.of();
  private static List<String> verified = List.of();

  @BeforeAll
  static void runAllCases() throws Exception {
    stock = run(AgentJvm.with()).out();
    retrofitted = runWithAgent("");
    verified = runWithAgent("verify=1");
  }

  private static List<String> runWithAgent(String options) throws Exception {
    ChildJvm.Output output = run(AgentJvm.withAgent(options));
    assertThat(output.said()).isEmpty();
    return output.out();
  }

  private static ChildJvm.Output run(ChildJvm jvm) throws Exception {
    return jvm.classPath(AgentJvm.classes()).and(StreamCases.class.getName()).run();
  }

  static Stream<String> cases() {
    return Stream.of(LoaderCase.values(), CollectionCase.values(), PublishedCase.values())
        .flatMap(Stream::of)
        .map(Enum::name);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void readCase_withTheAgent_printsWhatItDoesWithout(String one) {
    List<String> expected = linesOf(one, stock);
    assertThat(linesOf(one, retrofitted)).isEqualTo(expected);
    assertThat(linesOf(one, verified)).isEqualTo(expected);
  }

  private static List<String> linesOf(String one, List<String> out) {
    int begin = out.indexOf(StreamCases.CASE + one);
    assertThat(begin).as("%s in %s", one, out).isNotNegative();
    List<String> from = out.subList(begin, out.size());
    int end = from.indexOf(StreamCases.END);
    assertThat(end).as("the end of %s in %s", one, from).isGreaterThan(1);
    return from.subList(0, end);
  }
}
