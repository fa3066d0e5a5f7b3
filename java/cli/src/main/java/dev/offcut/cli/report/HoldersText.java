package dev.offcut.cli.report;

import static dev.offcut.cli.digest.Figures.count;

import dev.offcut.cli.digest.Kinds;
import dev.offcut.cli.source.HeapDump.Held;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What holds open resources: a part for each kind, with the ways that hold most. */
public final class HoldersText {
  private static final int MOST_KINDS = 10;
  private static final int MOST_WAYS = 5;

  private static final String LOOKED_FOR =
      "The command looked for direct buffers, confined and shared arenas, and objects that the"
          + " agent counts by --rules, --watch or --watch-package. Each object is at its shortest"
          + " path from a thread, a static field or native code; it may be held in other ways, too.";

  private HoldersText() {}

  /** The text; lines. */
  public static String of(List<Held> all, boolean coloured) {
    Text text = new Text(coloured).line().title("  What holds open resources");
    if (all.isEmpty()) {
      text.wrapped("  ", "None was found.");
    }
    Map<String, List<Held>> byKind = new LinkedHashMap<>();
    all.forEach(held -> byKind.computeIfAbsent(held.kind(), kind -> new ArrayList<>()).add(held));
    byKind.entrySet().stream()
        .sorted(
            Comparator.comparingLong((Map.Entry<String, List<Held>> kind) -> sum(kind.getValue()))
                .reversed())
        .limit(MOST_KINDS)
        .forEach(kind -> kind(text, kind.getKey(), kind.getValue()));
    if (byKind.size() > MOST_KINDS) {
      text.wrapped("  ", count(byKind.size() - MOST_KINDS, "kind") + " more.");
    }
    return text.wrapped("  ", LOOKED_FOR).toString();
  }

  private static long sum(List<Held> ways) {
    return ways.stream().mapToLong(Held::count).sum();
  }

  private static void kind(Text text, String kind, List<Held> ways) {
    long sum = sum(ways);
    text.line("  " + count(sum) + " " + name(kind, sum) + " open, held by");
    List<Held> most =
        ways.stream().sorted(Comparator.comparingLong(Held::count).reversed()).toList();
    for (Held held : most.subList(0, Math.min(MOST_WAYS, most.size()))) {
      text.wrapped("    ", count(held.count()) + ": " + held.by());
    }
    if (most.size() > MOST_WAYS) {
      List<Held> rest = most.subList(MOST_WAYS, most.size());
      text.wrapped("    ", count(sum(rest)) + ": " + count(rest.size(), "other path"));
    }
  }

  /** Of a class that is counted by rule, the class. */
  private static String name(String kind, long number) {
    return Kinds.isCloseable(kind)
        ? kind.substring(Kinds.CLOSEABLE.length())
        : Kinds.words(kind, number);
  }
}
