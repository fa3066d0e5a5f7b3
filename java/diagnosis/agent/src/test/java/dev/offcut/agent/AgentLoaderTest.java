package dev.offcut.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.publish.TableReader;
import dev.offcut.test.AgentJvm;
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

/** The agent's jar, and one that somebody has packed anew. */
class AgentLoaderTest {
  @TempDir private Path folder = Path.of("");

  private List<String> loaded(Path jar) throws Exception {
    Path log = folder.resolve("loaded");
    ChildJvm.Output output =
        AgentJvm.with("-javaagent:" + jar + "=level=sample", "-Xlog:class+load:file=" + log)
            .classPath(AgentJvm.classes())
            .and(EmptyProgram.class.getName())
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
  void load_ofAJarThatWasPackedAnew_loadsIt() throws Exception {
    assertThat(loaded(AgentJvm.AGENT)).hasSizeGreaterThan(50);
    assertThat(loaded(repacked("", ZipEntry.STORED, true))).hasSizeGreaterThan(50);
    assertThat(loaded(repacked("packed in 2031", ZipEntry.DEFLATED, false))).hasSizeGreaterThan(50);
  }

  /** What a rule counts of the JDK: the agent's own jar is not among the program's. */
  @Test
  void load_leavesNoJarOpen() throws Exception {
    Path tables = Files.createDirectory(folder.resolve("tables"));
    AgentJvm.with("-javaagent:" + AgentJvm.AGENT + "=level=full,rules=on,tables=" + tables)
        .classPath(AgentJvm.classes())
        .and(EmptyProgram.class.getName())
        .run();
    assertThat(TableReader.in(tables).rows("offcut.ResourceSite"))
        .noneMatch(site -> String.valueOf(site.get("site")).contains("dev.offcut.agent."));
  }
}
