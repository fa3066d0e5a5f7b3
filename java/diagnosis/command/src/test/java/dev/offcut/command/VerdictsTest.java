package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.offcut.command.read.Figures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code offcut run} says first of programs whose problem is known, and of healthy ones: the
 * table of verdicts. A few programs here; with {@code -Dstress.long=true} all of them, also on the
 * oldest JDK. The table is written to {@code target/verdicts.txt}.
 */
@EnabledIfSystemProperty(named = "agent.jar", matches = ".+")
@EnabledOnOs(OS.LINUX)
class VerdictsTest {
  private static final String NO_ACCOUNT = "there is no account of its end";
  private static final int MOST_RUNS = 3;

  private static final boolean LONG = Boolean.getBoolean("stress.long");
  private static final int OLDEST = 17;

  private static final int HEALTHY_MIB = 64;
  private static final int[] SIZES = {24, 64, 128, 320};

  /** Threads and metaspace cost time; finalizers are counted by the thousand. */
  private static final Map<String, int[]> OTHER_SIZES =
      Map.of(
          "threads", new int[] {24, 64, 128, 192},
          "loaders", new int[] {24, 32, 48, 64},
          "finalizers", new int[] {5, 20, 50, 100});

  private static final List<String> NEWER = List.of("lost-arenas", "pooled", "healthy-arenas");

  private static final List<String> PROBLEMS =
      List.of(
          "growing-buffers",
          "open-buffers",
          "unsafe-blocks",
          "late-buffers",
          "unwatched-malloc",
          "kept-malloc",
          "mapped-files",
          "threads",
          "loaders",
          "finalizers",
          "lost-arenas",
          "pooled");

  /** A rule would count it. */
  private static final String UNWATCHED = "unwatched-malloc";

  private static final List<String> HEALTHY =
      List.of(
          "healthy-reuse",
          "healthy-blocks",
          "healthy-burst",
          "healthy-threads",
          "healthy-crew",
          "healthy-garbage",
          "healthy-heap",
          "healthy-map",
          "healthy-loaders",
          "healthy-cache",
          "healthy-deflaters",
          "healthy-arenas");

  private static final List<Case> PART =
      List.of(
          new Case("growing-buffers", 24, 1),
          new Case("unwatched-malloc", 64, 2),
          new Case("mapped-files", 64, 3),
          new Case("threads", 64, 4),
          new Case("loaders", 32, 5),
          new Case("pooled", 64, 6),
          new Case("healthy-cache", HEALTHY_MIB, 7),
          new Case("healthy-crew", HEALTHY_MIB, 8));

  /** A program; the seed decides what its kind and size leave open. */
  private record Case(String kind, int mib, int seed) {}

  /**
   * What is told by object and line, if they came one after the other, and else by their weight.
   */
  private static final Map<String, String> COUNTED =
      Map.of(
          "threads", "closeable:java.lang.Thread",
          "loaders", "closeable:java.lang.ClassLoader");

