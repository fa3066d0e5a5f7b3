package dev.offcut.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.offcut.fleet.duckdb.DuckDbWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/** What is added to a fleet, from files to sums, and what happens if it cannot be written. */
class FleetAddTest extends GivenFleet {
  @Test
  void words_copiesOfAgents_areTakenInOnce() throws Exception {
    List<GivenProcess> processes = processes(3);
    Path incoming = fleet().resolve("incoming/service=orders/version=1.4.2/host=h1");
    Files.createDirectories(incoming);
    for (GivenProcess process : processes) {
      String name = process.pid + "-" + START_MS;
      tables(process, process.seconds / 2, incoming.resolve(name + "-9.tables"));
      tables(process, process.seconds, incoming.resolve(name + "-10.tables"));
    }
    Path damaged = Files.write(incoming.resolve("7-7-1.tables"), new byte[] {1, 2, 3});
    Path earlier = incoming.resolve("7-7-0.tables");
    tables(processes.get(0), 100, earlier);
    Path begun = Files.write(incoming.resolve(".8-8-1.tables"), new byte[] {1});
    Said said = offcut("sql", fleet(), "SELECT count(*) AS n FROM processes", "--json");
    assertThat(said.out()).isEqualTo("[{\"n\":3}]\n");
    assertThat(said.err())
        .contains("offcut: skipped: ")
        .endsWith("offcut: took in the figures of 3 processes from agents\n");
    try (Stream<Path> left = Files.list(incoming)) {
      assertThat(left).containsExactlyInAnyOrder(damaged, earlier, begun);
    }
    Files.delete(damaged);
    Files.delete(earlier);
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes));

    // A later copy replaces what was taken in before.
    GivenProcess later = new GivenProcess(processes.get(0).pid, START_MS, 500, seed);
    tables(later, 500, incoming.resolve(later.pid + "-" + START_MS + "-11.tables"));
    assertThat(offcut("compact", fleet()).err()).contains("took in the figures of 1 process");
    assertThat(sums())
        .as("seed %d", seed)
        .isEqualTo(sums(List.of(later, processes.get(1), processes.get(2))));
  }

  private static void tables(GivenProcess process, int seconds, Path file) throws IOException {
    Path archive = Files.createTempFile("given", ".offcut");
    process.archive(archive, seconds, true, "com.acme.Orders");
    try (ZipFile zip = new ZipFile(archive.toFile());
        InputStream in = zip.getInputStream(zip.getEntry("program.tables"))) {
      Files.copy(in, file);
    }
    Files.delete(archive);
  }

  @Test
  void add_twice_countsOnceAndTheSumsAreThoseOfTheSources() throws Exception {
    List<GivenProcess> processes = processes(3);
    Path[] archives = archives(processes);
    assertThat(add(archives))
        .isEqualTo(new Said(0, "", "offcut: added 3 sources to " + fleet() + "\n"));
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes));
    List<Path> files = files();
    assertThat(add(archives).err())
        .isEqualTo("offcut: added 0 sources to " + fleet() + "; 3 were there already\n");
    assertThat(files()).isEqualTo(files);
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes));
  }

  @Test
  void add_incrementsAndTheWhole_countsTheWhole() throws Exception {
    GivenProcess process = new GivenProcess(5, START_MS, 300, seed);
    for (int second : List.of(200, 100, 250)) {
      add(process.archive(parent.resolve(second + ".offcut"), second, false, "com.acme.Orders"));
    }
    add(archive(process));
    add(process.archive(parent.resolve("50.offcut"), 50, false, "com.acme.Orders"));
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(List.of(process)));
    assertThat(sql("SELECT ending, complete FROM processes"))
        .isEqualTo("[{\"ending\":\"by itself\",\"complete\":true}]");
  }

  @Test
  void add_arguments_stayOnTheMachine() throws Exception {
    add(archives(processes(1)));
    assertThat(sql("SELECT main, command FROM processes"))
        .isEqualTo("[{\"main\":\"com.acme.Orders\",\"command\":\"com.acme.Orders\"}]");
    for (Path file : files()) {
      if (Files.isRegularFile(file)) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .doesNotContain("secret", "/home/joe");
      }
    }
    Path fleet = parent.resolve("all");
    addTo(fleet, archives(processes(1))[0], "--hash-hosts", "--with-arguments");
    Said all = offcut("sql", fleet, "SELECT command, host FROM processes");
    assertThat(all.out())
        .contains("com.acme.Orders --password secret /home/joe/data")
        .containsPattern("host-[0-9a-f]{12}");
  }

  @Test
  void add_damagedSources_areSkippedAndCounted() throws Exception {
    List<GivenProcess> processes = processes(2);
    Path damaged = parent.resolve("damaged.offcut");
    byte[] whole = Files.readAllBytes(archive(processes.getFirst()));
    Files.write(damaged, Arrays.copyOf(whole, whole.length / 2));
    Path empty = Files.createFile(parent.resolve("empty.jfr"));
    Path[] archives = archives(processes);
    Said said = add(damaged, archives[0], empty, archives[1]);
    assertThat(said.exitCode()).isEqualTo(5);
    assertThat(said.err())
        .contains("offcut: skipped: cannot read " + damaged)
        .contains("offcut: skipped: " + empty + " is empty")
        .contains("offcut: added 2 sources to " + fleet() + "; skipped 2\n");
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes));
  }

  @Test
  void add_badArguments_sayWhatToDo() throws Exception {
    Path archive = archives(processes(1))[0];
    refuses(
        offcut("add", archive, "--to", fleet(), "--service", "a/b", "--version", "1"),
        2,
        "--service a/b has other characters");
    refuses(add(parent.resolve("none.offcut")), 5, "there is no " + parent.resolve("none.offcut"));
    refuses(add(Files.createDirectory(parent.resolve("nothing"))), 5, "no file of a run");
    Files.createDirectories(parent.resolve("other"));
    Files.createFile(parent.resolve("other").resolve("x"));
    refuses(
        offcut("add", archive, "--to", parent.resolve("other"), "--service", "a", "--version", "1"),
        1,
        "is no fleet, and not empty");
  }

  private static boolean runs(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false; // there is no such program
    }
  }

  /** Leaves so many bytes of the disk. */
  private static void fill(Path file, int free) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer block = ByteBuffer.allocate(4096);
      try {
        while (true) {
          channel.write(block.clear());
        }
      } catch (IOException e) {
        // It is full.
      }
      channel.truncate(Math.max(0, channel.size() - free));
    }
  }

  /** On a small disk of its own, if this machine lets us. */
  @Test
  void add_fullDisk_isOneSentenceAndNothingIsLost() throws Exception {
    List<GivenProcess> processes = processes(4);
    Path[] archives = archives(processes);
    Files.createDirectory(fleet());
    assumeTrue(
        runs("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", fleet().toString()),
        "no right to mount a file system");
    try {
      add(archives[0], archives[1]);
      String before = sums();
      Path filler = fleet().resolve(".filler");
      int free = 0;
      while (true) {
        fill(filler, free);
        Said said = add(archives[2]);
        Files.delete(filler);
        if (said.exitCode() == 0) {
          break;
        }
        refuses(said, 1, "cannot write " + fleet() + ": the disk is full; what was there");
        assertThat(files()).noneMatch(file -> file.toString().contains(".unfinished"));
        assertThat(sums()).as("seed %d, %d free", seed, free).isEqualTo(before);
        free += 8192;
      }
      assertThat(free).as("seed %d", seed).isBetween(8192, 262_144);
      assertThat(add(archives).err()).contains("added 1 source", "3 were there already");
      assertThat(sums()).as("seed %d", seed).isEqualTo(sums(processes));
    } finally {
      runs("umount", fleet().toString());
    }
  }

  @Test
  void add_noPermission_isOneSentenceAndNothingIsLost() throws Exception {
    List<GivenProcess> processes = processes(3);
    Path[] archives = archives(processes);
    add(archives[0], archives[1]);
    Files.setPosixFilePermissions(fleet(), PosixFilePermissions.fromString("r-xr-xr-x"));
    assumeFalse(Files.isWritable(fleet()), "root may write there all the same");
    refuses(add(archives[2]), 1, "cannot write " + fleet() + ": permission denied");
    refuses(offcut("compact", fleet()), 1, ": permission denied");
    assertThat(sums()).isEqualTo(sums(processes.subList(0, 2)));
    Files.setPosixFilePermissions(fleet(), PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(add(archives[2]).exitCode()).isZero();
    assertThat(sums()).isEqualTo(sums(processes));
  }

  /** Flight Recorder notes another start than the agent's tables. */
  @Test
  void add_archiveAndRecording_countOnce() throws Exception {
    GivenProcess process = new GivenProcess(7, START_MS, 90, seed);
    Path archive = archive(process);
    add(archive);
    Labels labels = new Labels("orders", "1.4.2", "h1", false);
    Source source = Source.of(List.of(archive)).getFirst();
    Rows rows = SourceReader.read(source, labels, "0123456789abcdef", 0);
    try (DuckDbWriter writer = DuckDbWriter.open()) {
      writer.write(recorded(rows, "a", START_MS + 380), Fleet.open(fleet().toString()));
      assertThat(sums()).as("seed %d", seed).isEqualTo(sums(List.of(process)));
      assertThat(sql("SELECT origin FROM processes")).isEqualTo("[{\"origin\":\"run\"}]");
      // A process that had the same PID later.
      writer.write(recorded(rows, "b", START_MS + 200_000), Fleet.open(fleet().toString()));
    }
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(List.of(process, process)));
    offcut("compact", fleet());
    assertThat(sums()).as("seed %d", seed).isEqualTo(sums(List.of(process, process)));
  }

  private static Rows recorded(Rows rows, String name, long startMs) {
    Rows.Process p = rows.process();
    return new Rows(
        new Rows.Process(
            name,
            name,
            p.service(),
            p.host(),
            p.pid(),
            startMs,
            p.untilMs() - 1000,
            p.version(),
            p.main(),
            p.command(),
            p.jdk(),
            p.level(),
            p.sampleEvery(),
            false,
            "killed",
            "recording",
            p.name(),
            0),
        rows.windows(),
        rows.sites(),
        rows.stacks(),
        rows.findings());
  }
}
