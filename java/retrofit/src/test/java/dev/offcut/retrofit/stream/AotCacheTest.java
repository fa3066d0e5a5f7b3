package dev.offcut.retrofit.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An AOT cache of a JDK 25, made by a run with the agent: the next one must take it. */
class AotCacheTest {
  private static final PublishedCase PROGRAM = PublishedCase.lists;

  @Test
  void aotCache_trainedWithTheAgent_isUsedWithTheAgent(@TempDir Path folder) throws Exception {
    if (Runtime.version().feature() < 25) {
      System.out.println("AotCacheTest: this JDK has no AOT caches");
      return;
    }
    Path application = jar(folder);
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

  /** Classes in folders are not kept. */
  private static Path jar(Path folder) throws IOException {
    Path jar = folder.resolve("application.jar");
    Path classes = AgentJvm.classes();
    Path own = classes.resolve(AotCacheTest.class.getPackageName().replace('.', '/'));
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(file);
        Stream<Path> files = Files.list(own)) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        entries.putNextEntry(new JarEntry(classes.relativize(each).toString()));
        Files.copy(each, entries);
      }
    }
    return jar;
  }
}
