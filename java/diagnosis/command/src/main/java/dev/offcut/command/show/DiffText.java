package dev.offcut.command.show;

import static dev.offcut.command.read.Figures.bytes;
import static dev.offcut.command.read.Figures.change;
import static dev.offcut.command.read.Figures.count;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Figures;
import dev.offcut.command.read.Retained;
import dev.offcut.command.read.Tables;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/**
 * Two digests side by side: each figure as it is in the new one, and behind it what changed. Rows
 * in which nothing changed are left out. Of one program at two times it also tells what was opened
 * between them and is still held.
 */
public final class DiffText {
  private static final int MOST_SITES = 10;

  private record Column<T>(String name, ToLongFunction<T> figure, boolean isSize) {}

  private final Text text = new Text(false);
  private boolean any;

  private DiffText() {}

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
    diff.memory(base.memory(), other.memory());
    diff.sites(base, other);
    if (!diff.any) {
      diff.text.line(
          base.isCounted() || other.isCounted()
              ? "Nothing that was tracked changed."
              : "Nothing was counted in either of them.");
    }
    diff.limits("base: ", base);
    diff.limits("new: ", other);
    return diff.text.toString();
  }

  /** What a figure of one of them does not mean: where it did not look, 0 is not fixed. */
  private void limits(String whose, Digest digest) {
    if (!digest.isCounted()) {
      text.wrapped("  ", whose + "Nothing was counted.");
    }
    digest.limits().forEach(limit -> text.wrapped("  ", whose + limit));
  }

  /**
   * What a program opened between two times and still holds, the largest first; {@code seconds}:
   * between them.
   */
  public static String retained(Digest first, Digest second, double seconds) {
    DiffText diff = new DiffText();
    diff.text.title(
        "%s: opened in the %s between the marks and still held"
            .formatted(second.target().main(), Figures.seconds(seconds)));
    diff.kinds(Retained.kinds(first, second));
    diff.sites(first, second);
    diff.memory(first.memory(), second.memory());
    diff.resident(first.memory().resident(), second.memory().resident());
    limits(second).forEach(limit -> diff.text.wrapped("  ", limit));
    return diff.text.toString();
  }

  private void kinds(List<Retained.Kind> all) {
    if (all.isEmpty()) {
      text.line("  No tracked resource that was opened since the first mark is still held.").line();
      return;
    }
    Table table = new Table().add("kind", "opened", "ended", "still held", "bytes");
    for (Retained.Kind kind : all) {
      table.add(
          kind.now().kind(),
          count(kind.opened()),
          count(kind.ended()),
          range(kind.count(), Figures::count),
          kind.hasBytes() ? range(kind.bytes(), Figures::bytes) : "");
    }
    text.table(table);
    if (!all.stream().allMatch(kind -> kind.count().isExact())) {
      text.wrapped(
          "  ",
          "It is not known when the resources that ended were opened. If all of them were opened"
              + " between the marks, the smaller figure is right. If all were opened before the"
              + " first mark, the larger figure is right.");
    }
    text.line();
  }

  private static String range(Retained.Range range, LongFunction<String> figure) {
    String least = figure.apply(range.least());
    return range.isExact() ? least : least + " to " + figure.apply(range.most());
  }

  private void memory(Digest.Memory before, Digest.Memory now) {
    List<Column<Digest.Part>> bytes = List.of(new Column<>("bytes", Digest.Part::bytes, true));
    table("resident memory", before.parts(), now.parts(), Digest.Part::part, bytes);
  }

  private void resident(long before, long now) {
    if (before >= 0 && now >= 0) {
      text.line("  resident: " + bytes(now) + ", " + change(now - before)).line();
    }
  }

  /** What to know of what is said between two marks, a sentence each. */
  private static List<String> limits(Digest digest) {
    List<String> limits = new ArrayList<>();
    if (digest.target().level().equals("sample")) {
      limits.add(
          "Figures of call sites are estimates: one opening in "
              + digest.target().sampleEvery()
              + " records its stack, so call sites with few openings may be missing.");
    } else if (digest.target().level().equals("count")) {
      limits.add("Call sites are not recorded at level count.");
    }
    limits.add(
        "An unreachable resource counts as held until a garbage collection finds it; `jcmd "
            + digest.target().pid()
            + " GC.run` before each mark starts one.");
    limits.add("Not tracked: " + digest.coverage().allUnwatched() + ".");
    digest.limits().stream().filter(limit -> !limit.equals(Tables.RUNS)).forEach(limits::add);
    return limits;
  }

  private void head(String label, Digest.Target target) {
    String process = target.pid() < 0 ? "" : ", process " + target.pid();
    text.line(
        "%s  %s%s, %s".formatted(label, target.main(), process, Figures.seconds(target.seconds())));
  }

  private <T> void table(
      String title,
      List<T> base,
      List<T> other,
      Function<T, String> name,
      List<Column<T>> columns) {
    Map<String, T> before = Retained.byName(base, name);
    Map<String, T> after = Retained.byName(other, name);
    Set<String> names = new LinkedHashSet<>(after.keySet());
    names.addAll(before.keySet());
    Table table = new Table().add(head(title, columns));
    int rows = 0;
    for (String one : names) {
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

  private static String signed(long change) {
    return (change > 0 ? "+" : "") + count(change);
  }

  private void sites(Digest base, Digest other) {
    List<Retained.Site> growths = Retained.sites(base, other);
    if (growths.isEmpty()) {
      return;
    }
    any = true;
    text.title("Call sites that hold more");
    for (Retained.Site growth : growths.subList(0, Math.min(MOST_SITES, growths.size()))) {
      text.line(
          "  "
              + (growth.bytes() == 0 ? "" : change(growth.bytes()) + "  ")
              + growth.now().kind()
              + (growth.count() == 0 ? "" : "  " + signed(growth.count())));
      text.stack(growth.now().at());
    }
    if (growths.size() > MOST_SITES) {
      text.line("  and " + count(growths.size() - (long) MOST_SITES) + " more");
    }
    text.line();
  }
}
