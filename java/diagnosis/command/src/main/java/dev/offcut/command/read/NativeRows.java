package dev.offcut.command.read;

import dev.offcut.command.read.NativeCallers.Ended;
import dev.offcut.command.read.NativeCallers.Place;
import dev.offcut.command.read.NativeCallers.Series;
import dev.offcut.command.read.NativeTable.Freer;
import dev.offcut.command.read.NativeTable.Live;
import dev.offcut.command.read.NativeTable.Native;
import dev.offcut.command.read.NativeTable.Region;
import dev.offcut.command.read.NativeTable.Stack;
import dev.offcut.rules.CallSiteRule;
import dev.offcut.rules.Program;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Makes of a {@link NativeTable} who called malloc: stacks with the same frames are one place. */
final class NativeRows {
  /**
   * A place, as it is told.
   *
   * @param group of the kinds that the agent may count it as; empty without one
   * @param line the index of the frame that a person would mend
   * @param through the code sources of the frames further in
   */
  private record Key(String group, List<String> frames, int line, List<String> through) {
    String own() {
      return frames.get(line);
    }
  }

  private static final String JVM = "libjvm.so";

  /** Classes of the JVM that compile, and hold what that takes until a method is compiled. */
  private static final List<String> COMPILERS =
      List.of("CompileBroker::", "C2Compiler::", "Compile::", "Compilation::");

  /** What the agent takes for itself counts as the JVM's. */
  private static final String AGENT = "dev.offcut.agent.";

  /** Libraries that pass a request on to malloc. */
  private static final Pattern PLUMBING =
      Pattern.compile("(libc|libstdc\\+\\+|libc\\+\\+|libgcc_s|ld-linux.*|ld-musl.*|libm)[.-].*");

  private static final Pattern ALLOCATING =
      Pattern.compile(
          "operator new.*|(std|__gnu_cxx|__cxxabiv1)::.*|(__libc_)?(m|c|re)alloc|posix_memalign"
              + "|aligned_alloc|str(n)?dup|__rust_alloc.*|__rdl_alloc.*|alloc::.*");

  /** A library that a jar brings is unpacked under a name that differs from run to run. */
  static final Pattern RANDOM =
      Pattern.compile(
          "[-_.]?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])|[-_.]?[0-9]{6,}");

  private static final Pattern HIDDEN = Pattern.compile(".*[/.]0x[0-9a-f]+$|.*LambdaForm.*");

  /** As many as stacks of the agent have. */
  private static final int FRAMES = 20;

  private static final int MOST_PLACES = 300;
  private static final int MOST_COUNTED = 100;
  private static final int MOST_TIMES = 100;

  /** So far from Unsafe is the one that takes memory through it. */
  private static final int NEAR = 4;

  /** Who takes memory through Unsafe, by the first letters of classes. */
  private static final Map<String, String> GROUPS =
      Map.of(
          "java.nio.Direct", "buffer.direct",
          "jdk.internal.foreign.", "arena",
          "sun.misc.Unsafe", "unsafe");

  private final NativeTable table;
  private final UnaryOperator<Path> seen;
  private final Map<String, ElfSymbols> symbols = new HashMap<>();

  private final Map<String, Integer> sources = new HashMap<>();

  private final Program program;

  private NativeRows(NativeTable table, UnaryOperator<Path> seen) {
    this.table = table;
    this.seen = seen;
    boolean isPacked =
        table.stacks().stream()
            .flatMap(stack -> stack.frames().stream())
            .map(NativeTable.Frame::source)
            .noneMatch(source -> source.endsWith(".jar") && !source.equals(table.mainSource()));
    program = Program.of(table.mainClass(), table.mainSource(), isPacked);
  }

  /** Frames, which of them is to be mended, and the code sources further in. */
  private record Line(int at, List<String> through) {}

  /** {@code seen}: where this process sees a file of the program, which may be in a container. */
  static NativeCallers of(NativeTable table, UnaryOperator<Path> seen) {
    return new NativeRows(table, seen).callers();
  }

  /** What the samples of a place say together. */
  private static final class Sum {
    private final List<Stack> stacks = new ArrayList<>();

