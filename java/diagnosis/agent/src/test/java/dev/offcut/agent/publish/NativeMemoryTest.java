package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.EmptyProgram;
import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The sampler of malloc in a program that does nothing, on each JDK. */
@EnabledOnOs(OS.LINUX)
class NativeMemoryTest {
  /** From this JDK on a program may forbid native libraries to those that were not named. */
  private static final int DENYING = 24;

  @TempDir private Path folder = Path.of("");

  private static ChildJvm.Output run(Map.Entry<Integer, Path> jdk, String options)
      throws Exception {
    ChildJvm jvm = AgentJvm.of(jdk.getValue(), AgentJvm.agent(options));
    if (jdk.getKey() >= DENYING) {
      jvm = jvm.and("--illegal-native-access=deny");
    }
    return jvm.classPath(AgentJvm.classes()).and(EmptyProgram.class.getName()).run();
  }

  private static List<Path> samples(Path of) throws IOException {
    try (Stream<Path> files = Files.list(of)) {
      return files.filter(file -> file.toString().endsWith(NativeMemory.ENDING)).toList();
    }
  }

  @Test
  void start_printsNothing_andLeavesItsFile() throws Exception {
    for (Map.Entry<Integer, Path> jdk : AgentJvm.jvms().entrySet()) {
      Path own = Files.createDirectory(folder.resolve("on" + jdk.getKey()));
      ChildJvm.Output output = run(jdk, "tables=" + own);
      assertThat(output.err())
          .as("JDK %d", jdk.getKey())
          .singleElement()
          .asString()
          .startsWith("offcut on JDK " + jdk.getKey());
      assertThat(samples(own)).as("JDK %d", jdk.getKey()).hasSize(1);
    }
  }

  @Test
  void switchedOff_leavesNone() throws Exception {
    Map.Entry<Integer, Path> newest =
        Map.entry(AgentJvm.jvms().lastKey(), AgentJvm.jvms().get(AgentJvm.jvms().lastKey()));
    run(newest, "tables=" + folder + ",native=off");
    assertThat(samples(folder)).isEmpty();
  }
}
