package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What {@code offcut run} says first of programs whose problem is known, and of healthy ones. */
@EnabledIfSystemProperty(named = "agent.jar", matches = ".+")
@EnabledOnOs(OS.LINUX)
class VerdictsTest {
  private static final String NO_ACCOUNT = "there is no account of its end";
  private static final int MOST_RUNS = 3;
  private static final String NOTE = "note";

  /** What is told by object and line if they came one after the other, and else by weight. */
  private static final String ANY = "";

  private static final String LINE = "ProblemProgram.java";

  /** What is held, if the program knows it exactly: malloc's headers, and rounding. */
  private static final double EXACT = 0.05;

  /** Where the system or the JVM decides how much it is. */
  private static final double ABOUT = 0.5;

  /** That of what is told by object and line, whose bytes nobody knows. */
  private static final double NONE = -1;

  private static final List<Case> CASES =
      List.of(
          new Case("growingBuffers", 24, "growing", "buffer.direct", LINE + ".*drop what", EXACT),
          new Case("unwatchedMalloc", 64, "open", "malloc.native", LINE, ABOUT),
          new Case("mappedFiles", 64, "mapped", "", "segment-", EXACT),
          new Case("threads", 64, ANY, "", LINE, NONE),
          new Case("loaders", 32, ANY, "", "ProblemProgram", NONE),
          new Case("pooled", 64, "pooled", "", "scattered", 0.15),
          new Case("healthyCache", 64, NOTE, "", "", NONE),
          new Case("healthyCrew", 64, NOTE, "", "", NONE));

  /**
   * A program, and its first finding.
   *
   * @param of the kind of resources, or empty
   * @param says a pattern that its title or text has in it
   * @param tolerance a share of the bytes
   */
  private record Case(
      String kind, int mib, String severity, String of, String says, double tolerance) {}

  @TempDir private Path folder = Path.of("");

  @Test
  void firstFinding_isTheCause() throws Exception {
    try (ExecutorService two = Executors.newFixedThreadPool(2)) {
      List<Future<String>> wrong = new ArrayList<>();
      for (Case program : CASES) {
        wrong.add(two.submit(() -> judge(program)));
      }
      for (int i = 0; i < CASES.size(); i++) {
        assertThat(wrong.get(i).get()).as("%s", CASES.get(i)).isEmpty();
      }
    }
  }

  /**
   * Runs the program once more if there is no account of its end: on a machine that is busy with
   * other tests the last account comes too late for a program of a few seconds.
   */
  private String judge(Case program) throws Exception {
    String wrong = NO_ACCOUNT;
    for (int run = 1; run <= MOST_RUNS && wrong.equals(NO_ACCOUNT); run++) {
      wrong = judge(program, Files.createDirectory(folder.resolve(program.kind + run)));
    }
    return wrong;
  }

  private static String judge(Case program, Path its) throws Exception {
    List<String> words = new ArrayList<>(List.of("run", "--no-report", "-f", "-o", "run"));
    if (program.kind.equals("unwatchedMalloc")) {
      words.addAll(List.of("--rules", "off")); // its deflaters would be counted
    }
    words.add("--");
    words.addAll(
        CommandProcess.program(ProblemProgram.class, program.kind, String.valueOf(program.mib)));
    CommandProcess.Ended ended = new CommandProcess(its, Map.of()).run(words);
    if (ended.exitCode() != 0) {
      return "exit code " + ended.exitCode() + ": " + ended.err();
    }
    Words report = new Words();
    report.run("report", "--json", its.resolve("run.offcut").toString());
    return wrong(new ObjectMapper().readTree(report.printed()), program);
  }

  /** Why the first finding is not the truth; empty if it is. */
  private static String wrong(JsonNode report, Case program) {
    JsonNode memory = report.required("memory");
    boolean isOld =
        memory
            .required("remarks")
            .valueStream()
            .anyMatch(remark -> remark.textValue().startsWith("This was "));
    if (isOld || !memory.required("accounted").booleanValue()) {
      return NO_ACCOUNT;
    }
    Stream<JsonNode> findings = report.required("findings").valueStream();
    if (program.severity.equals(NOTE)) {
      return findings.allMatch(one -> one.required("severity").textValue().equals(NOTE))
          ? ""
          : "it is healthy: " + report.required("findings");
    }
    JsonNode first = report.required("findings").path(0);
    String severity = first.path("severity").asText();
    String said = first.path("title").asText() + first.path("text").asText();
    double bytes = program.mib * (double) (1 << 20);
    boolean isRight =
        (program.severity.equals(ANY)
                || (severity.equals(program.severity)
                    && first.path("kind").asText("").equals(program.of)))
            && said.matches(".*" + program.says + ".*")
            && (program.tolerance < 0
                || Math.abs(first.path("bytes").asLong() - bytes) <= bytes * program.tolerance);
    return isRight ? "" : "it is not the cause: " + first;
  }
}