  /** What came of it. */
  private record Row(int jdk, Case program, String found, String wrong) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%-3d %-17s %4d  %-6s %s",
          jdk,
          program.kind(),
          program.mib(),
          wrong.isEmpty() ? "right" : "WRONG",
          wrong.isEmpty() ? found : found + " [" + wrong + "]");
    }
  }

  @TempDir private Path folder = Path.of("");

  private static List<Case> all() {
    List<Case> all = new ArrayList<>();
    for (String kind : PROBLEMS) {
      int[] sizes = OTHER_SIZES.getOrDefault(kind, SIZES);
      for (int i = 0; i < sizes.length; i++) {
        all.add(new Case(kind, sizes[i], i + 1));
      }
    }
    HEALTHY.forEach(kind -> all.add(new Case(kind, HEALTHY_MIB, 9)));
    return all;
  }

  @Test
  void firstFinding_isTheCause() throws Exception {
    List<Row> rows = new ArrayList<>();
    try (ExecutorService two = Executors.newFixedThreadPool(2)) {
      List<Future<Row>> running = new ArrayList<>();
      for (Case program : LONG ? all() : PART) {
        running.add(two.submit(() -> judge(Runtime.version().feature(), program)));
      }
      String older = LONG ? home(OLDEST) : "";
      if (!older.isEmpty()) {
        compile();
        for (Case program : all()) {
          if (!NEWER.contains(program.kind())) {
            running.add(two.submit(() -> judge(OLDEST, program)));
          }
        }
      }
      for (Future<Row> row : running) {
        rows.add(row.get());
      }
    }
    List<String> table = rows.stream().map(Row::toString).toList();
    Files.write(Path.of("target", "verdicts.txt"), table, StandardCharsets.UTF_8);
    assertThat(rows).as(String.join("\n", table)).allMatch(row -> row.wrong().isEmpty());
  }

  /** Where a JDK is, of those that were found; empty if it is not among them. */
  private static String home(int version) throws IOException {
    for (String home : System.getProperty("offcut.jvms", "").split(":", -1)) {
      Path release = Path.of(home, "release");
      if (!home.isEmpty() && Files.exists(release)) {
        String text = Files.readString(release, StandardCharsets.UTF_8);
        if (text.contains("JAVA_VERSION=\"" + version + ".")) {
          return home;
        }
      }
    }
    return "";
  }

  /** The program for the oldest JDK: it is one file. */
  private void compile() throws IOException, InterruptedException {
    Process javac =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "javac").toString(),
                "--release",
                String.valueOf(OLDEST),
                "-d",
                folder.resolve("older").toString(),
                "src/test/java/dev/offcut/command/SeededProgram.java")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("javac.log").toFile())
            .start();
    assertThat(javac.waitFor()).as(Files.readString(folder.resolve("javac.log"))).isZero();
  }

  /**
   * Runs the program once more if there is no account of its end: on a machine that is busy with
   * other tests the last account comes too late for a program of a few seconds.
   */
  private Row judge(int jdk, Case program) throws Exception {
    Row row = judge(jdk, program, 1);
    for (int run = 2; run <= MOST_RUNS && row.wrong().equals(NO_ACCOUNT); run++) {
      row = judge(jdk, program, run);
    }
    return row;
  }

  private Row judge(int jdk, Case program, int run) throws Exception {
    String name = jdk + "-" + program.kind() + program.mib() + "-" + run;
    Path its = Files.createDirectory(folder.resolve(name));
    String java = jdk == OLDEST ? home(OLDEST) + "/bin/java" : CommandProcess.java();
    String path = jdk == OLDEST ? folder.resolve("older").toString() : CommandProcess.PATHS;
    List<String> words = new ArrayList<>(List.of("run", "--no-report", "-f", "-o", "run"));
    if (program.kind().equals(UNWATCHED)) {
      words.addAll(List.of("--rules", "off")); // its deflaters would be counted
    }
    words.addAll(List.of("--", java));
    words.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m"));
    words.addAll(List.of("-cp", path, SeededProgram.class.getName(), program.kind()));
    words.addAll(List.of(String.valueOf(program.mib()), String.valueOf(program.seed()), "truth"));
    CommandProcess.Ended ended = new CommandProcess(its, Map.of()).run(words);
    if (ended.exitCode() != 0) {
      return new Row(jdk, program, ended.err(), "exit code " + ended.exitCode());
    }
    Words report = new Words();
    report.run("report", "--json", its.resolve("run.offcut").toString());
    JsonNode json = new ObjectMapper().readTree(report.printed());
    return new Row(jdk, program, found(json), wrong(json, truth(its.resolve("truth"))));
  }

  /** Whether there is an account, and it was taken at the end. */
  private static boolean isAccounted(JsonNode report) {
    JsonNode memory = report.required("memory");
    return memory.required("accounted").booleanValue()
        && memory
            .required("remarks")
            .valueStream()
            .noneMatch(remark -> remark.textValue().startsWith("This was "));
  }

  private static Properties truth(Path file) throws IOException {
    Properties truth = new Properties();
    try (var in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      truth.load(in);
    }
    return truth;
  }

  private static Stream<JsonNode> findings(JsonNode report) {
    return report.required("findings").valueStream();
  }

  private static String found(JsonNode report) {
    return findings(report)
        .findFirst()
        .map(
            one ->
                one.required("severity").textValue().toUpperCase(Locale.ROOT)
                    + " "
                    + one.required("title").textValue())
        .orElse("nothing");
  }

  /** Why the first finding is not the truth; empty if it is. */
  private static String wrong(JsonNode report, Properties truth) {
    if (!isAccounted(report)) {
      return NO_ACCOUNT;
    }
    if (truth.getProperty("finding").isEmpty()) {
      boolean isQuiet =
          findings(report).allMatch(one -> one.required("severity").textValue().equals("note"));
      return isQuiet ? "" : "it is healthy";
    }
    JsonNode first = report.required("findings").path(0);
    if (first.path("kind").asText("").equals(COUNTED.get(truth.getProperty("finding")))) {
      return first.path("title").asText().contains("SeededProgram.java") ? "" : "it has no line";
    }
    if (!first.path("severity").asText().equals(truth.getProperty("finding"))) {
      return "it is " + truth.getProperty("finding");
    }
    if (!first.path("kind").asText("").equals(truth.getProperty("kind"))) {
      return "it is of " + truth.getProperty("kind");
    }
    String said = first.path("title").asText() + first.path("text").asText();
    for (String wanted : List.of(truth.getProperty("says"), truth.getProperty("line"))) {
      if (!said.contains(wanted)) {
        return "it does not say " + wanted;
      }
    }
    long bytes = Long.parseLong(truth.getProperty("bytes"));
    double off = Math.abs(first.path("bytes").asLong() - bytes);
    return bytes > 0 && off > bytes * Double.parseDouble(truth.getProperty("tolerance"))
        ? "it has " + Figures.bytes(bytes)
        : "";
  }
}
