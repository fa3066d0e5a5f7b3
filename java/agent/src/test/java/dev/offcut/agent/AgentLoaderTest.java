package dev.offcut.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.base.CarrierAgent;
import dev.offcut.test.ChildJvm;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent's jar by its index, and a jar that somebody has packed anew. */
class AgentLoaderTest {
  @TempDir private Path folder = Path.of("");

  private List<String> loaded(Path jar) throws Exception {
    Path log = folder.resolve("loaded");
    ChildJvm.Output output =
        AgentJvm.with("-javaagent:" + jar + "=level=sample", "-Xlog:class+load:file=" + log)
            .classPath(AgentJvm.classes())
            .and(CarrierAgent.class.getName())
            .run();
    assertThat(output.said()).isEmpty();
    assertThat(output.errText()).contains("tracks");
    return Files.readAllLines(log).stream()
        .filter(line -> line.contains("] dev.offcut.agent"))
        .map(line -> line.replaceAll(".*] (\\S+) source.*", "$1"))
        .toList();
  }

  /** Written by other means: compressed, with a comment or without. */
  private Path repacked(String comment) throws IOException {
    Path jar = folder.resolve("repacked.jar");
    try (ZipFile agent = new ZipFile(AgentJvm.AGENT.toFile());
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (ZipEntry entry : Collections.list(agent.entries())) {
        out.putNextEntry(new ZipEntry(entry.getName()));
        try (InputStream content = agent.getInputStream(entry)) {
          content.transferTo(out);
        }
      }
      out.setComment(comment);
    }
    return jar;
  }

  private static String comment() throws IOException {
    try (ZipFile jar = new ZipFile(AgentJvm.AGENT.toFile())) {
      return jar.getComment();
    }
  }

  @Test
  void load_ofAJarThatWasPackedAnew_loadsTheSameClasses() throws Exception {
    List<String> classes = loaded(AgentJvm.AGENT);
    assertThat(classes).hasSizeGreaterThan(50);
    // And a few more, for the class of the JDK that decompresses, which a rule counts.
    assertThat(loaded(repacked(""))).containsAll(classes);
    assertThat(loaded(repacked("packed in 2031"))).containsAll(classes);
  }

  /** Its index says where the contents were. */
  @Test
  void load_ofAJarThatWasPackedAnewWithItsComment_loadsTheSameClasses() throws Exception {
    assertThat(loaded(repacked(comment()))).containsAll(loaded(AgentJvm.AGENT));
  }
}
