package dev.offcut.command.show;

import static dev.offcut.command.read.Figures.count;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Holders;
import dev.offcut.command.read.Holders.Held;
import dev.offcut.command.read.Kinds;
import java.util.Comparator;
import java.util.List;

/** What holds open resources: a part for each kind, with the ways that hold most. */
public final class HoldersText {
  private static final int MOST_KINDS = 10;
  private static final int MOST_WAYS = 5;

  private static final String LOOKED_FOR =
      "The command looked for direct buffers, confined and shared arenas, and objects that the"
          + " agent counts by --rules, --watch or --watch-package. Each object is at its shortest"
          + " path from a thread, a static field or native code; it may be held in other ways,"
          + " too.";

  private HoldersText() {}

  public static String of(Holders holders, Digest of, boolean coloured) {
    Text text = new Text(coloured).title("  What holds open resources");
    if (!holders.isKnown()) {
      return text.wrapped("  ", holders.problem()).line().toString();
    }
    List<String> kinds =
        holders.held().stream()
            .map(Held::kind)
            .distinct()
            .sorted(
                Comparator.comparingLong((String kind) -> Holders.sum(holders.of(kind))).reversed())
            .toList();
    if (kinds.isEmpty()) {
      text.wrapped("  ", "None was found.");
    }
    kinds.stream().limit(MOST_KINDS).forEach(kind -> kind(text, kind, holders.of(kind)));
    if (kinds.size() > MOST_KINDS) {
      text.wrapped("  ", count(kinds.size() - MOST_KINDS, "kind") + " more.");
    }
    text.wrapped("  ", LOOKED_FOR);
    List<String> uncounted = Holders.uncountedByRule(of);
    if (!uncounted.isEmpty()) {
      text.wrapped(
          "  ",
          "Nobody counted "
              + String.join(", ", uncounted)
              + ", so the command did not look for these.");
    }
    return text.line().toString();
  }

  private static void kind(Text text, String kind, List<Held> most) {
    long sum = Holders.sum(most);
    text.line("  " + count(sum) + " " + name(kind, sum) + " open, held by");
    for (Held held : most.subList(0, Math.min(MOST_WAYS, most.size()))) {
      text.wrapped("    ", count(held.count()) + ": " + held.by());
    }
    if (most.size() > MOST_WAYS) {
      List<Held> rest = most.subList(MOST_WAYS, most.size());
      text.wrapped("    ", count(Holders.sum(rest)) + ": " + count(rest.size(), "other path"));
    }
  }

  /** Of a class that is counted by rule, the class. */
  private static String name(String kind, long number) {
    return Kinds.isCloseable(kind)
        ? kind.substring(Kinds.CLOSEABLE.length())
        : Kinds.words(kind, number);
  }
}
