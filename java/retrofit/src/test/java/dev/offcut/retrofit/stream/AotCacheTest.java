package dev.offcut.retrofit.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** An AOT cache of a JDK 25, made by a run with the agent: the next one must take it. */
class AotCacheTest {
  private static final PublishedCase PROGRAM = PublishedCase.lists;

  @Test
  @EnabledForJreRange(min = JRE.JAVA_25)
  void aotCache_trainedWithTheAgent_isUsedWithTheAgent(@TempDir Path folder) throws Exception {
    Path application = AgentJvm.pack(folder, StreamCases.class);
    Path cache = folder.resolve("app.aot");
    List<String> stock = printed(run(AgentJvm.with(), application));
    ChildJvm.Output training =
        run(AgentJvm.withAgent("").and("-XX:AOTCacheOutput=" + cache), application);
    assertThat(training.out()).containsAll(stock);
    assertThat(cache).as("made by %s", training).exists();
    ChildJvm jvm = AgentJvm.withAgent("").and("-XX:AOTCache=" + cache, "-Xlog:class+load");
    ChildJvm.Output output = run(jvm, application);
    assertThat(printed(output)).isEqualTo(stock);
    assertThat(output.err())
        .anyMatch(line -> line.contains("will rewrite ObjectInputStream (17 collections"));
    for (Class<?> type : List.of(StreamCases.class, Description.class, Fixtures.Holder.class)) {
      assertThat(output.out())
          .anyMatch(line -> line.contains(type.getName() + " source: shared objects file"));
    }
  }

  /** What the program printed, not the JVM. */
  private static List<String> printed(ChildJvm.Output output) {
    return output.out().stream().filter(line -> !line.startsWith("[")).toList();
  }

  private static ChildJvm.Output run(ChildJvm jvm, Path application) throws Exception {
    return jvm.classPath(application).and(StreamCases.class.getName(), PROGRAM).run();
  }
}
