package dev.offcut.replay.report;

import dev.offcut.replay.Result;
import dev.offcut.replay.report.Report.Ordinal;
import dev.offcut.replay.report.Report.Sizes;
import dev.offcut.replay.space.Space.Usage;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A report as one page that needs nothing but itself: the table as text, the maps drawn on canvas
 * by the script in it, from the report's JSON.
 */
public final class HtmlReport {
  private HtmlReport() {}

  /** Writes it all; the writer stays open. */
  public static void write(Report report, Writer to) throws IOException {
    StringWriter json = new StringWriter();
    ReportJson.write(report, json);
    to.write(
        resource("page.html")
            .replace("{{title}}", escape(report.trace().name()))
            .replace("{{setting}}", escape(setting(report)))
            .replace("{{table}}", table(report))
            .replace("{{style}}", resource("page.css"))
            .replace("{{script}}", resource("page.js"))
            // last, so that no text of the trace is taken for a placeholder
            .replace("{{data}}", json.toString().replace("<", "\\u003c")));
  }

  private static String setting(Report report) {
    String survivors =
        report.survivors() == 0
            ? ""
            : ", every " + Ordinal.of(report.survivors()) + " closed arena stays";
    return "Class space of " + Sizes.ofBytes(report.classSpaceBytes()) + survivors + ".";
  }

  private static String table(Report report) {
    List<String> head = new ArrayList<>(List.of("policy", "classes"));
    report.groups().forEach(group -> head.add(group + " classes"));
    head.addAll(List.of("handed out", "used", "alignment at most", "free", "largest free"));
    StringBuilder rows = new StringBuilder(row("th scope=\"col\"", "th", head));
    for (Result result : report.results()) {
      rows.append(row("th scope=\"row\"", "td", cells(report, result)));
    }
    return rows.toString();
  }

  private static List<String> cells(Report report, Result result) {
    Usage usage = result.last().classSpace().usage();
    List<String> cells = new ArrayList<>(List.of(result.policy(), number(result.classes())));
    for (String group : report.groups()) {
      cells.add(number(result.classesByGroup().getOrDefault(group, 0L)));
    }
    cells.add(percent(usage, usage.handedOut()));
    cells.add(percent(usage, usage.used()));
    cells.add(Sizes.ofWords(usage.alignmentMax()));
    cells.add(Sizes.ofWords(usage.free()));
    cells.add(Sizes.ofWords(usage.largestFree()));
    return cells;
  }

  private static String row(String first, String tag, List<String> cells) {
    String others = tag.equals("th") ? first : tag;
    String rest =
        cells.stream().skip(1).map(cell -> element(others, cell)).collect(Collectors.joining());
    return "<tr>" + element(first, cells.getFirst()) + rest + "</tr>\n";
  }

  private static String element(String tag, String text) {
    String name = tag.split(" ", 2)[0];
    return "<" + tag + ">" + escape(text) + "</" + name + ">";
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String percent(Usage usage, long words) {
    return String.format(Locale.ROOT, "%.1f %%", usage.percent(words));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("{{", "{&#123;"); // no placeholder
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(name + " is not in the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
