package dev.offcut.retrofit.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/** Another agent that changes what resolves classes: its code runs as if ours were not there. */
class BesideAgentsTest {
  /** Its classes are on the program's class path. */
  private static Path guard(Path folder) throws IOException {
    Path jar = folder.resolve("guard.jar");
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.putValue("Premain-Class", GuardAgent.class.getName());
    main.putValue("Agent-Class", GuardAgent.class.getName());
    main.putValue("Can-Retransform-Classes", "true");
    main.putValue("Can-Redefine-Classes", "true");
    try (OutputStream file = Files.newOutputStream(jar)) {
      new JarOutputStream(file, manifest).close();
    }
    return jar;
  }

  private static Path jarOf(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  private static ChildJvm.Output run(ChildJvm jvm, Object... arguments) throws Exception {
    return jvm.and("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")
        .and("-Djdk.attach.allowAttachSelf=true")
        .classPath(AgentJvm.classes(), jarOf(ClassReader.class), jarOf(ClassNode.class))
        .and(GuardedProgram.class.getName())
        .and(arguments)
        .run();
  }

  private static List<Long> saved(ChildJvm.Output output) {
    return output.err().stream()
        .filter(line -> line.startsWith("saved "))
        .map(line -> Long.valueOf(line.substring("saved ".length())))
        .toList();
  }

  private static void assertTheSame(ChildJvm.Output agent, ChildJvm.Output stock) {
    assertThat(agent.out()).isEqualTo(stock.out());
    assertThat(agent.said()).isEmpty();
    // The memo is used from the first read on, and after each change of the classes.
    assertThat(Stream.concat(Stream.of(0L), saved(agent).stream()).toList())
        .isSorted()
        .doesNotHaveDuplicates();
  }

  /** On the JDK of this JVM both agents come first once, on each other that is found ours does. */
  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void guard_besideOurs_stopsTheSameInEitherOrder(int version, @TempDir Path folder)
      throws Exception {
    String other = "-javaagent:" + guard(folder);
    ChildJvm.Output stock = run(AgentJvm.of(version, other));
    assertThat(stock.out())
        .contains("java.lang.SecurityException: again stops " + GuardedProgram.Evil.class.getName())
        .contains("redefined guards java.util.ArrayList");
    assertTheSame(run(AgentJvm.of(version, AgentJvm.agent(""), other)), stock);
    if (version == Runtime.version().feature()) {
      assertTheSame(run(AgentJvm.of(version, other, AgentJvm.agent(""))), stock);
    }
  }

  @Test
  void guard_attachedLater_stopsTheSame(@TempDir Path folder) throws Exception {
    Path guard = guard(folder);
    ChildJvm.Output stock = run(AgentJvm.with(), guard);
    assertThat(stock.out())
        .contains("java.lang.SecurityException: late stops " + GuardedProgram.Evil.class.getName());
    assertTheSame(run(AgentJvm.withAgent(""), guard), stock);
  }
}
