package dev.offcut.command.read;

import dev.offcut.command.read.NativeCallers.Place;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * The recording that async-profiler makes of malloc and free. It samples one block for each
 * interval of bytes that malloc hands out, and records every call of free, since it does not know
 * which blocks it sampled.
 *
 * <p>The file is read twice: first the samples, then the calls of free. A free belongs to the last
 * sample of its address before it, so that no call has to be kept, and the order in the file does
 * not matter. A sample is held if there is no free, and no later sample of its address, since
 * malloc does not hand out an address twice.
 *
 * <p>A sample of size s stands for max(s, interval) bytes, and so for max(1, interval / s) blocks.
 */
public final class MallocRecording {
  /** Whose memory a block is. */
  private enum Owner {
    NATIVE,
    JVM,
    PROFILER
  }

  /**
   * A stack, as it is told.
   *
   * @param group of the kinds that the agent may count it as; empty without one
   * @param frames empty if the memory is the JVM's or the profiler's own
   */
  private record Stack(Owner owner, String group, List<String> frames) {
    Stack(Owner owner) {
      this(owner, "", List.of());
    }
  }

  private static final String MALLOC = "profiler.Malloc";
  private static final String FREE = "profiler.Free";
  private static final Set<String> NATIVE_TYPES = Set.of("Native", "C++", "Kernel");

  private static final String PROFILER = "libasyncProfiler.so";
  private static final String JVM = "libjvm.so";

  /** Libraries that pass a request on to malloc. */
  private static final Pattern PLUMBING =
      Pattern.compile("(libc|libstdc\\+\\+|libc\\+\\+|libgcc_s|ld-linux.*|libm)[.-].*");

  private static final Pattern ALLOCATING =
      Pattern.compile(
          "operator new.*|_Zn[wa].*|(std|__gnu_cxx|__cxxabiv1)::.*|(__libc_)?(m|c|re)alloc"
              + "|posix_memalign|aligned_alloc|str(n)?dup|os::(m|re)alloc");

  /** A library that a jar brings is unpacked under a name that differs from run to run. */
  private static final Pattern RANDOM =
      Pattern.compile(
          "[-_.]?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])|[-_.]?[0-9]{6,}");

  private static final Pattern HIDDEN = Pattern.compile(".*[/.]0x[0-9a-f]+$|.*LambdaForm.*");

  /** How the agent's own stacks are. */
  private static final int FRAMES = 20;

  private static final int MOST_FRAMES = 256;
  private static final int MOST_PLACES = 300;
  private static final int MOST_COUNTED = 100;

  /** So far from Unsafe is the one that takes memory through it. */
  private static final int NEAR = 4;

  private static final Pattern UNSAFE = Pattern.compile("Unsafe_.*llocateMemory.*");

  /** Who takes memory through Unsafe, by the first letters of classes. */
  private static final Map<String, String> GROUPS =
      Map.of(
          "java.nio.Direct", "buffer.direct",
          "jdk.internal.foreign.", "arena",
          "sun.misc.Unsafe", "unsafe");

  private static final int MOST_TIMES = 60;
  private static final long SECOND = 1_000_000_000L;
  private static final long NEVER = Long.MAX_VALUE;

  /** glibc's: a word before each block, sizes in steps of two words, and four words at least. */
  private static final int WORD = 8;

  private static final int SMALLEST = 32;

  private final Path file;
  private final long interval;

  private final IdentityHashMap<RecordedStackTrace, Integer> known = new IdentityHashMap<>();
  private final Map<Stack, Integer> numbers = new HashMap<>();
  private final List<Stack> stacks = new ArrayList<>();

  private int count;
  private long[] times = new long[1024];
  private long[] addresses = new long[1024];
  private long[] sizes = new long[1024];
  private int[] stackOf = new int[1024];

  /** When each block was freed, or handed out again. */
  private long[] ends = {};

  private long began = NEVER;
  private long ended = Long.MIN_VALUE;
  private double missed;

  private MallocRecording(Path file, long interval) {
    this.file = file;
    this.interval = interval;
  }

  /**
   * Reads one. {@code interval}: what the profiler was told. {@code stopped}: whether it was
   * stopped before its program ended.
   */
  public static NativeCallers read(Path file, long interval, boolean stopped) throws Failure {
    Recordings.check(file);
    try {
      MallocRecording recording = new MallocRecording(file, interval);
      recording.readSamples();
      recording.sort();
      recording.readFrees();
      return recording.callers(stopped);
    } catch (IOException e) {
      throw Recordings.cannotRead(file, e);
    } catch (RuntimeException | VirtualMachineError e) {
      throw Failure.unreadable("cannot read " + file + ": it is damaged (" + e + ")");
    }
  }

