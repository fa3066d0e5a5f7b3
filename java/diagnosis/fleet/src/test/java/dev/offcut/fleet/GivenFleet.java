package dev.offcut.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** A fleet, the words about it, and the sums that it must have. */
abstract class GivenFleet {
  static final long START_MS = 1_790_000_003_456L;
  static final Path SPEC = Path.of("..", "..", "..", "spec");

  /** A folder whose name has to be quoted. */
  @TempDir Path parent = Path.of("");

  final long seed = System.nanoTime();

  /** What a call of the command printed, and ended with. */
  record Said(int exitCode, String out, String err) {}

  static Said offcut(Object... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        Main.run(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Stream.concat(Stream.of("fleet"), Stream.of(words).map(String::valueOf))
                .toArray(String[]::new));
    return new Said(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  Path fleet() {
    return parent.resolve("the team's");
  }

  Said add(Path... sources) {
    return addTo(fleet(), (Object[]) sources);
  }

  static Said addTo(Object fleet, Object... sourcesAndOptions) {
    List<Object> words = new ArrayList<>(List.of("add", "--to", fleet, "--service", "orders"));
    words.addAll(List.of("--version", "1.4.2", "--host", "h1"));
    words.addAll(List.of(sourcesAndOptions));
    return offcut(words.toArray());
  }

  String sql(String query) {
    Said said = offcut("sql", fleet(), query, "--json");
    assertThat(said.err()).isEmpty();
    return said.out().strip();
  }

  String sums() {
    return sql(
        "SELECT cast(sum(opened) AS bigint) AS opened, cast(sum(closed) AS bigint) AS closed,"
            + " cast(sum(collected) AS bigint) AS collected, cast(sum(lost) AS bigint) AS lost,"
            + " cast(sum(lost_bytes) AS bigint) AS lost_bytes FROM windows");
  }

  static String sums(List<GivenProcess> processes) {
    long[] sums = new long[5];
    for (GivenProcess process : processes) {
      for (GivenProcess.Counts total : process.totals()) {
        sums[0] += total.opened();
        sums[1] += total.closed();
        sums[2] += total.collected();
        sums[3] += total.lost();
        sums[4] += total.lostBytes();
      }
    }
    return "[{\"opened\":%d,\"closed\":%d,\"collected\":%d,\"lost\":%d,\"lostBytes\":%d}]"
        .formatted(sums[0], sums[1], sums[2], sums[3], sums[4]);
  }

  List<GivenProcess> processes(int count) {
    return Stream.iterate(0, i -> i + 1)
        .limit(count)
        .map(i -> new GivenProcess(100 + i, START_MS + i * 7_000L, 120 + 13 * i, seed + i))
        .toList();
  }

  /** Those that the fleet has in its table of processes. */
  List<GivenProcess> counting(List<GivenProcess> processes) {
    String pids = sql("SELECT pid FROM processes");
    return processes.stream().filter(process -> pids.contains(":" + process.pid + "}")).toList();
  }

  Path archive(GivenProcess process) throws IOException {
    return process.archive(
        parent.resolve("run-" + process.pid + ".offcut"), process.seconds, true, "com.acme.Orders");
  }

  Path[] archives(List<GivenProcess> processes) throws IOException {
    List<Path> all = new ArrayList<>();
    for (GivenProcess process : processes) {
      all.add(archive(process));
    }
    return all.toArray(Path[]::new);
  }

  List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(fleet())) {
      return all.sorted().toList();
    }
  }

  List<Path> files(String table) throws IOException {
    try (Stream<Path> all = Files.walk(fleet().resolve(table))) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  static void refuses(Said said, int exitCode, String sentence) {
    assertThat(said.exitCode()).isEqualTo(exitCode);
    assertThat(said.out()).isEmpty();
    assertThat(said.err().lines()).hasSize(1);
    assertThat(said.err()).contains(sentence);
  }
}
