package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.handle.HandleSnapshot.OfType;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The text against the cases of {@code spec/leak-report.txt}. */
class LeakReportTest {
  private static final String STMT = "sqlite3_stmt";

  @Test
  void text_ofEveryCaseOfTheSpecification_isTheSpecifiedOne() throws IOException {
    Map<String, HandleSnapshot> cases = new HashMap<>();
    cases.put(
        "count: no sites are recorded",
        snapshot(Detection.COUNT, type(STMT, 500_000, 1_234, 7, Map.of())));
    cases.put(
        "off: says how to raise the level all the same",
        snapshot(Detection.OFF, type(STMT, 1, 1, 0, Map.of())));
    cases.put(
        "sample: a site was sampled",
        snapshot(
            Detection.SAMPLE,
            type(
                STMT,
                500_000,
                1_234,
                7,
                Map.of(
                    List.of(frame("shop.Orders", "find", 31), frame("shop.Checkout", "pay", 112)),
                    10L))));
    cases.put(
        "sample: none of the forgotten was sampled",
        snapshot(Detection.SAMPLE, type(STMT, 300, 3, 0, Map.of())));
    cases.put(
        "full: the sites with the most forgotten, five at most; the worst type first", manySites());
    cases.put(
        "nothing was forgotten: no text", snapshot(Detection.FULL, type(STMT, 10, 0, 3, Map.of())));
    Map<String, String> texts = new HashMap<>();
    cases.forEach((name, snapshot) -> texts.put(name, snapshot.leakReport()));
    assertThat(texts).isEqualTo(Specification.cases("leak-report.txt"));
  }

  private static HandleSnapshot manySites() {
    Map<List<StackTraceElement>, Long> sites = new HashMap<>();
    for (int i = 0; i < 6; i++) {
      sites.put(List.of(frame("shop.Site" + i, "open", i)), 1L + i);
    }
    sites.put(List.of(frame("shop.Site6", "open", 6)), 2_000L);
    return snapshot(
        Detection.FULL,
        type("healthy", 5, 0, 0, Map.of()),
        type("sqlite3", 2, 1, 1, Map.of(List.of(frame("shop.Orders", "connect", 20)), 1L)),
        type("image", 2_100, 2_021, 0, sites));
  }

  @Test
  void text_underAnotherLocale_isTheSame() {
    HandleSnapshot snapshot = manySites();
    String text = snapshot.leakReport();
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(snapshot.leakReport()).isEqualTo(text);
    } finally {
      Locale.setDefault(before);
    }
  }

  static HandleSnapshot snapshot(Detection level, OfType... types) {
    return new HandleSnapshot(level, List.of(types));
  }

  static OfType type(
      String name, long opened, long forgotten, long open, Map<List<StackTraceElement>, Long> at) {
    return type(0, name, opened, forgotten, open, at);
  }

  /** The {@code id} is the number of the type. */
  static OfType type(
      long id,
      String name,
      long opened,
      long forgotten,
      long open,
      Map<List<StackTraceElement>, Long> at) {
    long closed = opened - forgotten - open;
    return new OfType(id, name, opened, closed, forgotten, open, 0, 0, Duration.ZERO, 0, at);
  }

  private static StackTraceElement frame(String type, String method, int line) {
    String file = type.substring(type.lastIndexOf('.') + 1) + ".java";
    return new StackTraceElement(type, method, file, line);
  }
}
