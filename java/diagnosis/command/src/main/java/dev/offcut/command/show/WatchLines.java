package dev.offcut.command.show;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Figures;
import dev.offcut.resident.Part;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A program as it runs, in a line for each look: the time, what is resident, in which parts, and
 * the bytes of each kind that are open or lost. All are MiB. A line with the columns' names stands
 * above the first, above each twentieth, and where there are other columns than before.
 */
public final class WatchLines {
  private static final int LINES = 20;
  private static final double MIB = 1 << 20;
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

  private static final Map<String, Set<Part>> COLUMNS = new LinkedHashMap<>();

  static {
    COLUMNS.put(
        "heap",
        EnumSet.of(
            Part.HEAP_USED,
            Part.HEAP_FREE,
            Part.HEAP_AGAIN,
            Part.GO_OBJECTS,
            Part.GO_FREE,
            Part.GO_HEAP));
    COLUMNS.put("Go", EnumSet.of(Part.GO_STACKS, Part.GO_RUNTIME));
    COLUMNS.put(
        "JVM",
        EnumSet.of(
            Part.METASPACE,
            Part.CLASS_SPACE,
            Part.CODE_CACHE,
            Part.GC,
            Part.CLASS_ARCHIVE,
            Part.MALLOC_JVM));
    COLUMNS.put("stacks", EnumSet.of(Part.STACKS));
    COLUMNS.put("malloc", EnumSet.of(Part.MALLOC_USED, Part.MALLOC_UNREAD));
    COLUMNS.put("kept", EnumSet.of(Part.MALLOC_TRIMMABLE, Part.MALLOC_FRAGMENTED));
    COLUMNS.put("pools", EnumSet.of(Part.POOLS));
    COLUMNS.put("allocator", EnumSet.of(Part.ALLOCATOR));
    COLUMNS.put("libraries", EnumSet.of(Part.LIBRARIES, Part.ARCHIVES));
    COLUMNS.put("files", EnumSet.of(Part.FILES, Part.SHARED));
    COLUMNS.put(
        "other", EnumSet.of(Part.SYSTEM, Part.SAMPLES, Part.ALLOCATOR_UNREAD, Part.UNEXPLAINED));
  }

  /** Those that were there in any line. */
  private final Set<String> shown = new LinkedHashSet<>();

  private int lines;

  public WatchLines() {}

  /** What is known now, as a line, or two. */
  public String next(Digest digest) {
    Map<String, Long> figures = new LinkedHashMap<>();
    figures.put("resident", digest.memory().resident());
    if (digest.memory().accounted()) {
      COLUMNS.forEach((name, parts) -> figures.put(name, sum(digest.memory(), parts)));
    }
    digest.kinds().stream()
        .filter(kind -> kind.openedBytes() > 0)
        .forEach(kind -> figures.put(kind.kind(), kind.bytes() + kind.lostBytes()));
    boolean isNew = false;
    for (Map.Entry<String, Long> figure : figures.entrySet()) {
      isNew |= figure.getValue() != 0 && shown.add(figure.getKey());
    }
    List<String> head = new ArrayList<>();
    List<String> line = new ArrayList<>();
    for (Map.Entry<String, Long> figure : figures.entrySet()) {
      if (shown.contains(figure.getKey())) {
        int width = Math.max(8, figure.getKey().length());
        head.add(padded(figure.getKey(), width));
        String mib = Figures.tenths(figure.getValue() / MIB);
        line.add(padded(mib, width));
      }
    }
    String text =
        LocalTime.now(ZoneId.systemDefault()).format(TIME) + "  " + String.join("  ", line) + "\n";
    lines = isNew ? 0 : lines;
    return lines++ % LINES == 0 ? "MiB       " + String.join("  ", head) + "\n" + text : text;
  }

  private static String padded(String text, int width) {
    return " ".repeat(Math.max(0, width - text.length())) + text;
  }

  private static long sum(Digest.Memory memory, Set<Part> parts) {
    return memory.parts().stream()
        .filter(row -> parts.stream().anyMatch(part -> isOf(row, part)))
        .mapToLong(Digest.Part::bytes)
        .sum();
  }

  private static boolean isOf(Digest.Part row, Part part) {
    return row.part().equals(part.title()) || row.part().startsWith(part.title() + ": ");
  }
}
