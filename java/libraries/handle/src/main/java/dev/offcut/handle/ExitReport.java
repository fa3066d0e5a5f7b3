package dev.offcut.handle;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a program forgot or left open, printed when it ends: {@code
 * -Doffcut.handle.reportAtExit=true}. The words are those of {@code spec/exit-report.txt}.
 */
final class ExitReport {
  static final String PROPERTY = "offcut.handle.reportAtExit";

  /** How long the end of the program may be held up to find what was forgotten. */
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private static @Nullable Thread hook;

  private ExitReport() {}

  /** Has the report printed at the end of the program. */
  static synchronized void install() {
    if (hook == null) {
      Thread created = Reaper.daemon("offcut-exit-report", ExitReport::print);
      try {
        Runtime.getRuntime().addShutdownHook(created);
        hook = created;
      } catch (IllegalStateException e) {
        // the program ends already
      }
    }
  }

  /** Takes the report back: it would keep the class loader of a library that is undeployed. */
  static synchronized void uninstall() {
    Thread installed = hook;
    hook = null;
    if (installed != null) {
      try {
        Runtime.getRuntime().removeShutdownHook(installed);
      } catch (IllegalStateException e) {
        // the program ends already, and says its report
      }
    }
  }

  private static void print() {
    boolean complete = Handles.drain(LIMIT);
    System.err.print(text(Handles.snapshot(), Statistics.openSites(), complete));
    System.err.flush();
  }

  /** The report; {@code sites} by the number of the type. */
  static String text(HandleSnapshot snapshot, Map<Long, Map<Site, Long>> sites, boolean complete) {
    long opened = 0;
    long forgotten = 0;
    long open = 0;
    for (HandleSnapshot.OfType type : snapshot.types()) {
      opened += type.opened();
      forgotten += type.forgotten();
      open += type.open();
    }
    StringBuilder out = new StringBuilder();
    LeakReport.line(
        out,
        "offcut: handles at exit: %,d opened, %,d forgotten, %,d still open   level=%s",
        opened,
        forgotten,
        open,
        snapshot.level().label());
    out.append(snapshot.leakReport());
    for (HandleSnapshot.OfType type : snapshot.types()) {
      if (type.open() > 0) {
        LeakReport.line(
            out,
            "OPEN  type=%s  %,d open of %,d opened: reachable, and not closed",
            type.name(),
            type.open(),
            type.opened());
        Map<Site, Long> at = sites.getOrDefault(type.id(), new HashMap<>());
        List<Map.Entry<Site, Long>> most =
            at.entrySet().stream()
                .sorted(
                    Map.Entry.<Site, Long>comparingByValue()
                        .reversed()
                        .thenComparing(Comparator.comparing(e -> e.getKey().top())))
                .limit(LeakReport.MAX_SITES_SHOWN)
                .toList();
        for (Map.Entry<Site, Long> site : most) {
          LeakReport.line(
              out, "  opened at  %s   (%,d recorded)", site.getKey().top(), site.getValue());
        }
      }
    }
    if (complete) {
      LeakReport.line(out, "  note       resources without a handle are not included");
    } else {
      LeakReport.line(
          out,
          "  note       the safety net had not finished after %d s; some handles counted as open may"
              + " be forgotten",
          LIMIT.toSeconds());
    }
    return out.toString();
  }
}
