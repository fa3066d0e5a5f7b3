package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a program that ends says, in a JVM of its own. */
class ExitReportTest {
  /** Opens four handles: one is closed, one forgotten, a young and a tenured one stay open. */
  static final class Program {
    private static final List<Handle> KEPT = new ArrayList<>();

    private Program() {}

    /** Takes no arguments. */
    public static void main(String[] args) {
      HandleType type = HandleType.named("image").releaser(Native::close).create();
      Thing.open(type).close();
      Thing.forget(type);
      keep(type);
      Reaper.pass(false, true);
      keep(type);
    }

    private static void keep(HandleType type) {
      KEPT.add(Thing.open(type));
    }
  }

  private static String errors(String... options) throws Exception {
    return ChildJvm.with(options).program(Program.class).run().text();
  }

  @Test
  void program_thatForgetsAndKeeps_saysBothAtItsEnd() throws Exception {
    String text = errors("-Doffcut.handle.reportAtExit=true", "-Doffcut.handle.detection=full");
    assertThat(text)
        .startsWith("offcut: handles at exit: 4 opened, 1 forgotten, 2 still open   level=full")
        .contains("FORGOTTEN  type=image  1 of 4 opened, released by the safety net; 2 open now")
        .contains("OPEN  type=image  2 open of 4 opened: reachable, and not closed")
        .containsPattern(
            "(  opened at  \\S+Program.keep.ExitReportTest.java:\\d+.   .1 recorded.\\R){2}")
        .endsWith(
            "  note       resources without a handle are not included" + System.lineSeparator());
  }

  @Test
  void program_whoseTimesAreForEver_saysNothing() throws Exception {
    assertThat(
            errors(
                "-Doffcut.handle.hangMillis=" + Long.MAX_VALUE,
                "-Doffcut.handle.lingerMillis=" + Long.MAX_VALUE))
        .isEmpty();
  }

  @Test
  void text_ofEveryCaseOfTheSpecification_isTheSpecifiedOne() throws IOException {
    StackTraceElement find = new StackTraceElement("shop.Orders", "find", "Orders.java", 31);
    HandleSnapshot some =
        LeakReportTest.snapshot(
            Detection.FULL,
            LeakReportTest.type(1, "image", 2_000, 0, 8, Map.of()),
            LeakReportTest.type(2, "sqlite3", 3, 0, 1, Map.of()),
            LeakReportTest.type(
                3, "sqlite3_stmt", 500_000, 1_234, 0, Map.of(List.of(find), 1_234L)));
    Map<Site, Long> open = Map.of(site("Site4", 4), 1L, site("Site5", 5), 3L);
    Map<String, String> texts = new HashMap<>();
    texts.put("the net came to rest", ExitReport.text(some, Map.of(1L, open), true));
    HandleSnapshot none = LeakReportTest.snapshot(Detection.COUNT);
    texts.put("the net did not come to rest", ExitReport.text(none, Map.of(), false));
    assertThat(texts).isEqualTo(Specification.cases("exit-report.txt"));
  }

  private static Site site(String name, int line) {
    return new Site(List.of(new StackTraceElement("shop." + name, "open", name + ".java", line)));
  }
}
