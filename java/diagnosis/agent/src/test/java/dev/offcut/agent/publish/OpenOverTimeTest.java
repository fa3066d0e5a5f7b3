package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.AgentJvm;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many were open over time, of call sites that are one place; and whose they are. */
class OpenOverTimeTest {
  private static final int OPEN_BITS = 20;

  @TempDir private Path folder = Path.of("");

  private static long point(long millis, long open) {
    return millis << 20 | open;
  }

  @Test
  void sum_hasTheOpenOnesOfBothAtEachTime() {
    assertThat(
            Ledger.SiteCounts.sum(
                List.of(point(1, 1), point(3, 2), point(7, 3)), List.of(point(2, 10), point(9, 0))))
        .last()
        .isEqualTo(point(9, 3));
    assertThat(Ledger.SiteCounts.sum(List.of(point(1, 1)), null)).containsExactly(point(1, 1));
  }

  @Test
  void whatIsClosedByAHook_wasOpen_andIsOfWhatTheProgramGot() throws Exception {
    AgentJvm.withAgent("level=full,tables=" + folder)
        .classPath(AgentJvm.classes())
        .and(OpenProgram.class.getName())
        .run();
    TableReader tables = TableReader.in(folder);
    assertThat(tables.rows("offcut.OpenOverTime"))
        .filteredOn(OpenOverTimeTest::isDirectoryStream)
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.get("owner")).isEqualTo("java.util.stream.Stream\nclose\nreturned ");
              String last = "p" + (TableReader.number(row, "points") - 1);
              assertThat(TableReader.number(row, last) & ((1 << OPEN_BITS) - 1))
                  .isEqualTo(OpenProgram.COUNT);
            });
    assertThat(tables.rows("offcut.ResourceStatistics"))
        .filteredOn(OpenOverTimeTest::isDirectoryStream)
        .singleElement()
        .satisfies(row -> assertThat(row).containsEntry("closed", (long) OpenProgram.COUNT));
    assertThat(tables.rows("offcut.OpenOverTime"))
        .filteredOn(row -> "closeable:sun.nio.ch.NioSocketImpl".equals(row.get("kind")))
        .extracting(row -> row.get("owner"))
        .containsExactlyInAnyOrder(
            "java.net.Socket\nclose\n", "java.net.Socket\nclose\nreturned accepted");
  }

  /** Each of the first openings leaves its stack, also by default. */
  @Test
  void aLineThatForgetsOneInTwenty_isKnownExactly() throws Exception {
    AgentJvm.withAgent("level=sample,tables=" + folder)
        .classPath(AgentJvm.classes())
        .and(ForgettingProgram.class.getName())
        .run();
    assertThat(TableReader.in(folder).rows("offcut.ResourceSite"))
        .filteredOn(row -> String.valueOf(row.get("site")).contains("ForgettingProgram.main("))
        .filteredOn(row -> String.valueOf(row.get("kind")).endsWith("FileInputStream"))
        .singleElement()
        .satisfies(
            row ->
                assertThat(row)
                    .containsEntry("opened", (long) ForgettingProgram.COUNT)
                    .containsEntry("open", (long) ForgettingProgram.FORGOTTEN));
  }

  private static boolean isDirectoryStream(Map<String, Object> row) {
    return String.valueOf(row.get("kind")).endsWith("UnixDirectoryStream");
  }

  @Test
  void sum_hasNoMorePointsThanOneOfThem() {
    List<Long> some = LongStream.range(0, 32).mapToObj(i -> point(2 * i, i)).toList();
    List<Long> others = LongStream.range(0, 32).mapToObj(i -> point(2 * i + 1, i)).toList();
    assertThat(Ledger.SiteCounts.sum(some, others)).hasSize(32).last().isEqualTo(point(63, 62));
  }
}
