package dev.offcut.agent.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.AgentJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent's jar as the build finishes it. */
class AgentJarTest {
  /** In a method the bit of a variable number of arguments. */
  private static final int VARARGS = 0x80;

  @TempDir private Path folder = Path.of("");

  @Test
  void index_namesThePlaceOfEachContent() throws IOException {
    byte[] bytes = Files.readAllBytes(AgentJvm.AGENT);
    try (ZipFile jar = new ZipFile(AgentJvm.AGENT.toFile())) {
      String index = jar.getComment();
      assertThat(index).startsWith(AgentJar.MAGIC).endsWith(String.valueOf(index.length()));
      int at = AgentJar.MAGIC.length();
      for (ZipEntry entry : Collections.list(jar.entries())) {
        String name = index.substring(at + 1, at + 1 + index.charAt(at));
        assertThat(name).isEqualTo(entry.getName());
        assertThat(entry.getMethod()).isEqualTo(ZipEntry.STORED);
        at += 1 + name.length();
        int from = number(index, at);
        byte[] content = Arrays.copyOfRange(bytes, from, from + number(index, at + 4));
        assertThat(content).as(name).isEqualTo(jar.getInputStream(entry).readAllBytes());
        at += 8;
      }
      assertThat(at).isEqualTo(index.length() - 5);
    }
  }

  private static int number(String index, int at) {
    int number = 0;
    for (int i = at; i < at + 4; i++) {
      number = number << 6 | (index.charAt(i) - '0');
    }
    return number;
  }

  @Test
  void entryPoints_areCalledByNativeCode() throws Exception {
    for (String name : new String[] {"Launcher", "Agent"}) {
      try (ZipFile jar = new ZipFile(AgentJvm.AGENT.toFile())) {
        ZipEntry entry = jar.getEntry("dev/offcut/agent/" + name + ".class");
        ClassFile file = ClassFile.read(jar.getInputStream(entry).readAllBytes());
        assertThat(file.methods())
            .filteredOn(method -> (method.access & VARARGS) != 0)
            .extracting(Member::name)
            .containsExactlyInAnyOrder("premain", "agentmain");
      }
    }
  }

  @Test
  void finished_hasNoFolders_andTheSameBytesEachTime() throws Exception {
    Path jar = folder.resolve("a.jar");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      for (String name : new String[] {"a/", "a/b.txt", "a/package-info.class"}) {
        out.putNextEntry(new ZipEntry(name));
        if (!name.endsWith("/")) {
          out.write("content".getBytes(StandardCharsets.UTF_8));
        }
      }
    }
    byte[] made = AgentJar.finished(jar);
    assertThat(AgentJar.finished(jar)).isEqualTo(made);
    Files.write(jar, made);
    try (ZipFile read = new ZipFile(jar.toFile())) {
      assertThat(Collections.list(read.entries()))
          .extracting(ZipEntry::getName)
          .containsExactly("a/b.txt");
      assertThat(read.getComment()).isEqualTo(AgentJar.MAGIC + "\u0007a/b.txt000U000700029");
    }
  }
}
