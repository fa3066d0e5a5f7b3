package dev.offcut.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.fleet.GivenProcess.Counts;
import dev.offcut.fleet.GivenProcess.Told;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private static final long START_MS = 1_790_000_003_456L;

  private final long seed = System.nanoTime();
  private final GivenProcess process = new GivenProcess(7, START_MS, 500, seed);

  private static History heard(List<Told> events) {
    History history = new History();
    events.forEach(history::heard);
    return history;
  }

  private static List<Rows.Window> of(String kind, List<Rows.Window> rows) {
    return rows.stream().filter(row -> row.name().equals(kind)).toList();
  }

  private void hasTheTotals(List<Rows.Window> rows) {
    for (Counts total : process.totals()) {
      List<Rows.Window> own = of(total.kind(), rows);
      assertThat(
              List.of(
                  own.stream().mapToLong(Rows.Window::opened).sum(),
                  own.stream().mapToLong(Rows.Window::closed).sum(),
                  own.stream().mapToLong(Rows.Window::collected).sum(),
                  own.stream().mapToLong(Rows.Window::lost).sum(),
                  own.stream().mapToLong(Rows.Window::openedBytes).sum(),
                  own.stream().mapToLong(Rows.Window::lostBytes).sum()))
          .as("%s, seed %d", total.kind(), seed)
          .containsExactly(
              total.opened(),
              total.closed(),
              total.collected(),
              total.lost(),
              total.openedBytes(),
              total.lostBytes());
    }
  }

  @Test
  void windows_ofEvents_addUpToTheLastCounts() {
    hasTheTotals(heard(process.events()).windows());
  }

  @Test
  void windows_ofEventsInAnyOrder_areTheSame() {
    List<Told> shuffled = new ArrayList<>(process.events());
    Collections.shuffle(shuffled, new Random(seed));
    assertThat(heard(shuffled).windows())
        .as("seed %d", seed)
        .isEqualTo(heard(process.events()).windows());
  }

  @Test
  void windows_ofAClockThatGoesBack_addUpAndNeverFall() {
    List<Told> turned = new ArrayList<>();
    for (Told event : process.events()) {
      boolean late = event.time().toEpochMilli() > START_MS + 250_000;
      turned.add(
          new Told(
              event.name(), late ? event.time().minusSeconds(200) : event.time(), event.fields()));
    }
    List<Rows.Window> rows = heard(turned).windows();
    hasTheTotals(rows);
    assertThat(rows)
        .allMatch(
            row ->
                row.opened() >= 0
                    && row.closed() >= 0
                    && row.collected() >= 0
                    && row.lost() >= 0
                    && row.lostBytes() >= 0);
  }

  @Test
  void windows_ofOneKind_followEachOther() {
    List<Rows.Window> rows = of("unsafe", heard(process.events()).windows());
    assertThat(rows).hasSize(51).allMatch(row -> row.lengthMs() == History.WINDOW_MS);
    for (int i = 1; i < rows.size(); i++) {
      assertThat(rows.get(i).startMs())
          .isEqualTo(rows.get(i - 1).startMs() + History.WINDOW_MS)
          .isEqualTo(rows.get(i).startMs() / 10_000 * 10_000);
    }
  }

  @Test
  void windows_haveWhatWasHeldAtTheirEnd() {
    Rows.Window second = of("unsafe", heard(process.events()).windows()).get(1);
    // It ends 16.544 s after the start, and the last that was told before was at 16 s.
    Counts last = process.course.get(15).get(2);
    assertThat(second.open()).isEqualTo(last.open());
    assertThat(second.bytes()).isEqualTo(last.bytes() + last.lostBytes());
    assertThat(second.peak()).isGreaterThanOrEqualTo(second.bytes());
  }

  @Test
  void windows_ofTotalsAlone_areOneRowOfAllTheTime() {
    List<Told> last =
        process.events().stream()
            .filter(
                event ->
                    event.name().equals("jdk.JVMInformation")
                        || event.time().toEpochMilli() == process.untilMs())
            .toList();
    List<Rows.Window> rows = heard(last).windows();
    hasTheTotals(rows);
    Rows.Window whole = of("unsafe", rows).getFirst();
    assertThat(whole.startMs()).isEqualTo(START_MS);
    assertThat(whole.startMs() + whole.lengthMs()).isEqualTo(process.untilMs() + 1);
    assertThat(whole.open()).isNull();
    assertThat(whole.bytes()).isNull();
  }

  @Test
  void windows_ofSeveralCopiesOfALibrary_addUp() {
    History history = new History();
    for (long copy : List.of(1L, 2L)) {
      for (int second = 1; second <= 30; second++) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("type", "sqlite3");
        fields.put("copy", copy);
        fields.put("opened", copy * second);
        fields.put("closed", 0L);
        fields.put("forgotten", (long) second / 10);
        fields.put("open", copy * second - second / 10);
        history.heard(
            new Told(
                "offcut.HandleStatistics",
                Instant.ofEpochMilli(START_MS + second * 1000L),
                fields));
      }
    }
    history.end(History.TYPE, "sqlite3", 90, 0, 0, 0, 8, 0, 0); // two more than were told
    List<Rows.Window> rows = history.windows();
    assertThat(rows.stream().mapToLong(Rows.Window::opened).sum()).isEqualTo(90);
    assertThat(rows.stream().mapToLong(Rows.Window::forgotten).sum()).isEqualTo(8);
  }
}
