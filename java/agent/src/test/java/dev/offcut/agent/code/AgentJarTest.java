package dev.offcut.agent.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.AgentJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
  void table_hasThePlaceOfEachFile() throws IOException {
    byte[] entry = entry(AgentJvm.AGENT);
    String table = table(entry);
    assertThat(number(table, 8)).isEqualTo(entry.length);
    Map<String, byte[]> found = new HashMap<>();
    for (int slot = 0; slot < AgentJar.SLOTS; slot++) {
      int place = number(table, 12 + 8 * slot);
      int length = number(table, 16 + 8 * slot);
      AgentJvm.files(Arrays.copyOfRange(entry, place, place + length)).forEach(found::put);
    }
    Map<String, byte[]> all = AgentJvm.files();
    assertThat(found).containsOnlyKeys(all.keySet());
    found.forEach((name, content) -> assertThat(content).as(name).isEqualTo(all.get(name)));
  }

  /** Else it would be looked for in vain. */
  @Test
  void table_hasEachFileInItsSlotOrBehindIt_withoutAGap() throws IOException {
    byte[] entry = entry(AgentJvm.AGENT);
    String table = table(entry);
    for (String name : AgentJvm.files().keySet()) {
      int slot = AgentJar.slot(name);
      String there = "";
      while (!there.equals(name)) {
        int place = number(table, 12 + 8 * slot);
        assertThat(number(table, 16 + 8 * slot)).as(name).isPositive();
        there = new String(entry, place + 2, entry[place + 1] & 0xff, StandardCharsets.ISO_8859_1);
        slot = (slot + 1) % AgentJar.SLOTS;
      }
    }
  }

  /** The JDK reads the names of all entries when a program starts. */
  @Test
  void jar_hasFewEntries() throws IOException {
    try (ZipFile jar = new ZipFile(AgentJvm.AGENT.toFile())) {
      assertThat(Collections.list(jar.entries()))
          .allMatch(entry -> entry.getMethod() == ZipEntry.STORED)
          .extracting(ZipEntry::getName)
          .filteredOn(name -> !name.startsWith("META-INF/"))
          .containsExactlyInAnyOrder(
              "dev/offcut/agent/Launcher.class",
              "dev/offcut/agent/AgentLoader.class",
              AgentJar.FILES)
          .endsWith(AgentJar.FILES);
      assertThat(jar.getComment()).isNull();
    }
  }

  private static byte[] entry(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return zip.getInputStream(zip.getEntry(AgentJar.FILES)).readAllBytes();
    }
  }

  private static String table(byte[] entry) {
    String all = new String(entry, StandardCharsets.ISO_8859_1);
    String table = all.substring(all.lastIndexOf(AgentJar.MAGIC));
    assertThat(table).hasSize(12 + 8 * AgentJar.SLOTS);
    return table;
  }

  private static int number(String table, int at) {
    int number = 0;
    for (int i = at; i < at + 4; i++) {
      number = number << 6 | (table.charAt(i) - '0');
    }
    return number;
  }

  @Test
  void entryPoints_areCalledByNativeCode() throws Exception {
    Map<String, byte[]> files = new HashMap<>(AgentJvm.files());
    String launcher = "dev/offcut/agent/Launcher.class";
    try (ZipFile jar = new ZipFile(AgentJvm.AGENT.toFile())) {
      files.put(launcher, jar.getInputStream(jar.getEntry(launcher)).readAllBytes());
    }
    for (String name : List.of(launcher, "dev/offcut/agent/Agent.class")) {
      assertThat(ClassFile.read(Objects.requireNonNull(files.get(name))).methods())
          .filteredOn(method -> (method.access & VARARGS) != 0)
          .extracting(Member::name)
          .containsExactlyInAnyOrder("premain", "agentmain");
    }
  }

  /** The agent reads them at each start, and has no time to look for them in the JSON. */
  @Test
  void jar_hasThePackagesOfKnownLibraries() throws Exception {
    assertThat(AgentJar.packages(bytes("{\"name\": \"A b.\", \"of\": [\"org.a.\", \"b.\"]}")))
        .isEqualTo("org.a. b.");
    byte[] packages = AgentJvm.files().get("dev/offcut/agent/libraries");
    assertThat(
            new String(Objects.requireNonNull(packages), StandardCharsets.US_ASCII).split(" ", -1))
        .contains("io.netty.")
        .allMatch(one -> one.matches("([a-zA-Z0-9_$]+\\.)+"));
    assertThat(AgentJvm.files()).doesNotContainKey("dev/offcut/agent/libraries.json");
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
    assertThat(AgentJar.finished(jar)).isEqualTo(made);
    try (ZipFile read = new ZipFile(jar.toFile())) {
      assertThat(Collections.list(read.entries()))
          .extracting(ZipEntry::getName)
          .containsExactly(AgentJar.FILES);
    }
    byte[] entry = entry(jar);
    assertThat(entry).startsWith(bytes("\0\7a/b.txt\0\0\0\7content" + AgentJar.MAGIC));
    String slot = table(entry).substring(12 + 8 * AgentJar.slot("a/b.txt"));
    assertThat(number(slot, 0)).isZero();
    assertThat(number(slot, 4)).isEqualTo(20);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
