package dev.offcut.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fleet whose files are damaged, missing, compacted or dropped. */
class FleetUpkeepTest extends GivenFleet {
  @ParameterizedTest
  @ValueSource(strings = {"processes", "windows", "sites", "stacks", "findings"})
  void words_damagedFile_leaveOutItsSourcesAndNameIt(String table) throws Exception {
    List<GivenProcess> processes = processes(3);
    Path[] archives = archives(processes);
    add(archives);
    assertThat(offcut("check", fleet()).exitCode()).isZero();
    Path damaged = files(table).getFirst();
    byte[] bytes = Files.readAllBytes(damaged);
    Arrays.fill(bytes, 4, bytes.length, (byte) 0x5a);
    Files.write(damaged, bytes);
    String name = fleet().relativize(damaged).toString();
    Said said = offcut("sql", fleet(), "SELECT DISTINCT source FROM " + table);
    assertThat(said.exitCode()).isEqualTo(5);
    assertThat(said.err()).contains(name + " is damaged").contains("add its sources again");
    assertThat(said.out()).doesNotContain(name.replaceAll(".*/(.*)\\.parquet", "$1"));
    said = offcut("report", fleet(), "--json");
    assertThat(said.exitCode()).isEqualTo(5);
    assertThat(said.out()).contains("\"processes\":2");
    said = offcut("check", fleet());
    assertThat(said.exitCode()).isEqualTo(5);
    assertThat(said.err()).contains(name + " is damaged");
    Files.delete(damaged);
    if (!table.equals("processes")) {
      assertThat(offcut("check", fleet()).err()).contains("lacks 1 of its");
    }
    add(archives);
    assertThat(offcut("check", fleet()).exitCode()).isZero();
    assertThat(sums()).isEqualTo(sums(processes));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void words_missingFile_leaveOutItsSourcesAndSaySo(boolean compacted) throws Exception {
    List<GivenProcess> processes = processes(3);
    add(archives(processes));
    if (compacted) {
      assertThat(offcut("compact", fleet()).exitCode()).isZero();
      assertThat(offcut("check", fleet()).exitCode()).isZero();
    }
    Path missing = files("windows").getFirst();
    Files.delete(missing);
    Said said = offcut("sql", fleet(), "SELECT count(*) AS n FROM processes", "--json");
    assertThat(said.out()).isEqualTo("[{\"n\":" + (compacted ? 0 : 2) + "}]\n");
    assertThat(said.exitCode()).isEqualTo(5);
    assertThat(said.err()).contains(missing.getFileName() + " lacks 1 of its ");
  }

  @Test
  void check_missingFileOfProcesses_isNamed() throws Exception {
    add(archives(processes(2)));
    Files.delete(files("processes").getFirst());
    Said said = offcut("check", fleet());
    assertThat(said.exitCode()).isEqualTo(5);
    assertThat(said.err()).contains("does not count: processes has no file of this name");
  }

  @Test
  void compact_manyFiles_areFewAndSayTheSame() throws Exception {
    List<GivenProcess> processes = processes(5);
    Path[] archives = archives(processes);
    add(archives);
    Path part =
        processes.get(2).archive(parent.resolve("part.offcut"), 60, false, "com.acme.Orders");
    add(part);
    String report = offcut("report", fleet(), "--json").out();
    assertThat(offcut("compact", fleet()).err()).contains(" before, 5 files with ");
    assertThat(files().stream().filter(Files::isRegularFile)).hasSize(6); // with fleet.json
    assertThat(offcut("report", fleet(), "--json").out()).isEqualTo(report);
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes));
    List<Path> files = files();
    assertThat(offcut("compact", fleet()).exitCode()).isZero();
    assertThat(files()).isEqualTo(files);
    assertThat(add(archives).err()).contains("added 0 sources").contains("5 were there already");
    add(part);
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes));
    GivenProcess more = new GivenProcess(999, START_MS, 77, seed);
    add(archive(more));
    offcut("compact", fleet());
    List<GivenProcess> all = new ArrayList<>(processes);
    all.add(more);
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(all));
    assertThat(files().stream().filter(Files::isRegularFile)).hasSize(6);
  }

  /** It was killed behind its last file, before it deleted anything. */
  @Test
  void compact_endedBeforeItDeleted_countsOnce() throws Exception {
    List<GivenProcess> processes = processes(4);
    add(archives(processes));
    Path kept = parent.resolve("kept");
    copy(fleet(), kept);
    offcut("compact", fleet());
    copy(kept, fleet());
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes));
    assertThat(sql("SELECT count(*) AS n FROM sites")).isEqualTo("[{\"n\":16}]");
    offcut("compact", fleet());
    assertThat(files().stream().filter(Files::isRegularFile)).hasSize(6);
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path file : all.sorted().toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else if (!Files.exists(target)) {
          Files.copy(file, target);
        }
      }
    }
  }

  @Test
  void drop_oldProcesses_areGoneAndTheOthersAreWhole() throws Exception {
    long today = System.currentTimeMillis() / 1000 * 1000;
    long dayMs = 24 * 3600_000L;
    List<GivenProcess> processes = new ArrayList<>();
    for (int days : List.of(1, 5, 40, 100)) {
      processes.add(new GivenProcess(days, today - days * dayMs, 100, seed + days));
    }
    add(archives(processes));
    offcut("compact", fleet());
    assertThat(offcut("drop", fleet(), "--older-than", "30d").err())
        .startsWith("offcut: dropped 2 processes; 20 files with ")
        .contains(" before, 10 files with ");
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes.subList(0, 2)));
    assertThat(offcut("drop", fleet(), "--older-than", "1w").exitCode()).isEqualTo(2);
  }

  /** In one file are processes of which some are old. */
  @Test
  void drop_aPartOfAFile_keepsTheRest() throws Exception {
    long nowMs = System.currentTimeMillis();
    long midnight = nowMs / (24 * 3600_000L) * 24 * 3600_000L - 10 * 24 * 3600_000L;
    GivenProcess early = new GivenProcess(1, midnight + 1000, 60, seed);
    GivenProcess late = new GivenProcess(2, midnight + 24 * 3600_000L - 60_000, 600, seed + 1);
    add(archives(List.of(early, late)));
    offcut("compact", fleet());
    long days = (nowMs - early.untilMs()) / (24 * 3600_000L);
    assertThat(offcut("drop", fleet(), "--older-than", days + "d").err())
        .startsWith("offcut: dropped 1 process;");
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(List.of(late)));
  }
}
