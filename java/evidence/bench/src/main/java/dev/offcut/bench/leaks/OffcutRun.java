package dev.offcut.bench.leaks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.offcut.bench.Agent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code offcut run}, with its default options. Found: the first finding is the right one, with the
 * right line, and its bytes, where there are any, are within a factor of two. Partly: a finding is
 * the right one or names the right line, but is not first, or lacks one of these. Alarm: any
 * finding but costs and notes.
 */
record OffcutRun() implements Finder {
  static final String NAME = "offcut";

  private static final List<String> QUIET = List.of("cost", "note");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Seen look(Program program) throws IOException, InterruptedException {
    List<String> run = offcut("run", "--no-report", "-f", "-o", "run");
    run.add("--");
    run.addAll(program.command(List.of()));
    program.run(run, Map.of());
    String json = program.run(offcut("report", "--json", "run.offcut"), Map.of());
    return judge(program.leak(), json.substring(json.indexOf('{')));
  }

  private static List<String> offcut(String... words) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(Program.jdk("java"), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-Doffcut.agent.jar=" + Agent.jar());
    command.addAll(
        List.of(
            "-jar", Agent.target("diagnosis/command").resolve("offcut-command.jar").toString()));
    command.addAll(List.of(words));
    return command;
  }

  /** By a report of the schema {@code offcut.report/2}. */
  static Seen judge(Leak leak, String report) throws IOException {
    JsonNode findings = new ObjectMapper().readTree(report).required("findings");
    Verdict verdict = Verdict.NOT;
    boolean isFirst = true;
    boolean alarm = false;
    for (JsonNode finding : findings) {
      if (QUIET.contains(text(finding, "severity"))) {
        continue;
      }
      alarm = true;
      boolean isRight = isRight(leak, finding);
      boolean namesLine = namesLine(leak, finding);
      if (isFirst) {
        verdict = isRight && namesLine && isAboutAsMuch(leak, finding) ? Verdict.FOUND : verdict;
      }
      if (verdict == Verdict.NOT && (isRight || (namesLine && !leak.lines().isEmpty()))) {
        verdict = Verdict.PARTLY;
      }
      isFirst = false;
    }
    return new Seen(verdict, 0, alarm);
  }

  private static boolean isRight(Leak leak, JsonNode finding) {
    return text(finding, "severity").toUpperCase(Locale.ROOT).equals(leak.finding())
        && (text(finding, "kind") + " " + text(finding, "title") + " " + text(finding, "text"))
            .contains(leak.kind());
  }

  private static boolean namesLine(Leak leak, JsonNode finding) {
    String said = text(finding, "title") + " " + text(finding, "text");
    return leak.lines().isEmpty() || leak.lines().stream().anyMatch(said::contains);
  }

  private static boolean isAboutAsMuch(Leak leak, JsonNode finding) {
    long bytes = finding.path("bytes").asLong();
    return bytes == 0
        || leak.bytes() == 0
        || (bytes <= 2 * leak.bytes() && leak.bytes() <= 2 * bytes);
  }

  private static String text(JsonNode finding, String member) {
    return finding.path(member).asText();
  }
}
