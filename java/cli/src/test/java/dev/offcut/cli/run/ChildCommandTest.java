package dev.offcut.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChildCommandTest {
  private static final String REPOSITORY = "-XX:FlightRecorderOptions:repository=/tmp/r";

  private static Child.Command command(String agent, String... words) {
    return new Child.Command(List.of(words), Path.of(agent), "level=full", Path.of("/tmp/r"));
  }

  @Test
  void process_java_agentStandsBehindIt() {
    ProcessBuilder process =
        command("/a b/agent.jar", "/jdk/bin/java", "-jar", "x y.jar").process();
    assertThat(process.command())
        .containsExactly(
            "/jdk/bin/java", REPOSITORY, "-javaagent:/a b/agent.jar=level=full", "-jar", "x y.jar");
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
