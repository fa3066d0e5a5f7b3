package dev.offcut.resident;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a HotSpot JVM has its parts, as its own commands tell it. All but the heap's figures stay
 * as they are while the JVM runs, but for metaspace, which grows by whole ranges.
 *
 * @param ranges may be empty: of a process that is no JVM, or does not answer
 * @param heapUsed bytes of objects; -1 if it is not known
 * @param heapLimit what the heap may grow to; 0 if it is not known
 * @param malloc what the JVM has of malloc, with headers, if it tracks its native memory; else -1
 * @param regions of the heap of Shenandoah, which does not tell where its tables are; 0 with
 *     another collector
 * @param metaspaceLimit bytes that metaspace may have; 0 if it has no limit
 * @param directLimit bytes that direct buffers may have; 0 if it is not known
 */
record JvmRanges(
    List<Range> ranges,
    long heapUsed,
    long heapLimit,
    long malloc,
    int regions,
    long metaspaceLimit,
    long directLimit) {
  static final JvmRanges UNKNOWN = new JvmRanges(List.of(), -1, 0, -1, 0, 0, 0);

  /** Addresses of one part. */
  record Range(long start, long end, Part part) {}

  /** Asks a JVM a command of {@code jcmd}; null if there is no answer. */
  interface Asked {
    @Nullable String answer(String command);
  }

  private static final String HEX = "0x([0-9a-f]+)";

  private static final Pattern HEAP_ADDRESS =
      Pattern.compile("Heap address: " + HEX + ", size: (\\d+) MB");
  private static final Pattern ARCHIVE =
      Pattern.compile("CDS archive\\(s\\) mapped at: \\[" + HEX + "-" + HEX + "-" + HEX + "\\)");
  private static final Pattern CLASS_SPACE =
      Pattern.compile("Compressed class space mapped at: " + HEX + "-" + HEX);
  private static final Pattern BOUNDS =
      Pattern.compile("bounds \\[" + HEX + ", " + HEX + ", " + HEX + "\\]");

  /** Tables of a collector: {@code Card table byte_map: [0x…,0x…]}, {@code Bits: [0x…, 0x…)}. */
  private static final Pattern TABLE =
      Pattern.compile(
          "(?:byte_map:|Bits:|map \\(vanilla\\):|map \\(biased\\):)\\s*\\[?" + HEX + ", ?" + HEX);

  /** {@code PSOldGen total 1K, used 1K [0x…, 0x…, 0x…)}, {@code … [0x…, 0x…)}. */
  private static final Pattern GENERATION =
      Pattern.compile("\\[" + HEX + ", ?" + HEX + "(?:, ?" + HEX + ")?\\)");

  private static final Pattern USED = Pattern.compile("used (\\d+)([KMGB])?|(\\d+)([KMG]) used");

  private static final Pattern MAX_CAPACITY = Pattern.compile("max capacity (\\d+)([KMG])");

  /** {@code 2048 x 256K regions}, of Shenandoah alone. */
  private static final Pattern REGIONS = Pattern.compile("(\\d+) x \\d+ ?[KMG] regions");

  private static final Pattern NODE =
      Pattern.compile("node #\\d+: base " + HEX + ": reserved=([0-9.]+) (KB|MB|GB)");

  /** {@code (malloc=62734 tag=Class #565)}, and blocks that the JVM divides: {@code (arena=…)}. */
  private static final Pattern MALLOC =
      Pattern.compile("\\((?:malloc|arena)=(\\d+)[^#)]*#(\\d+)\\)");

  private static final Pattern LOADER =
      Pattern.compile(
          "(?m)^(?:(0x[0-9a-f]+ +0x[0-9a-f]+ +0x[0-9a-f]+)| ) +\\d+ +(\\d+) +\\d+  +(\\S.*?) *$");

  /** The smallest chunk of metaspace, in bytes. JDK 17 gives words, though it says bytes. */
  private static final int CHUNK = 1024;

  private static final int MOST_LOADERS = 5;

  /** What tracking and malloc put before each block. */
  private static final long TRACKED = 24;

  /** All that it tells. */
  static JvmRanges of(Asked jvm) {
    List<Range> ranges = new ArrayList<>();
    String information = memory(text(jvm, "VM.info"));
    String heap = text(jvm, "GC.heap_info");
    addHeap(ranges, information, heap);
    addFirst(ranges, ARCHIVE, information, Part.CLASS_ARCHIVE);
    addFirst(ranges, CLASS_SPACE, information, Part.CLASS_SPACE);
    for (Matcher table = TABLE.matcher(information); table.find(); ) {
      add(ranges, hex(table.group(1)), hex(table.group(2)), Part.GC);
    }
    addCode(ranges, text(jvm, "Compiler.codecache"));
    ranges.addAll(metaspace(jvm));
    String flags = text(jvm, "VM.flags");
    long heapLimit = heapLimit(ranges, heap);
    return new JvmRanges(
        List.copyOf(ranges),
        heapUsed(heap),
        heapLimit,
        malloc(jvm),
        regions(heap),
        flag(flags, "MaxMetaspaceSize", 0),
        flag(flags, "MaxDirectMemorySize", heapLimit));
  }

  /** An option that is set, and is less than no limit is written as; else what it is without. */
  private static long flag(String flags, String name, long without) {
    Matcher set = Pattern.compile("-XX:" + name + "=(\\d{1,18})\\b").matcher(flags);
    return set.find() ? Long.parseLong(set.group(1)) : without;
  }

  /** Bytes that class space may have; 0 if there is none. */
  long classSpace() {
    long most = 0;
    for (Range range : ranges) {
      most = range.part() == Part.CLASS_SPACE ? Math.max(most, range.end() - range.start()) : most;
    }
    return most;
  }

  /** The part before the list of libraries: the whole has 50,000 characters. */
  private static String memory(String information) {
    int libraries = information.indexOf("\nDynamic libraries:");
    return libraries < 0 ? information : information.substring(0, libraries);
  }

  /** The same ranges, with what changes asked again. */
  JvmRanges again(Asked jvm, boolean withMetaspace) {
    List<Range> all = new ArrayList<>(ranges);
    if (withMetaspace) {
      for (Range range : metaspace(jvm)) {
        if (!all.contains(range)) {
          all.add(range);
        }
      }
    }
    return new JvmRanges(
        List.copyOf(all),
        heapUsed(text(jvm, "GC.heap_info")),
        heapLimit,
        malloc < 0 ? malloc : malloc(jvm),
        regions,
        metaspaceLimit,
        directLimit);
  }

  private static int regions(String heap) {
    Matcher told = REGIONS.matcher(heap);
    return told.find() ? Integer.parseInt(told.group(1)) : 0;
  }

  /** Address space of the heap; but ZGC has a multiple of it, and tells the limit itself. */
  private static long heapLimit(List<Range> ranges, String heap) {
    Matcher told = MAX_CAPACITY.matcher(heap);
    if (told.find()) {
      return Long.parseLong(told.group(1)) << shift(told.group(2));
    }
    long sum = 0;
    for (Range range : ranges) {
      sum += range.part() == Part.HEAP_USED ? range.end() - range.start() : 0;
    }
    return sum;
  }

  private static String text(Asked jvm, String command) {
    String answer = jvm.answer(command);
    return answer == null ? "" : answer;
  }

  private static long hex(String digits) {
    return Long.parseUnsignedLong(digits, 16);
  }

  private static void add(List<Range> ranges, long start, long end, Part part) {
    if (end > start) {
      ranges.add(new Range(start, end, part));
    }
  }

  private static void addFirst(List<Range> ranges, Pattern place, String text, Part part) {
    Matcher found = place.matcher(text);
    if (found.find()) {
      add(ranges, hex(found.group(1)), hex(found.group(2)), part);
    }
  }

  /** Whoever has no compressed references tells the heap's generations alone. */
  private static void addHeap(List<Range> ranges, String information, String heap) {
    Matcher whole = HEAP_ADDRESS.matcher(information);
    if (whole.find()) {
      long start = hex(whole.group(1));
      add(ranges, start, start + (Long.parseLong(whole.group(2)) << 20), Part.HEAP_USED);
      return;
    }
    for (String line : heap.split("\n", -1)) {
      // Spaces are parts of generations, and metaspace is no heap.
      Matcher found = GENERATION.matcher(line);
      if (found.find() && !line.contains("space ")) {
        String end = found.group(3) == null ? found.group(2) : found.group(3);
        add(ranges, hex(found.group(1)), hex(end), Part.HEAP_USED);
      }
    }
  }

  private static void addCode(List<Range> ranges, String code) {
    for (Matcher found = BOUNDS.matcher(code); found.find(); ) {
      add(ranges, hex(found.group(1)), hex(found.group(3)), Part.CODE_CACHE);
    }
  }

  private static List<Range> metaspace(Asked jvm) {
    List<Range> ranges = new ArrayList<>();
    String nodes = text(jvm, "VM.metaspace vslist");
    int lists = Math.max(0, nodes.indexOf("Virtual space lists"));
    // Behind "Non-Class:", without it where class pointers are not compressed.
    int classes = nodes.indexOf(" Class:", lists);
    for (Matcher found = NODE.matcher(nodes); found.find(); ) {
      long start = hex(found.group(1));
      double unit =
          switch (found.group(3)) {
            case "KB" -> 1L << 10;
            case "MB" -> 1L << 20;
            default -> 1L << 30;
          };
      long bytes = Math.round(Double.parseDouble(found.group(2)) * unit);
      boolean isClass = classes >= 0 && found.start() > classes;
      add(ranges, start, start + bytes, isClass ? Part.CLASS_SPACE : Part.METASPACE);
    }
    return ranges;
  }

  /**
   * {@code - Thread (reserved=…)} and below it {@code (malloc=93KB #122) …}. The category Other is
   * the program's: direct buffers and blocks of Unsafe.
   */
  private static long malloc(Asked jvm) {
    String summary = text(jvm, "VM.native_memory summary scale=1");
    if (!summary.contains("Total: reserved=")) {
      return -1; // it tracks nothing
    }
    long sum = 0;
    boolean own = false;
    for (String line : summary.split("\n", -1)) {
      if (line.startsWith("-")) {
        own = !line.contains(" Other (");
      }
      Matcher found = MALLOC.matcher(line);
      if (own && found.find()) {
        sum += Long.parseLong(found.group(1)) + TRACKED * Long.parseLong(found.group(2));
      }
    }
    return sum;
  }

  /**
   * Class loaders by their class, those with the most metaspace first. The answer has a line for
   * each loader: its address, its parent's, its data's, classes, bytes of chunks, of blocks, and
   * its class. A line for its hidden classes may follow. Null if the JVM does not answer.
   */
  static @Nullable List<Account.Group> loaders(Asked jvm) {
    String answer = jvm.answer("VM.classloader_stats");
    if (answer == null) {
      return null;
    }
    Map<String, Account.Group> groups = new HashMap<>();
    boolean inWords = false;
    String name = "";
    for (Matcher found = LOADER.matcher(answer); found.find(); ) {
      boolean isHidden = found.group(1) == null;
      name = isHidden ? name : found.group(3);
      long bytes = Long.parseLong(found.group(2));
      inWords |= bytes % CHUNK != 0;
      groups.merge(
          name,
          new Account.Group(name, isHidden ? 0 : 1, bytes),
          (one, other) ->
              new Account.Group(
                  one.name(), one.count() + other.count(), one.bytes() + other.bytes()));
    }
    long unit = inWords ? Long.BYTES : 1;
    return groups.values().stream()
        .map(group -> new Account.Group(group.name(), group.count(), unit * group.bytes()))
        .sorted(Comparator.comparingLong(Account.Group::bytes).reversed())
        .limit(MOST_LOADERS)
        .toList();
  }

  /** Runs a garbage collection that unloads classes. Returns false if the JVM did not. */
  static boolean collect(Asked jvm) {
    String answer = jvm.answer("GC.run");
    return answer != null && answer.isBlank(); // else it says why not
  }

  /** The sum of all generations. */
  static long heapUsed(String heap) {
    long sum = -1;
    for (String line : heap.split("\n", -1)) {
      if (line.contains("Metaspace")) {
        break;
      }
      Matcher found = USED.matcher(line);
      if (!line.contains("space ") && found.find()) {
        boolean behind = found.group(1) != null;
        long number = Long.parseLong(behind ? found.group(1) : found.group(3));
        String unit = behind ? found.group(2) : found.group(4);
        sum = Math.max(0, sum) + (number << shift(unit));
      }
    }
    return sum;
  }

  private static int shift(String unit) {
    return switch (unit == null ? "B" : unit) {
      case "K" -> 10;
      case "M" -> 20;
      case "G" -> 30;
      default -> 0;
    };
  }
}
