package dev.offcut.bench.leaks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.offcut.bench.Agent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * {@code offcut run}. Found: the first finding has a severity, a kind, a line, a count and bytes of
 * the truth. Partly: a finding has the severity and the kind, or the line, but is not first, or
 * lacks one of these. Alarm: any finding but costs, notes and free memory.
 *
 * @param options of {@code offcut run}
 */
record OffcutRun(String name, List<String> options) implements Finder {
  static final OffcutRun DEFAULT = new OffcutRun("offcut", List.of());

  /** Knows no class of any library by name. */
  static final OffcutRun WITHOUT_RULES =
      new OffcutRun("offcut-no-rules", List.of("--rules", "off"));

  /** Nothing is held: memory that malloc or a pool keeps is free. */
  private static final List<String> QUIET = List.of("COST", "NOTE", "KEPT", "POOLED");

  /** Where stacks are sampled, so is the count of one line. */
  private static final double COUNT_TOLERANCE = 0.05;

  @Override
  public Seen look(Program program) throws IOException, InterruptedException {
    List<String> run = offcut("run", "--no-report", "-f", "-o", "run");
    run.addAll(options);
    run.add("--");
    run.addAll(program.command(List.of()));
    program.run(run);
    String json = program.run(offcut("report", "--json", "run.offcut"));
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
    Verdict verdict = Verdict.NOT;
    String said = "";
    boolean isFirst = true;
    for (JsonNode finding : new ObjectMapper().readTree(report).required("findings")) {
      String severity = text(finding, "severity").toUpperCase(Locale.ROOT);
      boolean isQuiet = QUIET.contains(severity);
      if (isQuiet && !leak.finding().contains(severity)) {
        continue;
      }
      if (!isQuiet && said.isEmpty()) {
        said = severity + " " + text(finding, "title") + " (" + text(finding, "where") + ")";
      }
      boolean isCause = leak.finding().contains(severity) && isOfKind(leak, finding);
      boolean isAtLine = isAtLine(leak, finding);
      if (isFirst && isCause && isAtLine && isAsMany(leak, finding)) {
        verdict = Verdict.FOUND;
      } else if (verdict == Verdict.NOT && (isCause || (isAtLine && !leak.lines().isEmpty()))) {
        verdict = Verdict.PARTLY;
      }
      isFirst = false;
    }
    return new Seen(verdict, 0, said);
  }

  private static boolean isOfKind(Leak leak, JsonNode finding) {
    String said = (text(finding, "kind") + " " + text(finding, "title")).toLowerCase(Locale.ROOT);
    return leak.kind().isEmpty()
        || leak.kind().stream().anyMatch(word -> said.contains(word.toLowerCase(Locale.ROOT)));
  }

  private static boolean isAtLine(Leak leak, JsonNode finding) {
    boolean hasPlace = finding.hasNonNull("where");
    String said = text(finding, "title") + " " + text(finding, hasPlace ? "where" : "text");
    return leak.lines().isEmpty()
        || leak.lines().stream().anyMatch(line -> said.matches(".*\\b" + line + "\\b.*"));
  }

  /** What it counts is right, and it counts objects or bytes, where there are any. */
  private static boolean isAsMany(Leak leak, JsonNode finding) {
    long count = leak.counts().isEmpty() ? 0 : finding.path("count").asLong();
    long bytes = leak.bytes() == 0 ? 0 : finding.path("bytes").asLong();
    boolean isCounted = count > 0 || bytes > 0 || (leak.counts().isEmpty() && leak.bytes() == 0);
    return isCounted
        && (count == 0
            || leak.counts().stream()
                .anyMatch(all -> Math.abs(count - all) <= all * COUNT_TOLERANCE))
        && (bytes == 0 || (bytes <= 2 * leak.bytes() && leak.bytes() <= 2 * bytes));
  }

  private static String text(JsonNode finding, String member) {
    return finding.path(member).asText("");
  }
}
