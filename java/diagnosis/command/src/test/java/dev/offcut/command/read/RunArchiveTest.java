package dev.offcut.command.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.command.show.DigestJson;
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
  private static final NativeCallers CALLERS =
      new NativeCallers(
          "",
          65_536,
          Instant.ofEpochSecond(1),
          Instant.ofEpochSecond(3),
          List.of("2 samples"),
          100,
          7,
          300,
          60,
          List.of(Instant.ofEpochSecond(2), Instant.ofEpochSecond(3)),
          List.of(new NativeCallers.Series("a.B.c(B.java:1)", 5_000, List.of(2_000L, 4_000L))),
          List.of(
              new NativeCallers.Place(
                  "arena",
                  List.of("take(liba.so)", "a.B.c(B.java:1)"),
                  1,
                  List.of("b.jar"),
                  40,
                  5_000,
                  30,
                  4_000,
                  3,
                  1.5e9,
                  new NativeCallers.Ended(10, 9, 8, 7, 6, 5, List.of("a.D.run(D.java:5)")))),
          List.of());

  private static final Holders HOLDERS =
      Holders.of(
          List.of(
              new Holders.Held("buffer.direct", 3, "the static field a.B.c → \"d\""),
              new Holders.Held("closeable:a.B", 1, "native code that runs")));

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
        "accounts.json holds nothing that this version knows",
        archive("run.json", run, "program.tables", "OFFCUTTB", "accounts.json", "[]"));
    byte[] whole = Files.readAllBytes(archive("run.json", run));
    Path half = Files.write(folder.resolve("half.offcut"), Arrays.copyOf(whole, 40));
    refuses("it is damaged", half);
  }

  /** A bit that a disk or a network turned is refused, or makes no difference. */
  @Test
  void read_withATurnedBit_isRefusedOrSaysTheSame() throws Exception {
    Accounts accounts =
        new Accounts(
            IntStream.range(0, 5)
                .mapToObj(i -> GivenAccount.taken(Instant.EPOCH.plusSeconds(i), i << 20))
                .toList());
    Path file = Path.of(written(new Outside(accounts, null, null)));
    byte[] whole = Files.readAllBytes(file);
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

  @Test
  void read_whatWasWritten_isTheSame() throws Exception {
    Digest digest = Sources.read(written(new Outside(null, CALLERS, HOLDERS))).digest();
    assertThat(digest.callers()).isEqualTo(CALLERS);
    assertThat(digest.holders()).isEqualTo(HOLDERS);
    NativeCallers none = NativeCallers.none("There is no sampler.");
    Holders killed = Holders.none("The program was killed.");
    digest = Sources.read(written(new Outside(null, none, killed))).digest();
    assertThat(digest.callers()).isEqualTo(none);
    assertThat(digest.holders()).isEqualTo(killed);
  }

  private String written(Outside outside) throws IOException {
    Path tables = folder.resolve("1234.tables");
    TablesWriter.ofGo(tables, 1234, null, List.of("./server"), Instant.now());
    byte[] whole = RunArchive.of(tables, outside, RunArchive.End.UNKNOWN);
    return Files.write(folder.resolve("whole.offcut"), whole).toString();
  }

  /** Fields of a newer version are passed over. */
  @Test
  void record_ofAnotherForm_fails() throws IOException {
    String text = Json.text("offcut.native/2", CALLERS);
    String newer = text.replace("\"jvm\":", "\"new\":{\"a\":[1]},\"jvm\":");
    assertThat(Json.record(NativeCallers.class, Json.parse(newer, "offcut.native/2")))
        .isEqualTo(CALLERS);
    for (String other :
        List.of(
            "",
            "[]",
            text.replace("offcut.native/2", "offcut.native/1"),
            text.replace("[2000,4000]", "[2000]"),
            text.replace("\"line\":1", "\"line\":2"),
            text.substring(0, text.length() / 2))) {
      assertThatThrownBy(
              () -> Json.record(NativeCallers.class, Json.parse(other, "offcut.native/2")))
          .isInstanceOf(IOException.class);
    }
  }
}
