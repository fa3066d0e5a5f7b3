package dev.offcut.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Runs tests in a JVM of their own, with JUnit 5 or 6. */
final class JunitRun {
  private JunitRun() {}

  /** What one run printed: how each test ended and what it threw; and what is on stderr. */
  record Results(Map<String, String> tests, List<String> err) {
    List<String> failed() {
      return tests.entrySet().stream()
          .filter(test -> test.getValue().startsWith("FAILED"))
          .map(Map.Entry::getKey)
          .toList();
    }

    String of(String test) {
      assertThat(tests).containsKey(test);
      return tests.getOrDefault(test, "");
    }
  }

  static Results run(int junit, List<String> options, Object... arguments)
      throws IOException, InterruptedException {
    return run(junit, true, options, arguments);
  }

  static Results run(int junit, boolean handles, List<String> options, Object... arguments)
      throws IOException, InterruptedException {
    return run(classPath(junit, handles), options, arguments);
  }

  static Results run(Path[] classPath, List<String> options, Object... arguments)
      throws IOException, InterruptedException {
    ChildJvm.Output output =
        ChildJvm.with("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
            .and(options.toArray())
            .classPath(classPath)
            .and(TestRun.class.getName())
            .and(arguments)
            .run();
    Map<String, String> tests = new LinkedHashMap<>();
    String name = "";
    for (String line : output.out()) {
      if (line.startsWith("=== ")) {
        int how = line.indexOf(' ', 4);
        name = line.substring(how + 1);
        boolean isMore = line.startsWith("=== REPORTED ");
        tests.put(name, (isMore ? tests.getOrDefault(name, "") : line.substring(4, how)) + "\n");
      } else {
        tests.merge(name, line + "\n", String::concat);
      }
    }
    return new Results(tests, output.err());
  }

  static Path[] classPath(int junit, boolean handles) throws IOException {
    List<Path> path = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      boolean other = junit < 6 && entry.replace('\\', '/').contains("/org/junit/");
      boolean handle = entry.replace('\\', '/').matches(".*/(handle/target|offcut-handle).*");
      if (!other && (handles || !handle)) {
        path.add(Path.of(entry));
      }
    }
    if (junit == 5) {
      try (Stream<Path> jars = Files.list(Path.of(System.getProperty("junit5.lib")))) {
        jars.forEach(path::add);
      }
    }
    return path.toArray(new Path[0]);
  }

  static String agent(String options) {
    return "-javaagent:" + System.getProperty("agent.jar") + "=tables=off," + options;
  }
}
