package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of tables: who reads it while it is written sees rows that are whole. */
class TableFileTest {
  private static final int COLUMNS = 20;
  private static final int SETS = 500_000;

  @TempDir private Path folder = Path.of("");

  private static String schema(String name) {
    StringBuilder schema = new StringBuilder(name);
    for (int i = 0; i < COLUMNS; i++) {
      schema.append("\nc").append(i).append(" long");
    }
    return schema.toString();
  }

  @Test
  void rows_readWhileTheyAreWritten_areWholeAndNeverOlder() throws Exception {
    Path path = folder.resolve("tables");
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (TableFile file = new TableFile(path, 1)) {
      TableFile.Row row = Objects.requireNonNull(file.table(schema("t")).add());
      Callable<Long> reads =
          () -> {
            TableReader reader = TableReader.of(path);
            long last = 0;
            while (!done.get()) {
              for (Map<String, Object> found : reader.rows("t")) {
                Collection<Object> values = found.values();
                assertThat(new TreeSet<>(values)).as("after %s", last).hasSize(1);
                long now = (Long) values.iterator().next();
                assertThat(now).isGreaterThanOrEqualTo(last);
                last = now;
              }
            }
            return last;
          };
      List<Future<Long>> readers = List.of(threads.submit(reads), threads.submit(reads));
      long[] values = new long[COLUMNS];
      for (int set = 1; set <= SETS; set++) {
        Arrays.fill(values, set);
        row.set(values, 0);
      }
      done.set(true);
      for (Future<Long> reader : readers) {
        assertThat(reader.get()).isPositive();
      }
    } finally {
      done.set(true);
      threads.shutdownNow();
    }
    assertThat(TableReader.of(path).rows("t").get(0)).containsEntry("c0", (long) SETS);
  }