  private static long nanos(RecordedEvent event) {
    Instant time = event.getStartTime();
    return time.getEpochSecond() * SECOND + time.getNano();
  }

  private static Instant instant(long nanos) {
    return Instant.ofEpochSecond(Math.floorDiv(nanos, SECOND), Math.floorMod(nanos, SECOND));
  }

  private void readSamples() throws IOException {
    try (RecordingFile events = new RecordingFile(file)) {
      while (events.hasMoreEvents()) {
        RecordedEvent event = events.readEvent();
        String name = event.getEventType().getName();
        if (name.equals(FREE)) {
          continue;
        }
        if (name.startsWith("profiler.") || name.equals("jdk.CPULoad")) {
          long time = nanos(event);
          began = Math.min(began, time);
          ended = Math.max(ended, time);
          if (name.equals(MALLOC)) {
            add(time, event.getLong("address"), event.getLong("size"), event.getStackTrace());
          }
        }
      }
    }
  }

  private void add(long time, long address, long size, @Nullable RecordedStackTrace stack) {
    if (count == times.length) {
      int more = count * 2;
      times = Arrays.copyOf(times, more);
      addresses = Arrays.copyOf(addresses, more);
      sizes = Arrays.copyOf(sizes, more);
      stackOf = Arrays.copyOf(stackOf, more);
    }
    times[count] = time;
    addresses[count] = address;
    sizes[count] = size;
    stackOf[count++] = number(stack);
  }

  private int number(@Nullable RecordedStackTrace trace) {
    Integer seen = trace == null ? null : known.get(trace);
    if (seen != null) {
      return seen;
    }
    Stack stack = stack(trace == null ? List.of() : trace.getFrames());
    int number =
        numbers.computeIfAbsent(
            stack,
            added -> {
              stacks.add(added);
              return stacks.size() - 1;
            });
    if (trace != null) {
      known.put(trace, number);
    }
    return number;
  }

