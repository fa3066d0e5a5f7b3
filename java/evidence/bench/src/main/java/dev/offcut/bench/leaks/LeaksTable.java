package dev.offcut.bench.leaks;

import dev.offcut.bench.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Leaks by tools: what each tool found, in words. The last lines count. */
public final class LeaksTable {
  private static final String NONE = "";

  private final Samples samples;
  private final List<String> tools;
  private final List<Leak> leaks;

  private LeaksTable(Samples samples) {
    this.samples = samples;
    List<Leak> all = Leak.all();
    this.tools =
        LeaksSuite.TOOLS.stream()
            .filter(tool -> all.stream().anyMatch(leak -> found(leak, tool) != null))
            .toList();
    this.leaks =
        all.stream()
            .filter(leak -> tools.stream().anyMatch(tool -> found(leak, tool) != null))
            .toList();
  }

  /** Without lines where nothing was measured; the first line has the heads. */
  public static List<List<String>> of(Samples samples) {
    return new LeaksTable(samples).lines();
  }

  private List<List<String>> lines() {
    List<List<String>> lines = new ArrayList<>();
    if (leaks.isEmpty()) {
      return lines;
    }
    lines.add(line("leak", "expected", tool -> tool));
    for (Leak leak : leaks) {
      lines.add(line(leak.name(), String.join(", ", leak.finding()), tool -> cell(leak, tool)));
    }
    lines.add(line("found", "", tool -> count(tool, this::isFound)));
    lines.add(line("partly", "", tool -> count(tool, this::isPartly)));
    lines.add(line("false alarms", "", tool -> count(tool, this::isAlarm)));
    return lines;
  }

  private List<String> line(String first, String second, Function<String, String> cells) {
    return Stream.concat(Stream.of(first, second), tools.stream().map(cells)).toList();
  }

  private @Nullable Double found(Leak leak, String tool) {
    return samples.value(leak.name(), tool, LeaksSuite.FOUND);
  }

  private String cell(Leak leak, String tool) {
    if (found(leak, tool) == null) {
      return NONE;
    }
    String word = isFound(leak, tool) ? "found" : isPartly(leak, tool) ? "partly" : "not";
    return word + (isAlarm(leak, tool) ? ", false alarm" : "");
  }

  private boolean isFound(Leak leak, String tool) {
    Double found = found(leak, tool);
    return found != null && found >= 1;
  }

  private boolean isPartly(Leak leak, String tool) {
    Double found = found(leak, tool);
    return found != null && found > 0 && found < 1;
  }

  private boolean isAlarm(Leak leak, String tool) {
    Double alarm = samples.value(leak.name(), tool, LeaksSuite.ALARM);
    return alarm != null && alarm > 0;
  }

  /** How many, of those that the tool looked at. */
  private String count(String tool, BiPredicate<Leak, String> condition) {
    long seen = leaks.stream().filter(leak -> found(leak, tool) != null).count();
    return leaks.stream().filter(leak -> condition.test(leak, tool)).count() + " of " + seen;
  }
}