    Place place(Key key) {
      List<Live> live = stacks.stream().flatMap(stack -> stack.live().stream()).toList();
      double bytes = live.stream().mapToDouble(Live::standsFor).sum();
      long untouched = Math.min(sum(Stack::untouched), Math.round(bytes));
      double blocks = live.stream().mapToDouble(one -> one.standsFor() / one.bytes()).sum();
      long taken = sum(Stack::allocatedBytes);
      // Of blocks that were freed the size is not known any more.
      double each = blocks > 0 ? bytes / blocks : (double) taken / sum(Stack::samples);
      List<Freer> freers = stacks.stream().flatMap(stack -> stack.freers().stream()).toList();
      List<Freer> late = freers.stream().filter(Freer::ofCollector).toList();
      List<Freer> inTime = freers.stream().filter(one -> !one.ofCollector()).toList();
      return new Place(
          key.group(),
          key.frames(),
          key.line(),
          key.through(),
          Math.max(Math.round(blocks), Math.round(taken / each)),
          Math.max(taken, Math.round(bytes)),
          Math.round(blocks),
          Math.round(bytes) - untouched,
          live.size(),
          live.stream().mapToDouble(Live::spread).sum(),
          new Ended(
              untouched,
              early(live),
              bytes(late),
              lived(late),
              bytes(inTime) + sum(Stack::elsewhere),
              lived(inTime),
              names(late)));
    }

    private static long bytes(List<Freer> freers) {
      return freers.stream().mapToLong(Freer::bytes).sum();
    }

    /** On average, in milliseconds. */
    private static long lived(List<Freer> freers) {
      double all = freers.stream().mapToDouble(one -> one.bytes() * one.meanMillis()).sum();
      return freers.isEmpty() ? 0 : Math.round(all / bytes(freers));
    }

    private long early(List<Live> live) {
      long first = stacks.stream().mapToLong(Stack::firstMillis).min().orElse(0);
      long last = live.stream().mapToLong(Live::bornMillis).max().orElse(0);
      return Math.round(
          live.stream()
              .filter(one -> 2 * one.bornMillis() < first + last)
              .mapToDouble(Live::standsFor)
              .sum());
    }

    private long sum(ToLongFunction<Stack> figure) {
      return stacks.stream().mapToLong(figure).sum();
    }

    private static List<String> names(List<Freer> freers) {
      return freers.stream()
          .sorted(Comparator.comparingLong(Freer::bytes).reversed())
          .map(one -> one.root() == null ? "" : told(one.root()))
          .filter(name -> !name.isEmpty())
          .distinct()
          .toList();
    }
  }

  private NativeCallers callers() {
    Map<Key, Sum> sums = new LinkedHashMap<>();
    long ofJvm = 0;
    long freed = 0;
    long compiled = 0;
    Map<Integer, Map<String, Double>> linesOfRows = new HashMap<>();
    for (Stack stack : table.stacks()) {
      if (!stack.isMalloc()) {
        continue;
      }
      double bytes = stack.live().stream().mapToDouble(Live::standsFor).sum();
      Key key = key(stack);
      freed += stack.allocatedBytes() - Math.round(bytes);
      if (key == null || key.own().startsWith(AGENT)) {
        compiled += isOfCompiler(stack) ? stack.allocatedBytes() - Math.round(bytes) : 0;
        ofJvm += Math.round(bytes);
        continue;
      }
      sums.computeIfAbsent(key, made -> new Sum()).stacks.add(stack);
      if (stack.row() != 0) {
        linesOfRows
            .computeIfAbsent(stack.row(), made -> new HashMap<>())
            .merge(key.own(), bytes, Double::sum);
      }
    }
    List<Place> places =
        new ArrayList<>(
            sums.entrySet().stream().map(entry -> entry.getValue().place(entry.getKey())).toList());
    places.sort(
        Comparator.comparingLong(Place::bytes).thenComparingLong(Place::takenBytes).reversed());
    List<Place> counted = places.stream().filter(place -> !place.group().isEmpty()).toList();
    places.removeIf(place -> !place.group().isEmpty());
    List<Place> listed = new ArrayList<>(places.stream().limit(MOST_PLACES).toList());
    counted.stream().limit(MOST_COUNTED).forEach(listed::add);
    List<Long> seconds = seconds();
    return new NativeCallers(
        "",
        table.mean(),
        Instant.ofEpochMilli(table.start()),
        Instant.ofEpochMilli(table.start() + table.now()),
        unseen(),
        ofJvm,
        compiled >= freed / 2 ? compiled : 0,
        counted.stream().skip(MOST_COUNTED).mapToLong(Place::bytes).sum(),
        places.stream().skip(MOST_PLACES).mapToLong(Place::bytes).sum(),
        seconds.stream()
            .map(second -> Instant.ofEpochMilli(table.start() + second * 1000))
            .toList(),
        series(linesOfRows, seconds),
        List.copyOf(listed),
        mapped());
  }

