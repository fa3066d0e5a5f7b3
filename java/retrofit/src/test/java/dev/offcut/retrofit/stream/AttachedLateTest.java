package dev.offcut.retrofit.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When the stream's class is loaded: before the agent, after it, and what follows it. */
class AttachedLateTest {
  private static final String READ = "[[[[[[1, 2, 3.0, 4.0, c]]]]]]";

  private static ChildJvm.Output attached(String what) throws Exception {
    return run(AgentJvm.with("-Djdk.attach.allowAttachSelf=true"), what, AgentJvm.AGENT);
  }

  private static ChildJvm.Output run(ChildJvm jvm, Object... arguments) throws Exception {
    return jvm.classPath(AgentJvm.classes())
        .and(ReadingProgram.class.getName())
        .and(arguments)
        .run();
  }

  private static List<String> start(ChildJvm.Output output) {
    return output.err().stream().filter(line -> line.startsWith("offcut on JDK ")).toList();
  }

  @Test
  void attachedAfterARead_leavesTheStreamAndSaysSo() throws Exception {
    ChildJvm.Output output = attached("readFirst");
    assertThat(output.said())
        .containsExactly(
            "offcut: object streams: ObjectInputStream was loaded before the agent; left as it is");
    assertThat(start(output)).singleElement().asString().endsWith(": will rewrite JNA's Memory");
    assertThat(output.value("fields")).isEqualTo("[]");
    assertThat(output.value("read")).isEqualTo(READ);
  }

  @Test
  void attachedBeforeARead_rewritesTheStream() throws Exception {
    ChildJvm.Output output = attached("attachFirst");
    assertThat(output.said()).isEmpty();
    assertThat(start(output)).singleElement().asString().contains("ObjectInputStream");
    assertThat(output.value("read")).isEqualTo(READ);
  }

  @Test
  void nestedLists_whenTheCollectionsFollowed_takeOneWalk() throws Exception {
    ChildJvm.Output output = run(AgentJvm.withAgent("jna=off"), "lists");
    assertThat(output.said()).isEmpty();
    assertThat(output.value("read")).isEqualTo(READ);
    assertThat(output.value("walks")).isEqualTo("1");
  }
}
