package dev.offcut.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.jna.MemoryProgram;
import dev.offcut.test.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
  private static final String IN_JAVA_BASE = "(java/io|java/util/concurrent|jdk/internal/foreign)";

  private static ChildJvm.Output run(ChildJvm jvm, String what) throws Exception {
    return jvm.classPath(AgentJvm.classes(), AgentJvm.library("jna.jar"))
        .and(MemoryProgram.class.getName(), what)
        .run();
  }

  @Test
  void jar_holdsNothingUnderForeignNames() throws Exception {
    try (JarFile jar = new JarFile(AgentJvm.AGENT.toFile())) {
      Set<String> classes = new TreeSet<>(AgentJvm.files().keySet());
      classes.removeIf(name -> !name.endsWith(".class"));
      assertThat(classes)
          .isNotEmpty()
          .allMatch(name -> name.matches("(dev/offcut/agent/|" + IN_JAVA_BASE + "/Offcut).*"))
          .contains("java/util/concurrent/OffcutConcurrentLongMap.class");
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
  void start_saysOnceWhatIsRewritten() throws Exception {
    ChildJvm.Output output = run(AgentJvm.withAgent("rmi=off"), "use");
    assertThat(output.err())
        .filteredOn(line -> line.startsWith("offcut on JDK "))
        .singleElement()
        .asString()
        .endsWith(
            ": will rewrite ObjectInputStream (17 collections), JNA's"
                + " Memory; switched off rmi");
  }

  @Test
  void quiet_saysOnlyWhatIsWrong() throws Exception {
    assertThat(run(AgentJvm.withAgent("quiet=true,level=count"), "use").err())
        .noneMatch(line -> line.startsWith("offcut"));
    assertThat(run(AgentJvm.withAgent("quiet=on,rmi=maybe"), "use").err())
        .filteredOn(line -> line.startsWith("offcut"))
        .containsExactly("offcut: rmi=maybe is neither on nor off; on is used");
  }

  @Test
  void unreadableOptions_areSaidAndTheProgramRuns() throws Exception {
    ChildJvm.Output output = run(AgentJvm.withAgent("options=/nowhere/x,jna=off"), "close");
    assertThat(output.said())
        .singleElement()
        .asString()
        .startsWith("offcut: the options in /nowhere/x cannot be read (");
    assertThat(output.value("class")).isEqualTo("java.util.concurrent.ConcurrentHashMap");
  }

  @Test
  void unknownOption_isNamedAndTheRestWorks() throws Exception {
    ChildJvm.Output output = run(AgentJvm.withAgent("jnna=off,jna=on"), "close");
    assertThat(output.said())
        .containsExactly("offcut: the option jnna is unknown; known are " + OptionsTest.KNOWN);
    assertThat(output.value("class")).startsWith("java.util.concurrent.Offcut");
  }

  @Test
  void givenTwice_theFirstCounts() throws Exception {
    ChildJvm jvm = AgentJvm.withAgent("").and(AgentJvm.agent("jna=off"));
    ChildJvm.Output output = run(jvm, "close");
    assertThat(output.said())
        .containsExactly(
            "offcut: the agent is in this JVM already; loading it again has no" + " effect");
    assertThat(output.value("class")).startsWith("java.util.concurrent.Offcut");
  }

  /** Its own are loaded from its jar alone, wherever that stands in the program's class path. */
  @Test
  void classesOfTheSameNamesInTheProgram_areLeftAlone(@TempDir Path folder) throws Exception {
    Path other = folder.resolve("dev/offcut/agent/Options.class");
    Files.createDirectories(other.getParent());
    Files.writeString(other, "no class file");
    ChildJvm.Output output =
        AgentJvm.withAgent("level=count,jna=on")
            .classPath(folder, AgentJvm.classes(), AgentJvm.library("jna.jar"))
            .and(MemoryProgram.class.getName(), "close")
            .run();
    assertThat(output.said()).isEmpty();
    assertThat(output.value("class")).startsWith("java.util.concurrent.Offcut");
  }

  @Test
  void reportThatCannotBeWritten_isSaidAndTheProgramEndsWell() throws Exception {
    ChildJvm.Output output = run(AgentJvm.withAgent("report=/nowhere/x"), "close");
    assertThat(output.said())
        .singleElement()
        .asString()
        .startsWith("offcut: the report could not be written to /nowhere/x (");
  }

  /** Newer JDKs have no security manager. */
  @Test
  @EnabledForJreRange(max = JRE.JAVA_23)
  void reportThatASecurityManagerForbids_isOneSentence() throws Exception {
    ChildJvm.Output output =
        AgentJvm.withAgent("report=stderr")
            .and("-Djava.security.manager=allow")
            .classPath(AgentJvm.classes())
            .and(SecuredProgram.class.getName())
            .run();
    assertThat(output.out()).containsExactly("secured");
    assertThat(output.said())
        .singleElement()
        .asString()
        .startsWith("offcut: the report could not be written to stderr (");
    assertThat(output.err()).noneMatch(line -> line.startsWith("\tat "));
  }

  /** One that grants the agent all by the place of its jar, and the program nothing. */
  @Test
  @EnabledForJreRange(max = JRE.JAVA_23)
  void start_policyThatNamesTheJar_isEnough(@TempDir Path folder) throws Exception {
    Path policy = folder.resolve("policy");
    Files.writeString(
        policy,
        "grant codeBase \"%s\" { permission java.security.AllPermission; };%n"
            .formatted(AgentJvm.AGENT.toUri()));
    ChildJvm.Output output =
        AgentJvm.withAgent("level=count,report=stderr")
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
        AgentJvm.withAgent("level=count,report=stderr")
            .and("-XX:StartFlightRecording:filename=" + folder.resolve("a.jfr"))
            .and("-version")
            .run();
    assertThat(output.err()).anyMatch(line -> line.startsWith("offcut on JDK "));
    // The columns: opened, closed, collected, lost, open.
    assertThat(output.err())
        .filteredOn(line -> line.contains("UnixDirectoryStream"))
        .allMatch(line -> line.matches("offcut: +0 +0 +0 +0 +0 .*"));
  }

  @Test
  void report_hasTheFilterThatTheProgramNeeds(@TempDir Path folder) throws Exception {
    Path report = folder.resolve("report");
    reading(AgentJvm.withAgent("report=" + report));
    List<String> lines = Files.readAllLines(report);
    String filter = lines.get(lines.size() - 1);
    assertThat(filter).contains("java.util.ArrayList;", "$Received;").endsWith(";!*");
    reading(AgentJvm.with("-Djdk.serialFilter=" + filter));
  }

  private static void reading(ChildJvm jvm) throws Exception {
    ChildJvm.Output output =
        jvm.classPath(AgentJvm.classes()).and(ManyReadsProgram.class.getName(), 1).run();
    assertThat(output.out()).containsExactly("ready");
  }

  @Test
  void attachedBeforeMemoryIsLoaded_retrofits() throws Exception {
    ChildJvm.Output output = attached("early");
    assertThat(output.value("class")).startsWith("java.util.concurrent.Offcut");
    assertThat(output.said()).isEmpty();
  }

  @Test
  void attachedAfterMemoryIsLoaded_leavesItAndSaysSo() throws Exception {
    ChildJvm.Output output = attached("late");
    assertThat(output.value("class")).isEqualTo("java.util.concurrent.ConcurrentHashMap");
    assertThat(output.value("closed")).isEqualTo("0");
    assertThat(output.said())
        .containsExactly("offcut: JNA's Memory was loaded before the agent; left as it is");
  }

  private static ChildJvm.Output attached(String when) throws Exception {
    return AgentJvm.with("-Djdk.attach.allowAttachSelf=true")
        .classPath(AgentJvm.classes(), AgentJvm.library("jna.jar"))
        .and(AttachingProgram.class.getName(), AgentJvm.AGENT, when)
        .run();
  }
}
