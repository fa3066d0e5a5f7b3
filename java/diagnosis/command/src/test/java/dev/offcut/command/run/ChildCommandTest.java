package dev.offcut.command.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChildCommandTest {
  private static final String REPOSITORY = "-XX:FlightRecorderOptions:repository=/tmp/r";

  private static Child.Command command(String agent, String... words) {
    return command(Map.of(), agent, words);
  }

  private static Child.Command command(
      Map<String, String> environment, String agent, String... words) {
    return new Child.Command(
        List.of(words), Path.of(agent), "level=full", Path.of("/tmp/r"), environment);
  }

  /** The option by which {@code java} gets the agent, without what stands behind its name. */
  private static String option(Map<String, String> environment, String... words) {
    String added = command(environment, "/agent.jar", words).process().command().get(2);
    return added.substring(0, added.indexOf("/agent.jar"));
  }

  @Test
  void process_classOrJar_agentAddsNoModule() {
    assertThat(
            List.of(
                option(Map.of(), "java", "Main"),
                option(Map.of(), "java", "-jar", "app.jar", "-m", "--limit-modules"),
                option(Map.of(), "java", "-Xmx1g", "-Da=b", "-ea:x...", "-cp", "@a", "Main", "@b"),
                option(Map.of("HOME", "/"), "java", "-XX:+UseZGC", "--class-path", "-p", "a.Main")))
        .containsOnly("-agentlib:instrument=");
  }

  @Test
  void process_modulesMayBeChosen_agentAddsItsModule() {
    assertThat(
            List.of(
                option(Map.of(), "java", "-m", "a/a.Main"),
                option(Map.of(), "java", "--limit-modules", "java.base", "Main"),
                option(Map.of(), "java", "--add-modules=java.sql", "-jar", "app.jar"),
                option(Map.of(), "java", "@file", "Main"),
                option(Map.of(), "java", "-cp", "a", "@file"),
                option(Map.of(), "java", "Main.java"),
                option(Map.of(), "java", "-XX:Flags=f", "Main"),
                option(Map.of(), "java", "-XX:VMOptionsFile=f", "Main"),
                option(Map.of(), "java", "-Djdk.module.limitmods=java.base", "Main"),
                option(Map.of(), "java", "-version"),
                option(Map.of("JDK_JAVA_OPTIONS", ""), "java", "Main"),
                option(Map.of("JAVA_TOOL_OPTIONS", "--limit-modules=a"), "java", "Main"),
                option(Map.of("_JAVA_OPTIONS", "-Xmx1g"), "java", "Main")))
        .containsOnly("-javaagent:");
  }

  @Test
  void process_java_agentStandsBehindIt() {
    ProcessBuilder process =
        command("/a b/agent.jar", "/jdk/bin/java", "-jar", "x y.jar").process();
    assertThat(process.command())
        .containsExactly(
            "/jdk/bin/java",
            REPOSITORY,
            "-agentlib:instrument=/a b/agent.jar=level=full",
            "-XX:+StartAttachListener",
            "-jar",
            "x y.jar");
    assertThat(process.environment()).isEqualTo(System.getenv());
  }

  @Test
  void process_other_agentStandsInTheVariable() {
    ProcessBuilder process = command("/a b/agent.jar", "./gradlew", "java").process();
    assertThat(process.command()).containsExactly("./gradlew", "java");
    assertThat(process.environment().get("JAVA_TOOL_OPTIONS"))
        .endsWith(REPOSITORY + " \"-javaagent:/a b/agent.jar=level=full\"");
  }
}
