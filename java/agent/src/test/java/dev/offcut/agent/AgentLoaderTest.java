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

  /** Written by other means. */
  private Path repacked(String comment, int method, boolean backwards) throws IOException {
    Path jar = folder.resolve("repacked.jar");
    try (ZipFile agent = new ZipFile(AgentJvm.AGENT.toFile());
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      List<? extends ZipEntry> entries = Collections.list(agent.entries());
      if (backwards) {
        Collections.reverse(entries);
      }
      for (ZipEntry entry : entries) {
        ZipEntry made = new ZipEntry(entry.getName());
        made.setMethod(method);
        if (method == ZipEntry.STORED) {
          made.setSize(entry.getSize());
          made.setCrc(entry.getCrc());
        }
        out.putNextEntry(made);
        try (InputStream content = agent.getInputStream(entry)) {
          content.transferTo(out);
        }
      }
      out.setComment(comment);
    }
    return jar;
  }

  @Test
  void load_ofAJarThatWasPackedAnew_loadsTheSameClasses() throws Exception {
    List<String> classes = loaded(AgentJvm.AGENT);
    assertThat(classes).hasSizeGreaterThan(50);
    // And a few more, for the class of the JDK that decompresses, which a rule counts.
    assertThat(loaded(repacked("", ZipEntry.DEFLATED, false))).containsAll(classes);
    assertThat(loaded(repacked("packed in 2031", ZipEntry.DEFLATED, false))).containsAll(classes);
  }

  /** With other entries before and behind the one that has the classes. */
  @Test
  void load_ofAJarThatWasStoredAnew_loadsTheSameClasses() throws Exception {
    List<String> classes = loaded(AgentJvm.AGENT);
    assertThat(loaded(repacked("", ZipEntry.STORED, false))).containsAll(classes);
    assertThat(loaded(repacked("", ZipEntry.STORED, true))).containsAll(classes);
    assertThat(loaded(repacked("packed in 2031", ZipEntry.STORED, false))).containsAll(classes);
  }
}
