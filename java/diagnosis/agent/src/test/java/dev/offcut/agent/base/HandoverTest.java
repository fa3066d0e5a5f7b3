package dev.offcut.agent.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.agent.hooks.code.UnknownShapeException;
import dev.offcut.test.AgentJvm;
import dev.offcut.test.ChildJvm;
import dev.offcut.test.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the first helper gets into java.base, and the way that is taken if it cannot. */
class HandoverTest {
  private static final String CARRIER = "sun/net/ftp/FtpLoginException";
  private static final String OPENED = "dev.offcut.agent.base.Key";

  @TempDir private Path folder = Path.of("");

  @Test
  void withInitializer_hasOneMore_andNothingElse() throws Exception {
    byte[] file = Trees.jdk(CARRIER);
    byte[] made = Handover.withInitializer(file, 1234);
    assertThat(Trees.read(made).methods)
        .extracting(method -> method.name)
        .containsExactlyInAnyOrder("<init>", "<clinit>");
    byte[] without =
        Trees.changed(made, type -> type.methods.removeIf(m -> m.name.equals("<clinit>")));
    assertThat(without).isEqualTo(Trees.changed(file, type -> {}));
    assertThatThrownBy(() -> Handover.withInitializer(made, 1234))
        .isInstanceOf(UnknownShapeException.class)
        .hasMessage("it has an initializer");
  }

  @Test
  void withInitializer_forAFileThatIsTooLong_isRefused() throws Exception {
    byte[] file = Trees.jdk(CARRIER);
    assertThatThrownBy(() -> Handover.withInitializer(file, 1 << 15))
        .isInstanceOf(UnknownShapeException.class);
  }

  /** Classes as they are loaded; the program ends at once. */
  private List<String> loaded(ChildJvm jvm) throws Exception {
    Path log = folder.resolve("loaded");
    ChildJvm.Output output =
        jvm.and("-Xlog:class+load:file=" + log)
            .classPath(AgentJvm.classes())
            .and(CarrierAgent.class.getName())
            .run();
    assertThat(output.said()).isEmpty();
    assertThat(output.errText()).contains("cleaners");
    return Files.readAllLines(log);
  }

  @Test
  void start_opensNoPackage() throws Exception {
    List<String> classes =
        loaded(AgentJvm.with("-agentlib:instrument=" + AgentJvm.AGENT + "=level=sample"));
    assertThat(classes)
        .anyMatch(line -> line.contains("java.util.concurrent.OffcutDefiner"))
        .noneMatch(line -> line.contains(OPENED));
  }

  /** Another agent has loaded the class that gets the initializer. */
  @Test
  void start_whereThatIsTooLate_opensThePackage() throws Exception {
    List<String> classes =
        loaded(AgentJvm.with("-javaagent:" + otherAgent(), AgentJvm.agent("level=sample")));
    assertThat(classes)
        .anyMatch(line -> line.contains(OPENED))
        .anyMatch(line -> line.contains("java.util.concurrent.OffcutCounts"));
  }

  private Path otherAgent() throws IOException {
    Path jar = folder.resolve("other.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", CarrierAgent.class.getName());
    String name = CarrierAgent.class.getName().replace('.', '/') + ".class";
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      out.putNextEntry(new ZipEntry(name));
      Files.copy(AgentJvm.classes().resolve(name), out);
    }
    return jar;
  }
}
