package dev.offcut.command.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.read.Accounts;
import dev.offcut.command.read.GivenAccount;
import dev.offcut.command.read.GivenFields;
import dev.offcut.resident.Account;
import dev.offcut.resident.Descriptors;
import dev.offcut.resident.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Resources of the JDK that the program left to the collector, and what they had meanwhile. */
class LeftToCollectorTest extends RisingLines {
  private static final String MAPPING = "sun.nio.ch.FileChannelImpl$Unmapper";
  private static final long MIB = 1 << 20;

  /** The JDK leaves mapped buffers to the collector; what they had in memory meanwhile is told. */
  @ParameterizedTest
  @CsvSource({"300, 90, true", "300, 16, false", "100, 90, false"})
  void mappedRegions_areAFindingIfFilesHadMuchInMemory(long collected, int mib, boolean isTold) {
    left(MAPPING, 300, collected);
    accounts(Descriptors.UNKNOWN, 1, mib, 1);
    String late =
        "LATE 300 of 300 mapped regions opened at Orders.java:88 left to the collector: up to 89.0"
            + " MiB of mapped files waited for it";
    assertThat(titles().contains(late)).isEqualTo(isTold);
    assertThat(titles().toString().contains("LATE")).isEqualTo(isTold);
  }

  /**
   * The rise of descriptors and those that were left to the collector are one cause. So few files
   * that no finding tells of them do not hide the rise.
   */
  @ParameterizedTest
  @CsvSource({"300, 10, 20, false", "100, 10, 20, true", "300, 10, 320, true", "90, 5, 20, true"})
  void descriptors_thatTheCollectorClosedAtTheEnd_areOneFinding(
      long collected, long aSecond, int atEnd, boolean isRiseTold) {
    left(FILE, 500, collected);
    for (int second = 0; second <= SECONDS; second++) {
      Map<String, Object> row = Map.of("descriptors", 20 + aSecond * second);
      builder.take(new GivenFields("offcut.Series", BEGIN.plusSeconds(second), row));
    }
    accounts(new Descriptors(atEnd, 100_000, List.of(), List.of()), 1);
    String late =
        "LATE %d of 500 FileInputStream opened at Orders.java:88 left to the collector"
            .formatted(collected);
    assertThat(titles().contains(late)).isEqualTo(collected >= 100);
    assertThat(titles().toString().contains("DESCRIPTORS")).isEqualTo(isRiseTold);
  }

  /** So many were collected, and the program closed the others. */
  private void left(String type, long opened, long collected) {
    Map<String, Object> row =
        new HashMap<>(
            Map.of(
                "kind",
                "closeable:" + type,
                "opened",
                opened,
                "closed",
                opened - collected,
                "collected",
                collected,
                "open",
                0L));
    take("offcut.ResourceStatistics", row);
    row.putAll(Map.of("site", LIBRARY + "\n" + LINE, "line", 1L, "samples", opened));
    take("offcut.ResourceSite", row);
  }

  /** So many MiB of mapped files were in memory, one second after the other. */
  private void accounts(Descriptors descriptors, int... mib) {
    List<Accounts.Taken> all = new ArrayList<>();
    for (int files : mib) {
      List<Account.Row> rows =
          List.of(
              new Account.Row(Part.FILES, "", files * MIB),
              new Account.Row(Part.UNEXPLAINED, "", 50 * MIB));
      Account account = GivenAccount.of(30, List.of(), descriptors, rows);
      all.add(new Accounts.Taken(BEGIN.plusSeconds(all.size()), account));
    }
    builder.accounts(new Accounts(all));
  }
}
