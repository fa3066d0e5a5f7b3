package dev.offcut.handle;

import dev.offcut.handle.HandleSnapshot.OfType;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The text of a leak report; wording and layout are those of {@code spec/leak-report.txt}. */
final class LeakReport {
  static final int MAX_SITES_SHOWN = 5;

  private LeakReport() {}

  static String text(HandleSnapshot snapshot) {
    StringBuilder out = new StringBuilder();
    snapshot.types().stream()
        .filter(type -> type.forgotten() > 0)
        .sorted(Comparator.comparingLong(OfType::forgotten).reversed())
        .forEach(type -> append(out, type, snapshot.level()));
    return out.toString();
  }

  private static void append(StringBuilder out, OfType type, Detection level) {
    line(
        out,
        "FORGOTTEN  type=%s  %,d of %,d opened, released by the safety net; %,d open now   level=%s",
        type.name(),
        type.forgotten(),
        type.opened(),
        type.open(),
        level.label());
    List<Map.Entry<List<StackTraceElement>, Long>> sites =
        type.sites().entrySet().stream()
            .sorted(Map.Entry.<List<StackTraceElement>, Long>comparingByValue().reversed())
            .toList();
    sites.stream().limit(MAX_SITES_SHOWN).forEach(site -> append(out, site));
    if (sites.size() > MAX_SITES_SHOWN) {
      line(out, "  and %,d more sites", sites.size() - MAX_SITES_SHOWN);
    }
    line(out, "  try        close each in try-with-resources%s", raise(level, sites.isEmpty()));
  }

  private static void append(StringBuilder out, Map.Entry<List<StackTraceElement>, Long> site) {
    String lead = "  opened at  ";
    for (StackTraceElement frame : site.getKey()) {
      out.append(lead).append(frame);
      if (!lead.isBlank()) {
        out.append(String.format(Locale.ROOT, "   (%,d recorded)", site.getValue()));
      }
      out.append(System.lineSeparator());
      lead = "             ";
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  static void line(StringBuilder out, String format, Object... args) {
    out.append(String.format(Locale.ROOT, format, args)).append(System.lineSeparator());
  }

  private static String raise(Detection level, boolean unknown) {
    return switch (level) {
      case FULL -> "";
      case SAMPLE ->
          (unknown ? "; no site was recorded" : "")
              + "; to record every site: -D"
              + Detection.PROPERTY
              + "=full";
      default -> "; to record sites: -D" + Detection.PROPERTY + "=sample, or full in tests";
    };
  }
}