  /** By address, then by time. */
  private void sort() {
    int[] order =
        IntStream.range(0, count)
            .boxed()
            .sorted(
                Comparator.comparingLong((Integer i) -> addresses[i])
                    .thenComparingLong(i -> times[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    times = Arrays.stream(order).mapToLong(i -> times[i]).toArray();
    addresses = Arrays.stream(order).mapToLong(i -> addresses[i]).toArray();
    sizes = Arrays.stream(order).mapToLong(i -> sizes[i]).toArray();
    stackOf = Arrays.stream(order).map(i -> stackOf[i]).toArray();
    ends = new long[count];
    Arrays.fill(ends, NEVER);
  }

  private void readFrees() throws IOException {
    try (RecordingFile events = new RecordingFile(file)) {
      while (events.hasMoreEvents()) {
        RecordedEvent event = events.readEvent();
        if (event.getEventType().getName().equals(FREE)) {
          free(event.getLong("address"), event);
        }
      }
    }
    long again = 0;
    long unseen = 0;
    for (int i = 0; i + 1 < count; i++) {
      if (addresses[i] == addresses[i + 1]) {
        again++;
        unseen += ends[i] == NEVER ? 1 : 0;
        ends[i] = Math.min(ends[i], times[i + 1]);
      }
    }
    missed = again == 0 ? 0 : (double) unseen / again;
  }

  private void free(long address, RecordedEvent event) {
    int at = Arrays.binarySearch(addresses, address);
    if (at < 0) {
      return;
    }
    long time = nanos(event);
    while (at + 1 < count && addresses[at + 1] == address && times[at + 1] < time) {
      at++;
    }
    while (at >= 0 && addresses[at] == address && times[at] >= time) {
      at--;
    }
    if (at >= 0 && addresses[at] == address) {
      ends[at] = Math.min(ends[at], time);
    }
  }

  private long weight(int sample) {
    return Math.max(sizes[sample], interval);
  }

  private double blocks(int sample) {
    return sizes[sample] == 0 ? 1 : Math.max(1, (double) interval / sizes[sample]);
  }

  /** What malloc uses for as many blocks as a sample stands for. */
  private double used(int sample) {
    long chunk = Math.ceilDiv(sizes[sample] + WORD, 2 * WORD) * 2 * WORD;
    return blocks(sample) * Math.max(SMALLEST, chunk);
  }

  /** The variance of what a sample stands for. */
  private double spread(int sample) {
    double share = Math.min(1, (double) sizes[sample] / Math.max(1, interval));
    return (double) weight(sample) * weight(sample) * (1 - share);
  }

  /** What the samples of a stack say together. */
  private final class Sum {
    private double taken;
    private long takenBytes;
    private double open;
    private long bytes;
    private double used;
    private long samples;
    private double spread;
    private final long[] changes;

    Sum(int moments) {
      changes = new long[moments + 1];
    }

    void add(int sample, long[] moments) {
      taken += blocks(sample);
      takenBytes += weight(sample);
      changes[index(moments, times[sample])] += weight(sample);
      if (ends[sample] == NEVER) {
        open += blocks(sample);
        bytes += weight(sample);
        used += MallocRecording.this.used(sample);
        samples++;
        spread += spread(sample);
      } else {
        changes[index(moments, ends[sample])] -= weight(sample);
      }
    }

    /** The first of the moments that is not before a time. */
    private static int index(long[] moments, long time) {
      int at = Arrays.binarySearch(moments, time);
      return at < 0 ? -at - 1 : at;
    }

    Place place(Stack stack) {
      List<Long> series = new ArrayList<>();
      long sum = 0;
      for (int i = 0; i + 1 < changes.length; i++) {
        sum += changes[i];
        series.add(sum);
      }
      return new Place(
          stack.group(),
          stack.frames(),
          Math.round(taken),
          takenBytes,
          Math.round(open),
          bytes,
          Math.round(used),
          samples,
          spread,
          series);
    }
  }

  private long[] moments() {
    int number = Math.clamp((ended - began) / SECOND, 1, MOST_TIMES);
    long[] moments = new long[number];
    for (int i = 0; i < number; i++) {
      moments[i] = ended - (ended - began) / number * (number - 1 - i);
    }
    return moments;
  }

  private NativeCallers callers(boolean stopped) {
    if (count == 0) {
      return NativeCallers.none(
          "the profiler saw no call of malloc; its JVM may use another allocator.");
    }
    long[] moments = moments();
    Sum[] sums = new Sum[stacks.size()];
    for (int sample = 0; sample < count; sample++) {
      int stack = stackOf[sample];
      if (sums[stack] == null) {
        sums[stack] = new Sum(moments.length);
      }
      sums[stack].add(sample, moments);
    }
    double held = 0;
    Map<Owner, Long> ofOwner = new EnumMap<>(Owner.class);
    double taken = 0;
    long takenBytes = 0;
    double open = 0;
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < sums.length; i++) {
      held += sums[i].used;
      ofOwner.merge(stacks.get(i).owner(), sums[i].bytes, Long::sum);
      if (stacks.get(i).owner() == Owner.NATIVE) {
        taken += sums[i].taken;
        takenBytes += sums[i].takenBytes;
        open += sums[i].open;
        places.add(sums[i].place(stacks.get(i)));
      }
    }
    places.sort(
        Comparator.comparingLong(Place::bytes).thenComparingLong(Place::takenBytes).reversed());
    List<Place> counted = places.stream().filter(place -> !place.group().isEmpty()).toList();
    places.removeIf(place -> !place.group().isEmpty());
    List<Place> listed = new ArrayList<>(places.stream().limit(MOST_PLACES).toList());
    counted.stream().limit(MOST_COUNTED).forEach(listed::add);
    return new NativeCallers(
        "",
        interval,
        instant(began),
        instant(ended),
        stopped,
        missed,
        Math.round(held),
        ofOwner.getOrDefault(Owner.JVM, 0L),
        ofOwner.getOrDefault(Owner.PROFILER, 0L),
        counted.stream().skip(MOST_COUNTED).mapToLong(Place::bytes).sum(),
        Math.round(taken),
        takenBytes,
        Math.round(open),
        places.stream().skip(MOST_PLACES).mapToLong(Place::bytes).sum(),
        Arrays.stream(moments).mapToObj(MallocRecording::instant).toList(),
        List.copyOf(listed));
  }

  // Stacks

  private static boolean isNative(RecordedFrame frame) {
    return NATIVE_TYPES.contains(frame.getType()) || !frame.isJavaFrame();
  }

  /** The library of a native frame, or the class of another. */
  private static String type(RecordedFrame frame) {
    return frame.getMethod().getType() == null ? "" : frame.getMethod().getType().getName();
  }

  private static Stack stack(List<RecordedFrame> all) {
    List<RecordedFrame> natives = new ArrayList<>();
    List<RecordedFrame> java = new ArrayList<>();
    for (RecordedFrame frame : all) {
      // Of a frame without a symbol the library alone is known, and stands for its name.
      (isNative(frame) ? natives : java).add(frame);
    }
    if (!natives.isEmpty() && type(natives.getFirst()).equals(PROFILER)) {
      natives.removeFirst(); // its hook
    }
    if (natives.stream().anyMatch(frame -> type(frame).equals(PROFILER))) {
      return new Stack(Owner.PROFILER);
    }
    RecordedFrame taker = taker(natives);
    boolean isUnsafe = false;
    if (taker != null && type(taker).equals(JVM)) {
      isUnsafe =
          natives.stream().anyMatch(frame -> UNSAFE.matcher(name(frame)).matches())
              || java.stream().limit(1).anyMatch(frame -> name(frame).endsWith("llocateMemory0"));
      RecordedFrame outside = isUnsafe ? taker : given(natives);
      if (outside == null) {
        return new Stack(Owner.JVM);
      }
      taker = outside;
    }
    List<String> frames = new ArrayList<>();
    frames.add(taker == null ? "?(?)" : told(taker));
    if (java.isEmpty()) {
      natives.stream()
          .skip(taker == null ? 0 : natives.indexOf(taker) + 1)
          .limit(FRAMES)
          .forEach(frame -> frames.add(told(frame)));
    } else {
      addJava(frames, java);
    }
    return new Stack(
        Owner.NATIVE, isUnsafe ? throughUnsafe(java) : ofJna(java), List.copyOf(frames));
  }

  /** The innermost function that takes memory for itself. */
  private static @Nullable RecordedFrame taker(List<RecordedFrame> natives) {
    return natives.stream()
        .filter(
            frame ->
                !PLUMBING.matcher(type(frame)).matches()
                    && !ALLOCATING.matcher(name(frame)).matches())
        .findFirst()
        .orElse(natives.isEmpty() ? null : natives.getFirst());
  }

  private static String name(RecordedFrame frame) {
    return frame.getMethod().getName();
  }

  /** The group of memory that is taken through Unsafe; empty if that is for the JDK itself. */
  private static String throughUnsafe(List<RecordedFrame> java) {
    return java.stream()
        .limit(NEAR)
        .flatMap(
            frame ->
                GROUPS.entrySet().stream()
                    .filter(known -> type(frame).startsWith(known.getKey()))
                    .map(Map.Entry::getValue))
        .findFirst()
        .orElse("");
  }

  /** What the JVM hands out to a native library, which has to give it back; null without one. */
  private static @Nullable RecordedFrame given(List<RecordedFrame> natives) {
    return natives.stream()
        .filter(frame -> name(frame).startsWith("jni_Get"))
        .findFirst()
        .orElse(null);
  }

  /** The group of blocks of JNA's Memory, and of its Native.malloc; empty for others. */
  private static String ofJna(List<RecordedFrame> java) {
    String group = "";
    for (RecordedFrame frame : java) {
      if (type(frame).equals("com.sun.jna.Memory")
          && (name(frame).equals("malloc") || name(frame).equals("<init>"))) {
        return "jna";
      }
      if (type(frame).equals("com.sun.jna.Native") && name(frame).endsWith("malloc")) {
        group = "malloc.jna";
      }
    }
    return group;
  }

  private static void addJava(List<String> frames, List<RecordedFrame> java) {
    boolean isOwn = false;
    for (RecordedFrame frame : java) {
      if (frames.size() >= (isOwn ? FRAMES : MOST_FRAMES)) {
        return;
      }
      if (!HIDDEN.matcher(type(frame)).matches()) {
        String told = told(frame);
        isOwn |= KnownLibraries.of(told) == null;
        frames.add(told);
      }
    }
  }

  /** As the agent writes frames; of a native one the library stands where the file does. */
  private static String told(RecordedFrame frame) {
    String type = type(frame);
    String name = name(frame);
    if (isNative(frame)) {
      return type.isEmpty()
          ? "?(" + library(name) + ")" // without a symbol, the name is the library
          : name + "(" + library(type) + ")";
    }
    int line = frame.getLineNumber();
    return type + '.' + name + '(' + (line > 0 ? source(type) + ':' + line : "Native Method") + ')';
  }

  private static String library(String path) {
    return RANDOM.matcher(path.substring(path.lastIndexOf('/') + 1)).replaceAll("");
  }

  /** The profiler does not tell: the outermost class has most likely a file of its name. */
  private static String source(String type) {
    String name = type.substring(type.lastIndexOf('.') + 1);
    int inner = name.indexOf('$', 1);
    String outer = inner < 0 ? name : name.substring(0, inner);
    return outer.endsWith("Kt") ? outer.substring(0, outer.length() - 2) + ".kt" : outer + ".java";
  }
}
