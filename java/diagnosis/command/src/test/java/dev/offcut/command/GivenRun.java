package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.offcut.test.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** Runs programs under the agent, as a user does. */
abstract class GivenRun {
  @TempDir Path folder = Path.of("");

  final CommandProcess offcut(String... options) {
    return new CommandProcess(folder, Map.of(), options);
  }

  static List<String> words(List<String> program, String... own) {
    List<String> words = new ArrayList<>(List.of("run"));
    words.addAll(List.of(own));
    words.add("--");
    words.addAll(program);
    return words;
  }

  static List<String> leaking(int exitCode) {
    return CommandProcess.program(LeakingProgram.class, "1000", String.valueOf(exitCode));
  }

  /** The report of the only archive in the folder of a command, in JSON. */
  static JsonNode report(CommandProcess offcut, String... options) throws Exception {
    List<String> given = new ArrayList<>(List.of("report", "--json"));
    given.addAll(List.of(options));
    given.add(offcut.only(".offcut").toString());
    Words words = new Words();
    assertThat(words.run(given.toArray(String[]::new))).as(words.said()).isZero();
    assertThat(ReportSchema.problemsOf(words.printed())).isEmpty();
    return new ObjectMapper().readTree(words.printed());
  }

  /** They are parts of what is resident, and hardly any is without an owner. */
  static void checkParts(JsonNode memory) {
    assertThat(memory.required("accounted").booleanValue()).isTrue();
    long resident = memory.required("resident").longValue();
    long sum = 0;
    for (JsonNode part : memory.required("parts")) {
      assertThat(part.required("bytes").longValue()).isPositive();
      sum += part.required("bytes").longValue();
    }
    assertThat(sum).isEqualTo(resident);
    assertThat(bytes(memory, "unexplained")).isLessThanOrEqualTo(resident / 50);
  }

  static long bytes(JsonNode memory, String name) {
    long bytes = 0;
    for (JsonNode part : memory.required("parts")) {
      bytes +=
          part.required("part").textValue().equals(name) ? part.required("bytes").longValue() : 0;
    }
    return bytes;
  }

  /** Where a run has its files as long as it goes on, as it said. */
  static Path workspace(CommandProcess offcut) throws IOException {
    String said = offcut.said();
    return Path.of(
        System.getProperty("java.io.tmpdir"),
        said.substring(said.indexOf("offcut-run-")).lines().findFirst().orElseThrow());
  }

  static void await(CommandProcess offcut, String line) throws Exception {
    Await.until(line, () -> offcut.printed().contains(line));
  }
}
