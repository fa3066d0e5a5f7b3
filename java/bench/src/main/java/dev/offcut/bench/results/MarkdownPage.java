package dev.offcut.bench.results;

import dev.offcut.bench.read.RunFile;
import dev.offcut.bench.results.Headlines.Headline;
import dev.offcut.bench.results.Section.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The page of one suite, in Markdown. */
final class MarkdownPage {
  private final Section section;
  private final StringBuilder text = new StringBuilder();

  private MarkdownPage(Section section) {
    this.section = section;
  }

  static String of(Section section) {
    MarkdownPage page = new MarkdownPage(section);
    page.head();
    page.headline();
    page.judged();
    RunFile run = section.outcome().run();
    if (run != null) {
      page.rows(run);
    }
    return page.text.toString();
  }

  private void head() {
    Outcome outcome = section.outcome();
    text.append("# Results: ").append(outcome.suite()).append("\n\n");
    if (outcome.failure() != null) {
      String what = outcome.run() == null ? "Not measured" : "Not everything was measured";
      paragraph("**" + what + "**: " + escaped(outcome.failure()));
    }
    RunFile run = outcome.run();
    section.notes().forEach(note -> paragraph("**Note**: " + escaped(note)));
    if (run != null && run.isQuick()) {
      paragraph("**The quick form**: smaller, in short rounds; a first look, not a result.");
    }
    if (run != null) {
      paragraph(
          "Machine load "
              + load(run.fact("load_before"))
              + " before and "
              + load(run.fact("load_after"))
              + " after; "
              + run.fact("seconds")
              + " s in all. `"
              + section.command()
              + "` measures it;"
              + " ratios are of rows of this run alone.");
    }
  }

  private static String load(String fact) {
    return fact.isEmpty() ? "unknown" : String.format(Locale.ROOT, "%.1f", Double.valueOf(fact));
  }

  private void headline() {
    Headline headline = section.headline();
    if (headline == null) {
      return;
    }
    text.append("## ").append(headline.title()).append("\n\n");
    String link = headline.link() == null ? "" : ": <" + headline.link() + ">";
    paragraph("Source: " + headline.source() + link + ".");
    paragraph(headline.says());
    headline.tables().forEach(table -> table("**" + table.caption() + "**", table));
    section.pictures().forEach(one -> paragraph("![" + one.caption() + "](" + one.name() + ")"));
  }

  private void judged() {
    if (section.outcome().run() == null) {
      return;
    }
    text.append("## ").append(section.ahead().caption()).append("\n\n");
    if (section.ahead().lines().isEmpty()) {
      paragraph("Nowhere in this run.");
    } else {
      table("", section.ahead());
    }
    text.append("## ").append(section.bars().caption()).append("\n\n");
    if (section.bars().lines().isEmpty()) {
      paragraph("None was judged: they stand in what the suite prints, which was not kept.");
    } else {
      table("", section.bars());
    }
  }

  private void rows(RunFile run) {
    text.append("## All rows\n\n");
    Map<String, List<List<String>>> cases = new LinkedHashMap<>();
    for (RunFile.Row row : run.rows()) {
      RunFile.Row.Key key = row.key();
      cases
          .computeIfAbsent(key.caseName(), name -> new ArrayList<>())
          .add(
              List.of(
                  key.impl(),
                  row.version(),
                  key.runtime(),
                  key.gc(),
                  String.valueOf(key.threads()),
                  key.metric(),
                  row.text(),
                  row.unit(),
                  row.rounds() == 0 ? "" : String.valueOf(row.rounds())));
    }
    List<String> heads =
        List.of(
            "implementation",
            "version",
            "runtime",
            "collector",
            "threads",
            "metric",
            "",
            "unit",
            "rounds");
    cases.forEach((name, lines) -> table("### " + name, new Table(name, heads, lines)));
  }

  private void table(String title, Table table) {
    table(text, title, table);
    paragraph(section.made().isEmpty() ? "" : "<sub>" + escaped(section.made()) + "</sub>");
  }

  /** Appends a table, with a title above it if it is not empty. */
  static void table(StringBuilder text, String title, Table table) {
    if (!title.isEmpty()) {
      text.append(title).append("\n\n");
    }
    line(text, table.columns());
    line(text, table.columns().stream().map(column -> "---").toList());
    table.lines().forEach(cells -> line(text, cells));
    text.append('\n');
  }

  private static void line(StringBuilder text, List<String> cells) {
    text.append('|');
    cells.forEach(cell -> text.append(' ').append(escaped(cell)).append(" |"));
    text.append('\n');
  }

  private void paragraph(String line) {
    if (!line.isEmpty()) {
      text.append(line).append("\n\n");
    }
  }

  private static String escaped(String cell) {
    return cell.replace("|", "\\|").replace("<", "&lt;").replace("\n", "<br>");
  }
}
