package dev.offcut.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs with some of the libraries, with the agent or without. */
class ClassPathTest {
  @TempDir private Path folder = Path.of("");

  /** The class path of this JVM without what a program lacks. */
  private static List<Path> without(String... lacking) {
    Predicate<String> lacks = entry -> Arrays.stream(lacking).anyMatch(entry::contains);
    return new ArrayList<>(
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(lacks.negate())
            .map(Path::of)
            .toList());
  }

  private static ChildJvm.Output export(List<Path> classPath, String word, String... options)
      throws Exception {
    return export("MicrometerExport", classPath, word, options);
  }

  private static ChildJvm.Output export(
      String way, List<Path> classPath, String word, String... options) throws Exception {
    return ChildJvm.with("--enable-native-access=ALL-UNNAMED", "-Xmx256m")
        .and("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
        .and((Object[]) options)
        .classPath(classPath.toArray(new Path[0]))
        .and(ExportProgram.class.getName(), way, word)
        .run();
  }

  private static String present(String source, String value) {
    return "offcut_source_present{source=\"" + source + "\"} " + value;
  }

  @Test
  void program_withMicrometerAlone_hasMetersThatSayThereIsNothing() throws Exception {
    ChildJvm.Output output =
        export(
            without("/handle/", "/memory/", "opentelemetry", "springframework"),
            "offcut_source",
            "-Xlog:class+load:stderr");
    assertThat(output.outText())
        .contains(present("handles", "0.0"), present("pools", "0.0"), present("agent", "0.0"))
        .doesNotContain("offcut_handle", "offcut_pool", "offcut_resource");
    assertThat(output.errText())
        .contains("OffcutMetrics")
        .doesNotContain("opentelemetry", "springframework", "javax.management.MBeanServerFactory");
  }

  @Test
  void program_withOpenTelemetryAlone_hasInstrumentsThatSayThereIsNothing() throws Exception {
    ChildJvm.Output output =
        export(
            "OpenTelemetryExport",
            without("/handle/", "/memory/", "micrometer", "springframework"),
            "offcut.source.present",
            "-Xlog:class+load:stderr");
    assertThat(output.outText()).contains("{source=\"agent\"}").doesNotContain("offcut.handle");
    assertThat(output.errText())
        .contains("OffcutTelemetry")
        .doesNotContain("micrometer", "javax.management.MBeanServerFactory");
  }

  /** The agent does not know how large such objects are: 0 would be a statement. */
  @Test
  void program_withObjectsWhoseBytesAreNotKnown_hasNoBytesOfThem() throws Exception {
    String kind = "{kind=\"closeable:java.util.zip.Inflater\"}";
    ChildJvm.Output output =
        export(
            without("/handle/", "/memory/"),
            "offcut_resource_open" + kind,
            "-javaagent:"
                + System.getProperty("agent.jar")
                + "=level=count,watch=java.util.zip.Inflater#end");
    assertThat(output.outText())
        .contains("offcut_resource_opened_total" + kind, "offcut_resource_bytes{kind=")
        .doesNotContain("bytes" + kind, "bytes_total" + kind);
  }

  @Test
  void program_withTheAgent_hasItsCounts() throws Exception {
    ChildJvm.Output output =
        export(
            without("/handle/", "/memory/"),
            present("agent", "1.0"),
            "-javaagent:" + System.getProperty("agent.jar") + "=level=count");
    // The rows of a source are in the scrape after the one in which it came.
    assertThat(output.outText()).contains(present("handles", "0.0"), present("agent", "1.0"));
    output =
        export(
            without("/handle/", "/memory/"),
            "offcut_resource_open{kind=\"buffer.direct\"}",
            "-javaagent:" + System.getProperty("agent.jar") + "=level=count");
    assertThat(output.outText())
        .containsPattern("offcut_resource_open\\{kind=\"buffer.direct\"} [789]\\.0\\n")
        .containsPattern("offcut_resource_bytes\\{kind=\"buffer.direct\"} 73\\d{5}\\.0\\n")
        .containsPattern("offcut_resource_opened_total\\{kind=\"buffer.direct\"} \\d+\\.0\\n")
        .containsPattern("offcut_resource_opened_bytes_total\\{kind=\"buffer.direct\"} 7")
        .contains("offcut_resource_lost_total{kind=\"buffer.direct\"} 0.0")
        .contains("offcut_resource_lost_bytes_total{kind=\"buffer.direct\"} 0.0");
    assertThat(output.said()).isEmpty();
  }

  @Test
  void program_withPoolsOfAnotherVersion_lacksThemAndSaysSo() throws Exception {
    Path old = old("public final class MemoryPool {}");
    List<Path> classPath = without("/handle/", "/memory/");
    classPath.add(0, old);
    ChildJvm.Output output = export(classPath, "offcut_source");
    assertThat(output.outText()).contains(present("pools", "0.0"), present("handles", "0.0"));
    assertThat(output.errText().lines().filter(line -> line.contains("offcut: ")))
        .singleElement()
        .asString()
        .contains("the metrics lack pools, which could not be read (java.lang.NoSuchMethodError");
  }

  private Path old(String type) throws IOException {
    Path source = folder.resolve("MemoryPool.java");
    Files.writeString(source, "package dev.offcut.memory;\n" + type);
    Path classes = Files.createDirectories(folder.resolve("classes"));
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes.toString(), source.toString());
    assertThat(status).isZero();
    return classes;
  }
}
