package dev.offcut.retrofit.jna;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Memory;
import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program whose classes are in a shared archive (AppCDS), which the agent must not cost it. */
class SharedArchiveTest {
  @Test
  void sharedArchive_withARetrofit_stillGivesEveryOtherClass(@TempDir Path folder)
      throws Exception {
    Path application = AgentJvm.pack(folder, MemoryProgram.class);
    Path archive = folder.resolve("application.jsa");
    run(AgentJvm.with("-XX:ArchiveClassesAtExit=" + archive), application);
    String share = "-XX:SharedArchiveFile=" + archive;
    Set<String> without = shared(run(AgentJvm.with(share, "-Xlog:class+load"), application));
    ChildJvm jvm = AgentJvm.withAgent("").and(share, "-Xlog:class+load");
    ChildJvm.Output output = run(jvm, application);
    assertThat(without).contains(MemoryProgram.class.getName(), "com.sun.jna.Native");
    without.removeIf(SharedArchiveTest::isRewritten);
    assertThat(shared(output)).containsAll(without);
    assertThat(output.value("class")).startsWith("java.util.concurrent.Offcut");
  }

  private static ChildJvm.Output run(ChildJvm jvm, Path application) throws Exception {
    return jvm.classPath(application, AgentJvm.library("jna.jar"))
        .and(MemoryProgram.class.getName(), "close")
        .run();
  }

  /** Whether a class is rewritten, or extends one that is: no archive holds it like that. */
  private static boolean isRewritten(String name) {
    try {
      Class<?> type = Class.forName(name, false, SharedArchiveTest.class.getClassLoader());
      return Memory.class.isAssignableFrom(type)
          || name.equals("com.sun.jna.Memory$MemoryDisposer");
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  /** The classes of the application that came from the archive. */
  private static Set<String> shared(ChildJvm.Output output) {
    return output.out().stream()
        .filter(line -> line.contains("source: shared objects file (top)"))
        .map(line -> line.replaceFirst("^(\\[[^]]*])*\\s*", "").split(" ", 2)[0])
        .filter(name -> name.startsWith("com.sun.jna.") || name.startsWith("dev.offcut."))
        .filter(name -> !name.contains("$$"))
        .collect(Collectors.toSet());
  }
}
