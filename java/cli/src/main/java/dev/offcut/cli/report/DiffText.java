package dev.offcut.cli.report;

import static dev.offcut.cli.digest.Figures.bytes;
import static dev.offcut.cli.digest.Figures.change;
import static dev.offcut.cli.digest.Figures.count;

import dev.offcut.cli.digest.Digest;
import dev.offcut.cli.digest.Figures;
import dev.offcut.cli.report.Text.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Two digests side by side: each figure as it is in the new one, and behind it what changed. Rows
 * in which nothing changed are left out.
 */
public final class DiffText {
  private static final int MOST_SITES = 10;

  /** A figure: how it is named, read and shown. */
  private record Column<T>(String name, ToLongFunction<T> figure, boolean isSize) {}

  private final Text text = new Text(false);
  private boolean any;

  private DiffText() {}

  /** The tables. */
  public static String of(Digest base, Digest other) {
    DiffText diff = new DiffText();
    diff.head("base", base.target());
    diff.head("new ", other.target());
    diff.text.line();
    diff.table(
        "kinds",
        base.kinds(),
        other.kinds(),
        Digest.Kind::kind,
        List.of(
            new Column<>("opened", Digest.Kind::opened, false),
            new Column<>("lost", Digest.Kind::lost, false),
            new Column<>("open", Digest.Kind::open, false),
            new Column<>("bytes", kind -> kind.bytes() + kind.lostBytes(), true)));
    diff.table(
        "handles",
        base.handles(),
        other.handles(),
        Digest.Handles::type,
        List.of(
            new Column<>("opened", Digest.Handles::opened, false),
            new Column<>("forgotten", Digest.Handles::forgotten, false),
            new Column<>("open", Digest.Handles::open, false)));
    diff.table(
        "resident memory",
        base.memory().parts(),
        other.memory().parts(),
        Digest.Part::part,
        List.of(new Column<>("bytes", Digest.Part::bytes, true)));
    diff.sites(base, other);
    if (!diff.any) {
      diff.text.line("Nothing changed.");
    }
    return diff.text.toString();
  }

  private void head(String label, Digest.Target target) {
    text.line(
        label
            + "  "
            + target.main()
            + (target.pid() < 0 ? "" : ", process " + target.pid())
            + ", "
            + Figures.seconds(target.seconds()));
  }

  private <T> void table(
      String title,
      List<T> base,
      List<T> other,
      Function<T, String> name,
      List<Column<T>> columns) {
    Map<String, T> before = byName(base, name);
    Map<String, T> after = byName(other, name);
    Map<String, Boolean> names = new LinkedHashMap<>();
    after.keySet().forEach(one -> names.put(one, true));
    before.keySet().forEach(one -> names.put(one, true));
    Table table = new Table().add(head(title, columns));
    int rows = 0;
    for (String one : names.keySet()) {
      List<String> cells = new ArrayList<>(List.of(one));
      boolean changed = false;
      for (Column<T> column : columns) {
        T old = before.get(one);
        T now = after.get(one);
        long was = old == null ? 0 : column.figure().applyAsLong(old);
        long is = now == null ? 0 : column.figure().applyAsLong(now);
        cells.add(column.isSize() ? bytes(is) : count(is));
        cells.add(was == is ? "" : column.isSize() ? change(is - was) : signed(is - was));
        changed |= was != is;
      }
      if (changed) {
        table.add(cells);
        rows++;
      }
    }
    if (rows > 0) {
      text.table(table).line();
      any = true;
    }
  }

  private static <T> List<String> head(String title, List<Column<T>> columns) {
    List<String> cells = new ArrayList<>(List.of(title));
    for (Column<T> column : columns) {
      cells.add(column.name());
      cells.add("+/-");
    }
    return cells;
  }

  private static <T> Map<String, T> byName(List<T> all, Function<T, String> name) {
    Map<String, T> map = new LinkedHashMap<>();
    all.forEach(one -> map.put(name.apply(one), one));
    return map;
  }

  private static String signed(long change) {
    return (change > 0 ? "+" : "") + count(change);
  }

  /** A place and what it holds more. */
  private record Growth(Digest.Site site, long bytes) {}

  private void sites(Digest base, Digest other) {
    Map<String, Digest.Site> before = byName(base.sites(), DiffText::key);
    List<Growth> growths = new ArrayList<>();
    for (Digest.Site site : other.sites()) {
      Digest.Site old = before.get(key(site));
      long grown = held(site) - (old == null ? 0 : held(old));
      if (grown > 0) {
        growths.add(new Growth(site, grown));
      }
    }
    if (growths.isEmpty()) {
      return;
    }
    any = true;
    growths.sort((a, b) -> Long.compare(b.bytes(), a.bytes()));
    text.title("Call sites that hold more");
    for (Growth growth : growths.subList(0, Math.min(MOST_SITES, growths.size()))) {
      text.line("  " + change(growth.bytes()) + "  " + growth.site().kind());
      text.stack("    at ", growth.site().frames(), "");
    }
  }

  private static long held(Digest.Site site) {
    return site.bytes() + site.lostBytes();
  }

  private static String key(Digest.Site site) {
    return site.kind() + "\n" + String.join("\n", site.frames());
  }
}