  /** Those of which rows have values, no more than a chart needs. */
  private List<Long> seconds() {
    TreeSet<Long> all = new TreeSet<>();
    table.rows().forEach(row -> row.points().forEach(point -> all.add(point.second())));
    int step = Math.max(1, Math.ceilDiv(all.size(), MOST_TIMES));
    List<Long> sorted = List.copyOf(all);
    List<Long> some = new ArrayList<>();
    for (int i = sorted.size() - 1; i >= 0; i -= step) {
      some.addFirst(sorted.get(i));
    }
    return some;
  }

  /** A row of the sampler's is of the line that has most of it. */
  private List<Series> series(Map<Integer, Map<String, Double>> linesOfRows, List<Long> seconds) {
    Map<String, Series> series = new LinkedHashMap<>();
    for (int i = 0; i < table.rows().size(); i++) {
      Map<String, Double> lines = linesOfRows.getOrDefault(i + 1, Map.of());
      String line =
          lines.entrySet().stream()
              .max(Map.Entry.comparingByValue())
              .map(Map.Entry::getKey)
              .orElse(null);
      if (line != null) {
        NativeTable.Row row = table.rows().get(i);
        TreeMap<Long, Long> values = new TreeMap<>();
        row.points().forEach(point -> values.put(point.second(), point.bytes()));
        series.merge(
            line,
            new Series(
                line, row.peak(), seconds.stream().map(second -> at(values, second)).toList()),
            NativeRows::sum);
      }
    }
    return List.copyOf(series.values());
  }

  /** Its last value until then: rows are written one after the other. */
  static long at(NavigableMap<Long, Long> values, long second) {
    Map.Entry<Long, Long> last = values.floorEntry(second);
    return last == null ? 0 : last.getValue();
  }

  private static Series sum(Series one, Series other) {
    return new Series(
        one.line(),
        one.peak() + other.peak(),
        IntStream.range(0, one.bytes().size())
            .mapToObj(i -> one.bytes().get(i) + other.bytes().get(i))
            .toList());
  }

