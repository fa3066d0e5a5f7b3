package dev.offcut.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications of Spring Boot 3 and 4. */
class SpringBootTest {
  private static final int FIRST_WITH_POOLS = 23;

  /** Of a Boot: what holds for one of them holds for the others. */
  private static final int LATEST = 4;

  private static final String EXPOSED =
      "--management.endpoints.web.exposure.include=offcut,metrics";

  /** An application's class path: a Boot, without some of its jars, and Offcut's libraries. */
  private static Path[] classPath(int boot, String lacking) throws Exception {
    List<Path> path = new ArrayList<>();
    try (Stream<Path> jars = Files.list(Path.of(System.getProperty("boot" + boot + ".lib")))) {
      jars.filter(jar -> !jar.toString().matches(lacking)).forEach(path::add);
    }
    Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.matches(".*/(metrics|handle|memory|longmap|jspecify)/.*"))
        .map(Path::of)
        .forEach(path::add);
    return path.toArray(new Path[0]);
  }

  private static ChildJvm.Output run(Path[] classPath, String option, String... arguments)
      throws Exception {
    return ChildJvm.with(
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            option)
        .classPath(classPath)
        .and(BootProgram.class.getName())
        .and((Object[]) arguments)
        .and("--server.port=0", "--spring.main.banner-mode=off")
        .run();
  }

  private static String agent() {
    return "-javaagent:" + System.getProperty("agent.jar") + "=level=count";
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void application_withoutTheAgent_hasMetersAndAnEndpointThatSaysSo(int boot) throws Exception {
    ChildJvm.Output output =
        run(classPath(boot, "-"), "-Dno=agent", "200", EXPOSED, "--offcut.metrics.owners=1");
    boolean pools = Runtime.version().feature() >= FIRST_WITH_POOLS;
    assertThat(output.value("endpoint"))
        .startsWith("200 {\"sources\":{\"agent\":false,\"handles\":true,\"pools\":" + pools + "},")
        .contains("{\"type\":\"picture\",\"opened\":1,\"closed\":0,\"forgotten\":0,\"open\":1,")
        .containsPattern("\"oldest\":\\d+\\.\\d+")
        .contains(
            "\"resources\":[],\"sites\":[],\"agent\":{\"present\":false,"
                + "\"note\":\"start the program with")
        .doesNotContain("account");
    if (pools) {
      assertThat(output.value("endpoint"))
          .contains("\"pools\":[{\"pool\":\"server\",\"limit\":1073741824,\"reserved\":")
          .contains("\"owners\":[{\"pool\":\"server\",\"owner\":\"cache\",\"committed\":")
          .contains("{\"pool\":\"server\",\"owner\":\"other\",\"committed\":");
    }
    assertThat(output.value("meters")).contains("offcut.handle.open", "offcut.source.present");
    assertThat(output.value("handles")).startsWith("200 ").contains("\"value\":1.0");
    assertThat(output.value("buffers")).startsWith("404 ");
    assertThat(output.value("binder")).isEqualTo("true");
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void application_withTheAgent_hasItsCountsAndAnAccountWithoutArguments(int boot)
      throws Exception {
    ChildJvm.Output output =
        run(classPath(boot, "-"), agent(), "{\"agent\":true,", EXPOSED, "--password=Sesame");
    // Of the buffers' bytes, 7 MiB are the program's, and the rest are the server's: as it likes.
    assertThat(output.value("endpoint"))
        .startsWith("200 {\"sources\":{\"agent\":true,")
        .containsPattern("\\{\"kind\":\"buffer.direct\",\"opened\":\\d+,\"closed\":")
        .containsPattern("\"bytes\":([7-9]|[1-3]\\d)\\d{6},\"opened_bytes\"")
        .containsPattern(
            "\"agent\":\\{\"present\":true,\"version\":\"\\d[^\"]+\",\"level\":\"count\"")
        .contains("\"attached\":false,\"patched\":[\"", "\"stood_down\":[")
        .containsPattern("\"account\":\\{\"time\":\"[^\"]+\",\"atEnd\":false,\"resident\":\\d{8,},")
        .containsPattern("\\{\"part\":\"HEAP_USED\",\"detail\":\"[^\"]*\",\"bytes\":\\d+}")
        .doesNotContain("Sesame", "note");
    assertThat(output.value("buffers"))
        .containsPattern("^200 .*\"value\":([7-9]\\.?\\d{6}|[1-3]\\.\\d+E7)");
  }

  @Test
  void switches_turnOffTheMetersAndTheEndpoint() throws Exception {
    ChildJvm.Output output =
        run(classPath(LATEST, "-"), "-Dno=agent", "200", EXPOSED, "--offcut.metrics.enabled=false");
    assertThat(output.value("endpoint")).contains("\"type\":\"picture\"");
    assertThat(output.value("meters")).startsWith("200 ").doesNotContain("offcut");
    assertThat(output.value("binder")).isEqualTo("false");
    output =
        run(
            classPath(LATEST, "-"),
            "-Dno=agent",
            "404",
            EXPOSED,
            "--management.endpoint.offcut.access=none");
    assertThat(output.value("endpoint")).startsWith("404 ");
    assertThat(output.value("handles")).startsWith("200 ").contains("\"value\":1.0");
  }

  @Test
  void binderOfTheApplication_isTheOnlyOne() throws Exception {
    ChildJvm.Output output = run(classPath(LATEST, "-"), "-Dno=agent", "200", "own", EXPOSED);
    assertThat(output.value("binder")).isEqualTo("false");
    assertThat(output.value("handles")).startsWith("200 ").contains("\"value\":1.0");
  }

  @Test
  void endpoint_needsNoMicrometer_andTheBinderNoActuator() throws Exception {
    ChildJvm.Output output =
        run(classPath(LATEST, ".*/micrometer-(core|jakarta9)\\.jar"), "-Dno=agent", "200", EXPOSED);
    assertThat(output.value("endpoint")).contains("\"type\":\"picture\"");
    assertThat(output.value("binder")).isEqualTo("false");
    output =
        run(
            classPath(LATEST, ".*(actuator|boot-health|micrometer-metrics).*"),
            "-Dno=agent",
            "404",
            EXPOSED);
    assertThat(output.value("endpoint")).startsWith("404 ");
    assertThat(output.value("binder")).isEqualTo("true");
  }
}
