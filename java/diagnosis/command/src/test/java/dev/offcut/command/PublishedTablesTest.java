package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Failure;
import dev.offcut.command.read.Sources;
import dev.offcut.test.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** What an agent published, of a program that was killed; and files that are no such tables. */
@EnabledIfSystemProperty(named = "agent.jar", matches = ".+")
class PublishedTablesTest {
  private static final int FIRST_AT = 24;

  @TempDir private static Path shared = Path.of("");
  @TempDir private Path folder = Path.of("");

  private final Words words = new Words();

  @BeforeAll
  static void runAndKill() throws Exception {
    List<String> command =
        CommandProcess.with(
            CommandProcess.program(LeakingProgram.class, "1000", "0", "wait"),
            CommandProcess.agent("level=full,tables=" + shared));
    Process program = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      while (!"waiting".equals(program.inputReader().readLine())) {}
      Await.until("all is published", PublishedTablesTest::isPublished);
    } finally {
      program.destroyForcibly().waitFor();
    }
  }

  /** Nobody may attach to it, but its tables are a file that it has open. */
  @Test
  void jvmThatRefusesTools_isReadAsItRuns() throws Exception {
    List<String> command =
        CommandProcess.with(
            CommandProcess.program(LeakingProgram.class, "1000", "0", "wait"),
            "-XX:+DisableAttachMechanism",
            CommandProcess.agent("level=full,tables=" + folder));
    Path said = folder.resolve("said");
    Process program =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    try {
      String pid = String.valueOf(program.pid());
      Await.until(
          "all is published",
          () -> {
            words.run("report", pid);
            return words.printed().matches("(?s).*arena.confined +1,000 +0 .*");
          });
      assertThat(words.printed()).contains("arena.confined", "1,000");
      assertThat(words.run("report", pid)).as(words.said()).isZero();
      assertThat(words.printed()).contains("Java heap, used").doesNotContain("did not answer");
    } finally {
      program.destroyForcibly().waitFor();
    }
    assertThat(Files.readAllLines(said))
        .as("the agent's line and the program's, and no stacks")
        .hasSize(3);
  }

  /** Whether the counts and, after them, the line have come. */
  private static boolean isPublished() throws IOException {
    try (Stream<Path> files = Files.list(shared)) {
      return files
          .filter(PublishedTablesTest::isOfTables)
          .anyMatch(
              file -> {
                Words words = new Words();
                words.run("report", file.toString());
                boolean hasCounts = words.printed().matches("(?s).*arena.confined +1,000 +0 .*");
                words.run("report", "--json", file.toString());
                return hasCounts && words.printed().contains("LeakingProgram.forget(");
              });
    }
  }

  private static Path tables() throws IOException {
    try (Stream<Path> files = Files.list(shared)) {
      return files.filter(PublishedTablesTest::isOfTables).findAny().orElseThrow();
    }
  }

  private static boolean isOfTables(Path file) {
    return file.toString().endsWith(".tables");
  }

  private void refuses(String sentence, Path file) {
    assertThat(words.run("report", file.toString())).isEqualTo(5);
    assertThat(words.said()).contains(sentence, file.toString()).startsWith("offcut: ");
    assertThat(words.said()).hasLineCount(1);
    assertThat(words.printed()).isEmpty();
  }

  /** The tables with another word somewhere. */
  private Path changed(int at, long word) throws IOException {
    byte[] bytes = Files.readAllBytes(tables());
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(at, word);
    return Files.write(folder.resolve("changed.tables"), bytes);
  }

  private static long word(int at) throws IOException {
    byte[] bytes = Files.readAllBytes(tables());
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(at);
  }

  @Test
  void report_ofAKilledProgram_hasItsLastCounts() throws IOException {
    assertThat(words.run("report", tables().toString())).isEqualTo(5);
    assertThat(words.printed()).containsPattern("arena.confined +1,000 +0 +0 ");
    assertThat(words.said()).contains("is missing; what could be read is shown").hasLineCount(1);
    words.run("report", tables().toString());
    assertThat(words.printed().replaceAll("\\s+", " "))
        .contains("LeakingProgram, process ", "level full")
        .contains("The program was killed or halted, or it still ran when this was written.");
    words.run("report", "--json", tables().toString());
    assertThat(ReportSchema.problemsOf(words.printed())).isEmpty();
    assertThat(words.printed()).contains("LeakingProgram.forget(LeakingProgram.java:");
  }

  /** None as long as there are no tables. */
  private static List<String> poolsIn(Path file) {
    try {
      return Sources.read(file.toString()).digest().pools().stream()
          .map(Digest.Pool::pool)
          .toList();
    } catch (Failure e) {
      return List.of();
    }
  }

  /** Handles, pools and their maps, without a recorder; and what the collector did. */
  @Test
  void report_ofTwoCopiesOfTheLibraries_addsThemUp() throws Exception {
    List<String> command =
        CommandProcess.with(
            CommandProcess.program(CopiesProgram.class),
            CommandProcess.agent("level=sample,quiet=on,gcatexit=on,tables=" + folder),
            "-Doffcut.handle.detection=full");
    Process program = new ProcessBuilder(command).redirectErrorStream(true).start();
    BufferedReader out = program.inputReader();
    while (!"open".equals(out.readLine())) {}
    Path file = folder.resolve(program.pid() + ".tables");
    Await.until(
        "the pools that will be closed are published", () -> poolsIn(file).contains("passing 2"));
    program.getOutputStream().close();
    assertThat(out.lines()).endsWith("done");
    Digest digest = Sources.read(file.toString()).digest();
    assertThat(digest.handles()).contains(new Digest.Handles("copied", 200, 60, 40, 100));
    assertThat(digest.handleLeaks())
        .singleElement()
        .satisfies(
            leak -> {
              assertThat(leak.count()).isEqualTo(40);
              assertThat(leak.frames().getFirst()).contains("CopiesProgram$Part.<init>(");
            });
    assertThat(digest.pools())
        .extracting(Digest.Pool::pool)
        .containsExactlyInAnyOrder("kept 1", "kept 2");
    assertThat(digest.pools())
        .allSatisfy(
            pool -> {
              assertThat(pool.handedOut()).isEqualTo(1 << 20);
              assertThat(pool.owners()).isNotEmpty();
            });
    assertThat(digest.maps())
        .hasSize(2)
        .allSatisfy(map -> assertThat(map.rows().getFirst()).contains("#"));
    assertThat(digest.series().handlesOpen().getLast()).isGreaterThanOrEqualTo(100);
    assertThat(digest.series().gc())
        .anySatisfy(
            one -> {
              assertThat(one.cause()).isEqualTo("System.gc()");
              assertThat(one.pause()).isPositive();
            });
    assertThat(digest.memory().remarks())
        .singleElement()
        .asString()
        .startsWith("After the last collection ")
        .endsWith(" of the Java heap were in use.");
    assertThat(digest.series().heapAfter().getLast())
        .isPositive()
        .isLessThanOrEqualTo(digest.series().heapCommitted().getLast());
    assertThat(Objects.requireNonNull(digest.loaders()).loaders()).isGreaterThan(3);
    assertThat(digest.limits()).isEmpty();
  }

  @Test
  void report_ofAJvmWithoutCounters_saysWhatIsNotKnown() throws Exception {
    List<String> command =
        CommandProcess.with(
            CommandProcess.program(LeakingProgram.class, "1", "0"),
            CommandProcess.agent("level=count,tables=" + folder),
            "-XX:-UsePerfData");
    Process program = new ProcessBuilder(command).redirectErrorStream(true).start();
    assertThat(program.inputReader().lines()).contains("forgot 1");
    Digest digest = Sources.read(folder.resolve(program.pid() + ".tables").toString()).digest();
    assertThat(digest.notes()).anyMatch(note -> note.startsWith("Pauses of the garbage collector"));
    assertThat(digest.series().gc()).isEmpty();
    assertThat(digest.loaders()).isNull();
  }

  @Test
  void version_unknown_saysWhoReadsIt() throws IOException {
    refuses("has tables of version 3, this reads 2; read it with", changed(8, 3));
  }

  @Test
  void magic_missing_isNoTables() throws IOException {
    refuses("is no recording of Flight Recorder", changed(0, 0));
  }

  @Test
  void file_cutOff_saysSo() throws IOException {
    byte[] bytes = Files.readAllBytes(tables());
    Path cut = folder.resolve("cut.tables");
    refuses("it was cut off", Files.write(cut, Arrays.copyOf(bytes, 40)));
    int middle = (int) word(FIRST_AT) + 40;
    refuses("it was cut off", Files.write(cut, Arrays.copyOf(bytes, middle)));
  }

  @Test
  void link_leadingBack_isDamaged() throws IOException {
    int first = (int) word(FIRST_AT);
    refuses("it is damaged", changed(first, first));
    refuses("it is damaged", changed(first + 8, 1L << 40)); // the schema
    refuses("it is damaged", changed(first + 16, -1)); // its columns
  }

  @Test
  void tables_thatAreFull_areALimit() throws Exception {
    Path file = Files.write(folder.resolve("full.tables"), new byte[1024]);
    try (BusyTables tables = new BusyTables(file)) {
      tables.write(1);
      assertThat(Sources.read(file.toString()).digest().limits())
          .noneMatch(limit -> limit.contains("full"));
      tables.set(48, 1);
      assertThat(Sources.read(file.toString()).digest().limits())
          .anyMatch(limit -> limit.endsWith("So what is named here is not all."));
    }
  }

  /** A row whose values are all the same, but not for long. */
  @Test
  void rows_readWhileTheyAreWritten_areWhole() throws Exception {
    Path file = Files.write(folder.resolve("busy.tables"), new byte[1024]);
    AtomicBoolean done = new AtomicBoolean();
    try (BusyTables busy = new BusyTables(file)) {
      busy.write(1);
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (long n = 2; !done.get(); n++) {
                      busy.write(n);
                      for (int pause = 0; pause < n % 100; pause++) {
                        Thread.onSpinWait();
                      }
                    }
                  });
      try {
        long last = 0;
        for (int look = 0; look < 3_000; look++) {
          Digest.Kind kind = Sources.read(file.toString()).digest().kinds().getFirst();
          assertThat(List.of(kind.closed(), kind.collected(), kind.lost(), kind.open()))
              .as("opened %s", kind.opened())
              .containsOnly(kind.opened());
          assertThat(kind.opened()).isGreaterThanOrEqualTo(last);
          last = kind.opened();
        }
        assertThat(last).isGreaterThan(1);
      } finally {
        done.set(true);
        writer.join();
      }
    }
  }

  /** Writes tables as {@code spec/tables.md} says: one row of one kind, with some text. */
  private static final class BusyTables implements AutoCloseable {
    private static final VarHandle LONG =
        MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int ROW = 512;
    private static final List<String> COLUMNS =
        List.of("opened", "closed", "collected", "lost", "open", "bytes");

    private final FileChannel channel;
    private final ByteBuffer bytes;

    BusyTables(Path file) throws IOException {
      channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, 1024);
      bytes.put(0, "OFFCUTTB".getBytes(StandardCharsets.US_ASCII));
      set(8, 2);
      set(FIRST_AT, ROW - 32);
      set(32, System.currentTimeMillis());
      text(64, "unsafe");
      text(
          96, "offcut.ResourceStatistics\nkind text\n" + String.join(" long\n", COLUMNS) + " long");
      set(ROW - 24, 96);
      set(ROW - 16, 1 + COLUMNS.size());
      set(ROW - 8, 1);
    }

    private void set(int at, long word) {
      LONG.set(bytes, at, word);
    }

    private void text(int at, String text) {
      set(at, text.length());
      bytes.put(at + 8, text.getBytes(StandardCharsets.US_ASCII));
    }

    void write(long n) {
      long version = (long) LONG.get(bytes, ROW) + 1;
      int copy = ROW + 8 + (int) (version & 1) * 8 * (1 + COLUMNS.size());
      set(copy, 64);
      for (int i = 1; i <= COLUMNS.size(); i++) {
        set(copy + 8 * i, n);
      }
      LONG.setRelease(bytes, ROW, version);
      VarHandle.storeStoreFence();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