  /** What native libraries mapped: stacks with the same frames are one place. */
  private List<Place> mapped() {
    Map<Integer, List<Region>> byStack =
        table.regions().stream().collect(Collectors.groupingBy(Region::stack));
    Map<Key, List<Region>> byKey = new LinkedHashMap<>();
    for (Stack stack : table.stacks()) {
      Key key = byStack.containsKey(stack.number()) ? key(stack) : null;
      if (key != null) {
        byKey.computeIfAbsent(key, made -> new ArrayList<>()).addAll(byStack.get(stack.number()));
      }
    }
    return byKey.entrySet().stream()
        .map(entry -> mapped(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingLong(Place::bytes).reversed())
        .limit(MOST_PLACES)
        .toList();
  }

  private static Place mapped(Key key, List<Region> regions) {
    long all = regions.stream().mapToLong(Region::bytes).sum();
    long resident = regions.stream().mapToLong(Region::resident).sum();
    return new Place(
        "",
        key.frames(),
        key.line(),
        key.through(),
        regions.size(),
        all,
        regions.size(),
        resident,
        regions.size(),
        0,
        new Ended(all - resident, 0, 0, 0, 0, 0, List.of()));
  }

  private List<String> unseen() {
    NativeTable.Limits its = table.limits();
    List<String> all = new ArrayList<>();
    if (its.unrecorded() > 0) {
      all.add(its.unrecorded() + " samples of malloc had no room, so figures are too low");
    }
    if (its.fullStacks() > 0) {
      all.add(its.fullStacks() + " samples of malloc are told without a stack, which had no room");
    }
    if (its.foreignSlots() > 0) {
      all.add("calls of another allocator than malloc that libraries are linked with");
    }
    return all;
  }

  // Stacks

  /** Null: the memory is the JVM's own. */
  private @Nullable Key key(Stack stack) {
    List<GoLines.Place> go = new ArrayList<>();
    List<String> functions = new ArrayList<>();
    for (Native address : stack.natives()) {
      GoLines.Place place = goPlace(address);
      if (place != null) {
        go.add(place);
      } else if (go.isEmpty()) {
        functions.add(function(address));
      }
    }
    int taker = taker(functions);
    List<NativeTable.Frame> java = stack.frames();
    String taken = taker < 0 ? "?(?)" : functions.get(taker);
    boolean isUnsafe = !java.isEmpty() && java.getFirst().method().endsWith("llocateMemory0");
    if (taker >= 0 && library(taken).equals(JVM) && !isUnsafe) {
      String given =
          functions.stream().filter(name -> name.startsWith("jni_Get")).findFirst().orElse(null);
      JvmCause cause = java.isEmpty() ? null : JvmCause.of(functions, method(java.getFirst()));
      if (given == null && cause == null) {
        return null;
      }
      // The JVM hands it out to a native library, which has to give it back.
      taken = given == null ? Objects.requireNonNull(cause).function(JVM) : given;
    }
    List<String> frames = new ArrayList<>();
    frames.add(taken);
    if (!go.isEmpty()) {
      Line line = addGo(frames, go);
      return new Key("", List.copyOf(frames), line.at(), line.through());
    }
    if (java.isEmpty()) {
      functions.stream().skip(taker + 1L).limit(FRAMES).forEach(frames::add);
      return withHint(frames, stack);
    }
    Line line = addJava(frames, java);
    return new Key(
        isUnsafe ? throughUnsafe(java) : ofJna(java),
        List.copyOf(frames),
        line.at(),
        line.through());
  }

  private boolean isOfCompiler(Stack stack) {
    return stack.frames().isEmpty()
        && stack.natives().stream()
            .map(this::function)
            .anyMatch(name -> COMPILERS.stream().anyMatch(name::startsWith));
  }

  private static String method(NativeTable.Frame frame) {
    return frame.type() + "." + frame.method();
  }

  /** Behind frames of a library's own thread: the Java frames that most likely led to it. */
  private Key withHint(List<String> frames, Stack stack) {
    int number = stack.hint() != 0 ? stack.hint() : stack.creator();
    Line line =
        table.stacks().stream()
            .filter(other -> other.number() == number && !other.frames().isEmpty())
            .findFirst()
            .map(other -> addJava(frames, other.frames()))
            .orElse(new Line(0, List.of()));
    return new Key("", List.copyOf(frames), line.at(), line.through());
  }

  /** The innermost function that takes memory for itself; -1 if there is none at all. */
  private static int taker(List<String> functions) {
    for (int i = 0; i < functions.size(); i++) {
      String function = functions.get(i);
      int end = function.indexOf('(');
      if (!PLUMBING.matcher(library(function)).matches()
          && !ALLOCATING.matcher(function.substring(0, end)).matches()) {
        return i;
      }
    }
    return functions.isEmpty() ? -1 : 0;
  }

  private ElfSymbols symbols(String module) {
    return symbols.computeIfAbsent(module, path -> ElfSymbols.of(seen.apply(Path.of(path))));
  }

  private GoLines.@Nullable Place goPlace(Native address) {
    return address.module().isEmpty() ? null : symbols(address.module()).goAt(address.offset() - 1);
  }

  private String function(Native address) {
    String module = address.module();
    String library = NativeCallers.library(module.substring(module.lastIndexOf('/') + 1));
    if (module.isEmpty()) {
      return "?(?)";
    }
    String name = symbols(module).at(address.offset() - 1); // behind the call
    return (name == null
            ? "?"
            : name.replace("(anonymous)", "<anonymous>").replace('(', '<').replace(')', '>'))
        + "("
        + library
        + ")";
  }

  private static String library(String function) {
    return function.substring(function.lastIndexOf('(') + 1, function.length() - 1);
  }

  /** The group of memory that is taken through Unsafe; empty if that is for the JDK itself. */
  private static String throughUnsafe(List<NativeTable.Frame> java) {
    return java.stream()
        .limit(NEAR)
        .flatMap(
            frame ->
                GROUPS.entrySet().stream()
                    .filter(known -> frame.type().startsWith(known.getKey()))
                    .map(Map.Entry::getValue))
        .findFirst()
        .orElse("");
  }

  /** The group of blocks of JNA's Memory, and of its Native.malloc; empty for others. */
  private static String ofJna(List<NativeTable.Frame> java) {
    String group = "";
    for (NativeTable.Frame frame : java) {
      if (frame.type().equals("com.sun.jna.Memory")
          && (frame.method().equals("malloc") || frame.method().equals("<init>"))) {
        return "jna";
      }
      if (frame.type().equals("com.sun.jna.Native") && frame.method().endsWith("malloc")) {
        group = "malloc.jna";
      }
    }
    return group;
  }

  private Line addJava(List<String> frames, List<NativeTable.Frame> java) {
    CallSiteRule rule = new CallSiteRule(CallSiteRule.NOBODY);
    List<String> told = new ArrayList<>();
    List<String> from = new ArrayList<>();
    boolean isKnown = false;
    for (NativeTable.Frame frame : java) {
      if (HIDDEN.matcher(frame.type()).matches()) {
        continue;
      }
      told.add(told(frame));
      from.add(source(frame) == CallSiteRule.NOBODY ? "" : Program.name(frame.source()));
      isKnown = isKnown || rule.add(source(frame), traits(frame, told.getLast()));
    }
    int line = Math.max(0, rule.line());
    // Of a long way down to the line only the begin is told.
    frames.addAll(told.subList(0, Math.min(line, FRAMES - 2)));
    int at = frames.size();
    frames.add(told.isEmpty() ? "?(?)" : told.get(line));
    told.stream().skip(line + 1L).limit(Math.max(0, FRAMES - frames.size())).forEach(frames::add);
    return new Line(at, told.isEmpty() ? List.of() : through(from, line));
  }

  private Line addGo(List<String> frames, List<GoLines.Place> go) {
    CallSiteRule rule = new CallSiteRule(CallSiteRule.NOBODY);
    boolean isKnown = false;
    for (GoLines.Place place : go) {
      String module = GoLines.module(place);
      isKnown =
          isKnown
              || rule.add(
                  module.isEmpty()
                      ? CallSiteRule.NOBODY
                      : sources.computeIfAbsent(module, made -> sources.size() + 1),
                  module.equals(GoLines.MAIN) ? CallSiteRule.OWN : 0);
    }
    int line = Math.max(0, rule.line());
    go.stream().limit(FRAMES).map(GoLines.Place::toString).forEach(frames::add);
    return new Line(
        Math.min(frames.size() - 1, 1 + line),
        through(go.stream().map(GoLines::module).toList(), line));
  }

  private int source(NativeTable.Frame frame) {
    return frame.source().isEmpty() || frame.type().startsWith("dev.offcut.agent.")
        ? CallSiteRule.NOBODY
        : sources.computeIfAbsent(frame.source(), made -> sources.size() + 1);
  }

  private int traits(NativeTable.Frame frame, String told) {
    return (frame.isNative() ? CallSiteRule.NATIVE : 0)
        | (KnownLibraries.of(told) == null ? 0 : CallSiteRule.LIBRARY)
        | program.traits(frame.type(), frame.source())
        | (frame.method().equals("<init>") ? CallSiteRule.CONSTRUCTOR : 0);
  }

  private static List<String> through(List<String> from, int line) {
    return from.subList(0, line).stream()
        .filter(source -> !source.isEmpty() && !source.equals(from.get(line)))
        .distinct()
        .toList();
  }

  /** As the agent writes frames. */
  private static String told(NativeTable.Frame frame) {
    String file = frame.file().isEmpty() ? "Unknown Source" : frame.file();
    String where =
        frame.isNative() ? "Native Method" : frame.line() > 0 ? file + ':' + frame.line() : file;
    return frame.type() + '.' + frame.method() + '(' + where + ')';
  }
}