  @Test
  void set_killedBeforeTheVersion_leavesTheRowBefore() throws IOException {
    Path path = folder.resolve("tables");
    try (TableFile file = new TableFile(path, 1)) {
      TableFile.Row row = Objects.requireNonNull(file.table("t\na long\nb long").add());
      row.set(new long[] {1, 1}, 0);
      row.set(new long[] {2, 2}, 0);
      // The next one throws behind its first value, as if it were the program's end.
      assertThatThrownBy(() -> row.set(new long[] {0, 3}, 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(TableReader.of(path).rows("t")).containsExactly(Map.of("a", 2L, "b", 2L));
      row.set(new long[] {4, 4}, 0);
      assertThat(TableReader.of(path).rows("t")).containsExactly(Map.of("a", 4L, "b", 4L));
    }
  }

  @Test
  void file_grows_withoutMovingAnything() throws IOException {
    Path path = folder.resolve("tables");
    try (TableFile file = new TableFile(path, 1)) {
      TableReader before = TableReader.of(path);
      TableFile.Table table = file.table("t\nn long\ntext text");
      for (int i = 0; i < 5_000; i++) {
        TableFile.Row row = Objects.requireNonNull(table.add());
        row.set(new long[] {i, file.text("a text of some length, ä, of row " + i)}, 0);
      }
      assertThat(Files.size(path)).isBetween(500_000L, 2_000_000L);
      List<Map<String, Object>> rows = TableReader.of(path).rows("t");
      assertThat(rows).hasSize(5_000);
      assertThat(rows.get(4_999)).containsEntry("text", "a text of some length, ä, of row 4999");
      assertThat(before.isFull()).isFalse();
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-------");
  }

  @Test
  void file_full_refusesWhatIsNew() throws IOException {
    Path path = folder.resolve("tables");
    try (TableFile file = new TableFile(path, 1)) {
      TableFile.Row row = Objects.requireNonNull(file.table("t\nn long").add());
      String text = "x".repeat(60_000);
      int texts = 0;
      while (file.text(text) > 0) {
        texts++;
      }
      assertThat(texts).isBetween(900, 1_200);
      assertThat(file.isFull()).isTrue();
      row.set(new long[] {7}, 0);
    }
    assertThat(Files.size(path)).isLessThanOrEqualTo(64 << 20);
    assertThat(TableReader.of(path).isFull()).isTrue();
    assertThat(TableReader.of(path).rows("t")).containsExactly(Map.of("n", 7L));
  }

  /** They say what is not tracked: none may be lost without a word. */
  @Test
  void lines_thatHaveNoRoom_areCountedInTheLastOne() throws IOException {
    Path path = folder.resolve("tables");
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      lines.add("source " + i + ": this JDK has no method of the name that is needed");
    }
    try (TableFile file = new TableFile(path, 1)) {
      TableFile.Row row = Objects.requireNonNull(file.table("t\nlines text").add());
      row.set(new long[] {file.lines(lines)}, 0);
    }
    String text = (String) TableReader.of(path).rows("t").get(0).get("lines");
    List<String> read = Objects.requireNonNull(text).lines().toList();
    assertThat(read.subList(0, read.size() - 1)).isEqualTo(lines.subList(0, read.size() - 1));
    assertThat(read.get(read.size() - 1))
        .isEqualTo(
            (2_001 - read.size())
                + " more lines have no room here, so more is not tracked than these lines say");
  }

  @Test
  void lines_ofAFullFile_areThoseBefore() throws IOException {
    Path path = folder.resolve("tables");
    try (TableFile file = new TableFile(path, 1)) {
      TableFile.Row row = Objects.requireNonNull(file.table("t\nlines text").add());
      file.lines(List.of("one"));
      while (file.text("x".repeat(60_000)) > 0) {
        // until it is full
      }
      while (file.text("x") > 0) {
        // to the last word
      }
      row.set(new long[] {file.lines(List.of("one", "two"))}, 0);
    }
    assertThat(TableReader.of(path).rows("t")).containsExactly(Map.of("lines", "one"));
  }

  /** They are told each second: if each took room, the tables would be full in time. */
  @Test
  void lines_thatAreTheSame_takeNoMoreRoom() throws IOException {
    try (TableFile file = new TableFile(folder.resolve("tables"), 1)) {
      long one = file.lines(List.of("one"));
      assertThat(file.lines(List.of("one"))).isEqualTo(one);
      long two = file.lines(List.of("one", "two"));
      assertThat(two).isNotEqualTo(one);
      assertThat(file.lines(List.of("one", "two"))).isEqualTo(two);
    }
  }

  /** The last ten minutes by the second, and the day before them by the minute. */
  @Test
  void course_ofMoreThanADay_keepsADay() throws IOException {
    Path path = folder.resolve("tables");
    int seconds = 25 * 60 * 60;
    try (TableFile file = new TableFile(path, 1)) {
      Course course = new Course(file);
      course.widen(List.of());
      long[] figures = new long[Course.FIGURES];
      for (long second = 1; second <= seconds; second++) {
        figures[0] = second;
        course.add(1000 * second, List.of(), figures);
      }
    }
    assertThat(Files.size(path)).isLessThanOrEqualTo(1 << 20);
    List<Long> times = new ArrayList<>();
    for (Map<String, Object> row : TableReader.of(path).rows("offcut.Series")) {
      long time = (Long) Objects.requireNonNull(row.get("time"));
      if (time != 0) {
        assertThat(row).containsEntry("resident", time / 1000);
        times.add(time / 1000);
      }
    }
    times.sort(null);
    assertThat(times).hasSize(Course.MINUTES + Course.RECENT);
    assertThat(times.get(times.size() - 1)).isEqualTo(seconds);
    assertThat(times.get(0)).isBetween(seconds - 24L * 60 * 60 - 800, seconds - 24L * 60 * 60);
    for (int i = 1; i < times.size(); i++) {
      assertThat(times.get(i) - times.get(i - 1))
          .isBetween(i < Course.MINUTES ? 60L : 1L, i > Course.MINUTES ? 1L : 60L);
    }
  }

  @Test
  void folder_openToOthers_isRefused() throws Exception {
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThatThrownBy(() -> TableFolder.check(open))
        .hasMessageContaining("is open to other users");
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwx------"));
    TableFolder.check(open);
    Path link = Files.createSymbolicLink(folder.resolve("link"), open);
    assertThatThrownBy(() -> TableFolder.check(link)).hasMessageContaining("is not a folder");
  }
}
