package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.agent.hooks.HoldingProgram;
import dev.offcut.test.AgentJvm;
import dev.offcut.test.Await;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Accounts that a program takes of itself, when it is asked by a file. */
class OwnAccountTest {
  private static final int BUFFERS = 6_000;
  private static final int BYTES = 5_000;
  private static final long MIB = 1 << 20;

  private static final Pattern ROW =
      Pattern.compile("\"part\":\"(\\w+)\",\"detail\":\"[^\"]*\",\"bytes\":(\\d+)");

  private static final Pattern RESIDENT = Pattern.compile("\"resident\":(\\d+)");

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @MethodSource("dev.offcut.test.AgentJvm#versions")
  void question_isAnsweredByRowsThatAddUp(int version) throws Exception {
    Path waits = Files.createTempDirectory(folder, "waits");
    Files.writeString(waits.resolve("owner"), String.valueOf(ProcessHandle.current().pid()));
    Process program =
        AgentJvm.of(
                version,
                "-Xmx64m",
                AgentJvm.agent("level=sample,tables=" + folder + ",account=" + waits))
            .classPath(AgentJvm.classes())
            .and(HoldingProgram.class.getName(), BUFFERS, BYTES)
            .start();
    try {
      BufferedReader out =
          new BufferedReader(
              new InputStreamReader(program.getInputStream(), StandardCharsets.UTF_8));
      while (!"ready".equals(out.readLine())) {}
      Path tables = folder.resolve(program.pid() + TableFolder.ENDING);
      await(tables);
      String first = ask(tables);
      check(first);
      check(ask(tables)); // by the same accountant
      assertThat(Files.exists(OwnAccount.beside(tables, OwnAccount.QUESTION))).isFalse();
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(OwnAccount.beside(tables, OwnAccount.ANSWER))))
          .isEqualTo("rw-------");
      Files.createFile(waits.resolve(program.pid() + ".accounted")); // it need not wait
      program.getOutputStream().close();
      assertThat(program.waitFor()).isZero();
      assertThat(TableReader.of(tables).rows("offcut.ResourceStatistics"))
          .as("nothing that the agent opened is the program's")
          .filteredOn(row -> "buffer.direct".equals(row.get("kind")))
          .singleElement()
          .satisfies(row -> assertThat(row).containsEntry("opened", (long) BUFFERS));
    } finally {
      program.destroyForcibly();
    }
  }

  private static void await(Path file) throws Exception {
    Await.until(file + " is there", () -> Files.exists(file));
  }

  private static String ask(Path tables) throws Exception {
    Path answer = OwnAccount.beside(tables, OwnAccount.ANSWER);
    Files.deleteIfExists(answer);
    Files.createFile(OwnAccount.beside(tables, OwnAccount.QUESTION));
    await(answer);
    return Files.readString(answer);
  }

  private static void check(String account) {
    Map<String, Long> rows = new TreeMap<>();
    for (Matcher row = ROW.matcher(account); row.find(); ) {
      rows.merge(row.group(1), Long.parseLong(row.group(2)), Long::sum);
    }
    Matcher resident = RESIDENT.matcher(account);
    assertThat(resident.find()).as(account).isTrue();
    long sum = Long.parseLong(resident.group(1));
    assertThat(rows.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(sum);
    assertThat(rows).containsKeys("HEAP_USED", "METASPACE", "CODE_CACHE", "STACKS", "LIBRARIES");
    assertThat(rows.get("MALLOC_USED")).isBetween(BUFFERS * (long) BYTES, 70 * MIB);
    assertThat(rows.getOrDefault("UNEXPLAINED", 0L)).as("%s", rows).isLessThan(sum / 50);
    assertThat(account).contains("\"limits\":[]");
  }
}
