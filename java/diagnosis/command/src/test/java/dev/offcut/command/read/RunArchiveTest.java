package dev.offcut.command.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.command.show.DigestJson;
import dev.offcut.resident.Account;
import dev.offcut.resident.Descriptors;
import dev.offcut.resident.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives that are none, or not whole. {@code RunTest} reads archives of runs. */
class RunArchiveTest {
  @TempDir private Path folder = Path.of("");

  /** With these entries: names and contents by turns. */
  private Path archive(String... entries) throws IOException {
    Path file = folder.resolve("a.offcut");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      for (int i = 0; i < entries.length; i += 2) {
        zip.putNextEntry(new ZipEntry(entries[i]));
        zip.write(entries[i + 1].getBytes(UTF_8));
      }
    }
    return file;
  }

  private static void refuses(String sentence, Path file) {
    assertThatThrownBy(() -> Sources.read(file.toString()))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exitCode()).isEqualTo(Failure.UNREADABLE);
              assertThat(failure.sentence()).contains(sentence, file.toString());
            });
  }

  @Test
  void read_anotherZip_saysWhatItIsNot() throws IOException {
    refuses("is no archive of a run: it has no run.json", archive("x.txt", "x"));
  }

  @Test
  void read_anotherForm_saysWhoReadsIt() throws IOException {
    refuses(
        "is of the form offcut.run/2, this reads offcut.run/1",
        archive("run.json", "{\"schema\":\"offcut.run/2\"}"));
    refuses("is of an unknown form", archive("run.json", "{}"));
  }

  @Test
  void read_damaged_saysSo() throws IOException {
    String run = "{\"schema\":\"offcut.run/1\"}";
    refuses("it has no program.tables", archive("run.json", run));
    refuses("run.json is no JSON", archive("run.json", "{\"schema"));
    refuses("it was cut off", archive("run.json", run, "program.tables", "OFFCUTTB"));
    refuses(
        "accounts.json holds no accounts",
        archive("run.json", run, "program.tables", "OFFCUTTB", "accounts.json", "[]"));
    byte[] whole = Files.readAllBytes(archive("run.json", run));
    Path half = Files.write(folder.resolve("half.offcut"), Arrays.copyOf(whole, 40));
    refuses("it is damaged", half);
  }

  /** A bit that a disk or a network turned is refused, or makes no difference. */
  @Test
  void read_withATurnedBit_isRefusedOrSaysTheSame() throws Exception {
    Path tables = folder.resolve("1234.tables");
    TablesWriter.ofGo(tables, 1234, null, List.of("./server"), Instant.now());
    Accounts accounts =
        new Accounts(
            IntStream.range(0, 5)
                .mapToObj(i -> new Accounts.Taken(Instant.EPOCH.plusSeconds(i), account(i << 20)))
                .toList());
    Outside outside = new Outside(accounts, null, null, List.of());
    byte[] whole = RunArchive.of(tables, outside, RunArchive.End.UNKNOWN);
    Path file = Files.write(folder.resolve("whole.offcut"), whole);
    String said = DigestJson.of(Sources.read(file.toString()).digest());
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    int refused = 0;
    for (int i = 0; i < 600; i++) {
      byte[] damaged = whole.clone();
      int bit = random.nextInt(8 * damaged.length);
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file, damaged);
      try {
        assertThat(DigestJson.of(Sources.read(file.toString()).digest()))
            .as("bit %d, seed %d", bit, seed)
            .isEqualTo(said);
      } catch (Failure e) {
        assertThat(e.exitCode()).isEqualTo(Failure.UNREADABLE);
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(300);
  }

  private static Account account(long resident) {
    return new Account(
        resident,
        0,
        List.of(new Account.Row(Part.UNEXPLAINED, "", resident)),
        -1,
        0,
        1,
        0,
        null,
        List.of(),
        List.of(),
        Descriptors.UNKNOWN,
        List.of());
  }
}
