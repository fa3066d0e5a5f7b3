package dev.offcut.agent;

import static org.assertj.core.api.Assertions.assertThat;

import acme.memory.MemoryPool;
import dev.offcut.agent.publish.TableReader;
import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** The agent as a jar, started and attached. */
class AgentTest {
  /** The packages that the helpers are moved to. */
  private static final String IN_JAVA_BASE = "(java/util/concurrent|jdk/internal/foreign)";

  /** A program that does nothing. */
  private static ChildJvm.Output run(ChildJvm jvm) throws Exception {
    return jvm.classPath(AgentJvm.classes()).and(EmptyProgram.class.getName()).run();
  }

  @Test
  void jar_holdsNothingUnderForeignNames() throws Exception {
    try (JarFile jar = new JarFile(AgentJvm.AGENT.toFile())) {
      Set<String> classes = new TreeSet<>(AgentJvm.files().keySet());
      classes.removeIf(name -> !name.endsWith(".class"));
      assertThat(classes)
          .isNotEmpty()
          .allMatch(name -> name.matches("(dev/offcut/agent/|" + IN_JAVA_BASE + "/Offcut).*"))
          .contains("java/util/concurrent/OffcutCounts.class");
      assertThat(jar.getManifest().getMainAttributes().getValue("Premain-Class"))
          .isEqualTo(Launcher.class.getName());
      assertThat(jar.getManifest().getMainAttributes().getValue("Agent-Class"))
          .isEqualTo(Launcher.class.getName());
    }
  }

  @Test
  void launcher_isReadByAnyJvmFrom8On() throws Exception {
    try (JarFile jar = new JarFile(AgentJvm.AGENT.toFile())) {
      byte[] file =
          jar.getInputStream(jar.getEntry("dev/offcut/agent/Launcher.class")).readAllBytes();
      assertThat(file[7]).isEqualTo((byte) 52);
    }
  }

  @Test
  void start_saysOnceWhatIsTracked() throws Exception {
    assertThat(run(AgentJvm.withAgent("unsafe=off")).err())
        .filteredOn(line -> line.startsWith("offcut on JDK "))
        .singleElement()
        .asString()
        .contains("tracks ")
        .endsWith(" (sample); switched off unsafe");
  }

  @Test
  void quiet_saysOnlyWhatIsWrong() throws Exception {
    assertThat(run(AgentJvm.withAgent("quiet=true,level=count")).err())
        .noneMatch(line -> line.startsWith("offcut"));
    assertThat(run(AgentJvm.withAgent("quiet=on,unsafe=maybe")).err())
        .filteredOn(line -> line.startsWith("offcut"))
        .containsExactly("offcut: unsafe=maybe is neither on nor off; on is used");
  }

  @Test
  void whatIsWrong_isSaidAndTheProgramRuns() throws Exception {
    ChildJvm jvm = AgentJvm.withAgent("unsave=off");
    ChildJvm.Output output = run(jvm.and(AgentJvm.agent("unsafe=off")));
    assertThat(output.said())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .isEqualTo(
                        "offcut: the option unsave is unknown; known are " + OptionsTest.KNOWN),
            line ->
                assertThat(line)
                    .isEqualTo(
                        "offcut: the agent is in this JVM already; loading it again has no effect"));
    assertThat(output.errText()).doesNotContain("switched off");
  }

  /** Its own are loaded from its jar alone, wherever that stands in the program's class path. */
  @Test
  void classesOfTheSameNamesInTheProgram_areLeftAlone(@TempDir Path folder) throws Exception {
    Path other = folder.resolve("dev/offcut/agent/Options.class");
    Files.createDirectories(other.getParent());
    Files.writeString(other, "no class file");
    ChildJvm.Output output =
        AgentJvm.withAgent("level=count")
            .classPath(folder, AgentJvm.classes())
            .and(EmptyProgram.class.getName())
            .run();
    assertThat(output.said()).isEmpty();
    assertThat(output.errText()).contains("tracks ");
  }

  /** Kafka has such a class. */
  @Test
  void classNamedLikeOneOfOffcut_isNotSpokenOf() throws Exception {
    ChildJvm.Output output =
        AgentJvm.withAgent("level=count")
            .classPath(AgentJvm.classes())
            .and(MemoryPool.class.getName())
            .run();
    assertThat(output.value("stoodDown")).doesNotContain("MemoryPool");
  }

  /** One that grants the agent all by the place of its jar, and the program nothing; until 23. */
  @Test
  @EnabledForJreRange(max = JRE.JAVA_23)
  void start_policyThatNamesTheJar_isEnough(@TempDir Path folder) throws Exception {
    Path policy = folder.resolve("policy");
    Files.writeString(
        policy,
        "grant codeBase \"%s\" { permission java.security.AllPermission; };%n"
            .formatted(AgentJvm.AGENT.toUri()));
    ChildJvm.Output output =
        AgentJvm.withAgent("level=count")
            .and("-Djava.security.manager")
            .and("-Djava.security.policy==" + policy)
            .and("-version")
            .run();
    assertThat(output.err()).anyMatch(line -> line.startsWith("offcut on JDK "));
    assertThat(output.err()).noneMatch(line -> line.contains("AccessControlException"));
  }

  /** Until JDK 19 it drops one when it looks for its settings, in the program's thread. */
  @Test
  @EnabledForJreRange(max = JRE.JAVA_18)
  void recorderThatDropsADirectoryStream_isNotTheProgram(@TempDir Path folder) throws Exception {
    ChildJvm.Output output =
        AgentJvm.withAgent("level=count,tables=" + folder)
            .and("-XX:StartFlightRecording:filename=" + folder.resolve("a.jfr"))
            .classPath(AgentJvm.classes())
            .and(EmptyProgram.class.getName())
            .run();
    assertThat(output.err()).anyMatch(line -> line.startsWith("offcut on JDK "));
    for (Map<String, Object> kind : TableReader.in(folder).rows("offcut.ResourceStatistics")) {
      assertThat(kind)
          .satisfiesAnyOf(
              row -> assertThat(row.get("kind")).asString().doesNotContain("UnixDirectoryStream"),
              row -> assertThat(row).containsEntry("opened", 0L));
    }
  }

  /** Newer JDKs have no security manager. */
  @Test
  @EnabledForJreRange(max = JRE.JAVA_23)
  void securityManagerThatForbidsAll_harmsNothing() throws Exception {
    ChildJvm.Output output =
        AgentJvm.withAgent("level=count")
            .and("-Djava.security.manager=allow")
            .classPath(AgentJvm.classes())
            .and(SecuredProgram.class.getName())
            .run();
    assertThat(output.out()).containsExactly("secured");
    assertThat(output.err()).noneMatch(line -> line.startsWith("\tat "));
  }

  /**
   * A program that lets a security manager in, which forbids nearly all. The agent publishes
   * already, so it has files to remove at the end.
   */
  static final class SecuredProgram {
    private SecuredProgram() {}

    /** Nothing is needed. */
    @SuppressWarnings("removal") // a JVM 17 or 21 has it
    public static void main(String[] args) throws Exception {
      String tables = ProcessHandle.current().pid() + ".tables";
      while (!hasFile("/dev/shm", tables) && !hasFile("/tmp", tables)) {
        Thread.onSpinWait();
      }
      System.setSecurityManager(new SecurityManager());
      System.out.println("secured");
    }

    private static boolean hasFile(String folder, String name) throws IOException {
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(Path.of(folder), "offcut*")) {
        for (Path of : folders) {
          if (Files.exists(of.resolve(name))) {
            return true;
          }
        }
      }
      return false;
    }
  }
}
