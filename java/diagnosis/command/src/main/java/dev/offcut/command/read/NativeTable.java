package dev.offcut.command.read;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The file of the malloc sampler, as {@code layout.h} lays it out: read while the program writes
 * it, or after it was killed. Each figure is taken by itself; an entry that is not whole is left
 * out.
 *
 * @param start when the sampler began, in ms since 1970
 * @param mean bytes: one sample in so many, on average, by now
 * @param mainClass of the program; null if it is not known
 * @param mainSource where that is from, as a URL; null if it is not known
 * @param stacks those with a block that was sampled
 * @param regions what native libraries mapped, by the number of the stack
 * @param rows the largest lines over time
 * @param limits what the sampler could not see
 */
record NativeTable(
    long pid,
    long start,
    long now,
    long mean,
    @Nullable String mainClass,
    @Nullable String mainSource,
    List<Stack> stacks,
    List<Region> regions,
    List<Row> rows,
    Limits limits) {
  private static final long MAGIC =
      ByteBuffer.wrap("OFFCUTM1".getBytes(StandardCharsets.US_ASCII))
          .order(ByteOrder.LITTLE_ENDIAN)
          .getLong();

  // The header, and where a section's description has what.
  private static final int START_AT = 16;
  private static final int PID_AT = 24;
  private static final int MEAN_AT = 32;
  private static final int SECTIONS_AT = 40;
  private static final int SECTION = 24;
  private static final int SECTIONS = 9;
  private static final int MAIN_AT = SECTIONS_AT + SECTIONS * SECTION;
  private static final int FIGURES_AT = MAIN_AT + 8;

  // A stack.
  private static final int COUNTS_AT = 12;
  private static final int KIND_AT = 18;
  private static final int MALLOC = 0;
  private static final int MOST_TEXT = 1001;
  private static final int CREATOR_AT = 36;
  private static final int HINT_AT = 40;
  private static final int ROW_AT = 44;
  private static final int FIRST_AT = 48;
  private static final int LIVE_AT = 56;
  private static final int FREERS_AT = 88;
  private static final int FREER = 24;
  private static final int FREERS = 4;
  private static final int UNTOUCHED_AT = FREERS_AT + FREERS * FREER;
  private static final int STACK = UNTOUCHED_AT + 8;

  // A row: seconds, then minutes.
  private static final int PEAK_AT = 16;
  private static final int ROW = 24;
  private static final int SECONDS = 600;
  private static final int MINUTES = 1440;
  private static final int MINUTE = 60;
  private static final int NO_FRAME = -1;

  // Sections.
  private static final int SAMPLES = 0;
  private static final int STACKS = 1;
  private static final int ARENA = 2;
  private static final int FRAMES = 3;
  private static final int CLASSES = 4;
  private static final int REGIONS = 5;
  private static final int MODULES = 6;
  private static final int ROOTS = 7;
  private static final int ROWS = 8;

  /**
   * A place in a Java method.
   *
   * @param source where the class is from; empty: the JDK
   * @param line -1 if it is not known
   */
  record Frame(
      String type, String method, String file, int line, String source, boolean isNative) {}

  /** An address in a program or a library: its path, and the address in the file. */
  record Native(String module, long offset) {}

  /** Who freed: the outermost method of the thread, or null; bytes, and how long they lived. */
  record Freer(@Nullable Frame root, boolean ofCollector, long bytes, double meanMillis) {}

  /**
   * A stack, and what was taken by it. All bytes but those of live blocks are estimates.
   *
   * @param isMalloc false: it mapped memory, or started a thread
   * @param creator the number of the stack that started the thread; 0: not known
   * @param hint the number of the last stack with Java frames that was seen in the same library
   * @param row one more than the index of its {@link Row}; 0: none
   * @param firstMillis when the stack was seen first, since the start
   * @param untouched of the live bytes, those in no page of memory
   * @param elsewhere bytes that a thread without Java frames freed
   * @param live sizes of live blocks that were sampled, each with the mean by which it was
   */
  record Stack(
      int number,
      boolean isMalloc,
      int creator,
      int hint,
      int row,
      long firstMillis,
      long untouched,
      long allocatedBytes,
      long samples,
      long elsewhere,
      List<Freer> freers,
      List<Native> natives,
      List<Frame> frames,
      List<Live> live) {}

  /**
   * A block that is live and was sampled. It was with the probability 1 - e^(-bytes/mean), or
   * surely, from the mean on.
   */
  record Live(long bytes, long mean, long bornMillis) {
    private double probability() {
      return bytes >= mean ? 1 : -Math.expm1(-(double) bytes / mean);
    }

    double standsFor() {
      return bytes / probability();
    }

    double spread() {
      double p = probability();
      return (1 - p) * bytes * bytes / (p * p);
    }
  }

  /** Live bytes of one line at some seconds since the start, and the most of them at any time. */
  record Row(List<Point> points, long peak) {}

  /** Memory that a native library mapped: all of it, and what is resident. */
  record Region(int stack, long bytes, long resident) {}

  record Point(long second, long bytes) {}

  /** What was not seen, in samples. */
  record Limits(long unrecorded, long fullStacks, long foreignSlots) {}

  /** Reads it. Fails with a sentence if it is no such file, or damaged. */
  static NativeTable read(Path file) throws Failure {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      Blocks bytes = new Blocks(channel);
      if (channel.size() < FIGURES_AT || bytes.getLong(0) != MAGIC) {
        throw Failure.unreadable(
            file + " is no table of native memory that this version of offcut reads");
      }
      return new Reader(bytes).table();
    } catch (UncheckedIOException e) {
      throw Recordings.cannotRead(file, Objects.requireNonNull(e.getCause()));
    } catch (IOException e) {
      throw Recordings.cannotRead(file, e);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw Failure.unreadable("cannot read " + file + ": it is damaged (" + e + ")");
    }
  }

  /**
   * The parts of the file that are asked for. It is read and not mapped: a hole that is touched
   * would take memory where the file is in memory.
   */
  private static final class Blocks {
    private static final int BYTES = 1 << 16;

    private final FileChannel file;
    private final Map<Long, ByteBuffer> blocks = new HashMap<>();

    Blocks(FileChannel file) {
      this.file = file;
    }

    private ByteBuffer block(long at) {
      return blocks.computeIfAbsent(at / BYTES, this::readBlock);
    }

    private ByteBuffer readBlock(long number) {
      ByteBuffer block = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
      try {
        while (block.hasRemaining() && file.read(block, number * BYTES + block.position()) >= 0) {}
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return block.flip();
    }

    byte getByte(long at) {
      return block(at).get((int) (at % BYTES));
    }

    short getShort(long at) {
      return block(at).getShort((int) (at % BYTES));
    }

    int getInt(long at) {
      return block(at).getInt((int) (at % BYTES));
    }

    long getLong(long at) {
      return block(at).getLong((int) (at % BYTES));
    }

    /** Up to a zero byte, or to so many bytes. */
    String text(long at, int most) {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      for (int i = 0; i < most && getByte(at + i) != 0; i++) {
        text.write(getByte(at + i));
      }
      return text.toString(StandardCharsets.UTF_8);
    }
  }

  private static final class Reader {
    private final Blocks bytes;
    private final Map<Integer, @Nullable Frame> frames = new HashMap<>();
    private final List<Module> modules = new ArrayList<>();

    private record Module(long begin, long end, long bias, String path) {}

    Reader(Blocks bytes) {
      this.bytes = bytes;
    }

    private long offset(int section) {
      return bytes.getLong(SECTIONS_AT + section * (long) SECTION);
    }

    private long capacity(int section) {
      return bytes.getLong(SECTIONS_AT + section * (long) SECTION + 8);
    }

    private long entry(int section, long index) {
      if (index < 0 || index >= capacity(section)) {
        throw new IndexOutOfBoundsException(section + " has no entry " + index);
      }
      int size = bytes.getInt(SECTIONS_AT + section * (long) SECTION + 16);
      return offset(section) + index * size;
    }

    private int count(int section) {
      int count = bytes.getInt(SECTIONS_AT + section * (long) SECTION + 20);
      return (int) Math.min(count, capacity(section));
    }

    private String text(int at) {
      return at == 0 ? "" : bytes.text(offset(ARENA) + Integer.toUnsignedLong(at), MOST_TEXT);
    }

    private static @Nullable String orNull(String text) {
      return text.isEmpty() ? null : text;
    }

    NativeTable table() {
      for (int i = 0; i < count(MODULES); i++) {
        long at = entry(MODULES, i);
        modules.add(
            new Module(
                bytes.getLong(at),
                bytes.getLong(at + 8),
                bytes.getLong(at + 16),
                text(bytes.getInt(at + 24))));
      }
      long first = bytes.getLong(MEAN_AT);
      Map<Integer, List<Live>> live = live(first);
      List<Stack> stacks = new ArrayList<>();
      for (int i = 1; i < count(STACKS); i++) {
        long place = bytes.getLong(entry(STACKS, i));
        if (place != 0) {
          stacks.add(stack(i, offset(ARENA) + place, live.getOrDefault(i, List.of())));
        }
      }
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < count(ROWS); i++) {
        rows.add(row(entry(ROWS, i)));
      }
      List<Region> regions = new ArrayList<>();
      for (int i = 0; i < count(REGIONS); i++) {
        long at = entry(REGIONS, i);
        if (bytes.getLong(at) != 0) {
          regions.add(
              new Region(bytes.getInt(at + 20), bytes.getLong(at + 8), bytes.getLong(at + 24)));
        }
      }
      long at = FIGURES_AT;
      int shift = bytes.getInt(at);
      return new NativeTable(
          Integer.toUnsignedLong(bytes.getInt(PID_AT)),
          bytes.getLong(START_AT),
          bytes.getLong(at + 8),
          first << shift,
          orNull(text(bytes.getInt(MAIN_AT))),
          orNull(text(bytes.getInt(MAIN_AT + 4))),
          stacks,
          regions,
          rows,
          new Limits(bytes.getLong(at + 24), bytes.getLong(at + 40), bytes.getLong(at + 72)));
    }

    private Map<Integer, List<Live>> live(long first) {
      Map<Integer, List<Live>> live = new HashMap<>();
      for (long i = 0; i < capacity(SAMPLES); i++) {
        long at = entry(SAMPLES, i);
        if (Long.compareUnsigned(bytes.getLong(at), 1) > 0) {
          long size = bytes.getLong(at + 8);
          live.computeIfAbsent(bytes.getInt(at + 20), made -> new ArrayList<>())
              .add(
                  new Live(
                      size & (1L << 56) - 1,
                      first << (size >>> 56),
                      Integer.toUnsignedLong(bytes.getInt(at + 16))));
        }
      }
      return live;
    }

    private Stack stack(int number, long at, List<Live> live) {
      int natives = Short.toUnsignedInt(bytes.getShort(at + COUNTS_AT));
      int javas = Short.toUnsignedInt(bytes.getShort(at + COUNTS_AT + 2));
      List<Native> addresses = new ArrayList<>();
      for (int i = 0; i < natives; i++) {
        addresses.add(module(bytes.getLong(at + STACK + i * 8L)));
      }
      List<Frame> known = new ArrayList<>();
      for (int i = 0; i < javas; i++) {
        Frame frame = frame(bytes.getInt(at + STACK + natives * 8L + i * 4L));
        if (frame != null) {
          known.add(frame);
        }
      }
      List<Freer> freers = new ArrayList<>();
      for (int i = 0; i < FREERS; i++) {
        long freer = at + FREERS_AT + (long) i * FREER;
        int root = bytes.getInt(freer);
        long freed = bytes.getLong(freer + 8);
        if (root != 0 && freed > 0) {
          long its = entry(ROOTS, root - 1L);
          freers.add(
              new Freer(
                  frame(bytes.getInt(its + 8)),
                  bytes.getInt(its + 12) == 1,
                  freed,
                  (double) bytes.getLong(freer + 16) / freed));
        }
      }
      return new Stack(
          number,
          bytes.getByte(at + KIND_AT) == MALLOC,
          bytes.getInt(at + CREATOR_AT),
          bytes.getInt(at + HINT_AT),
          bytes.getInt(at + ROW_AT),
          Integer.toUnsignedLong(bytes.getInt(at + FIRST_AT)),
          bytes.getLong(at + UNTOUCHED_AT),
          bytes.getLong(at + LIVE_AT + 8),
          bytes.getLong(at + LIVE_AT + 16),
          bytes.getLong(at + LIVE_AT + 24),
          freers,
          addresses,
          known,
          live);
    }

    private Native module(long address) {
      for (Module module : modules) {
        if (address >= module.begin && address < module.end) {
          return new Native(module.path, address - module.bias);
        }
      }
      return new Native("", address);
    }

    /** Null if it was not named yet. */
    private @Nullable Frame frame(int number) {
      return number == NO_FRAME
          ? null
          : frames.computeIfAbsent(number, one -> readFrame(entry(FRAMES, one)));
    }

    private @Nullable Frame readFrame(long at) {
      int type = bytes.getInt(at + 16);
      if (type == 0) {
        return null;
      }
      long its = entry(CLASSES, type);
      return new Frame(
          text(bytes.getInt(its)),
          text(bytes.getInt(at + 20)),
          text(bytes.getInt(its + 4)),
          bytes.getInt(at + 12),
          text(bytes.getInt(its + 8)),
          bytes.getInt(at + 8) < 0);
    }

    /** One value a minute, and one a second for the last ten minutes. */
    private Row row(long at) {
      long first = Integer.toUnsignedLong(bytes.getInt(at + 4));
      int seconds = bytes.getInt(at + 8);
      int minutes = bytes.getInt(at + 12);
      int firstOfSeconds = Math.max(0, seconds - SECONDS);
      List<Point> points = new ArrayList<>();
      for (int i = Math.max(0, minutes - MINUTES); (i + 1) * MINUTE <= firstOfSeconds; i++) {
        points.add(point(first + (i + 1L) * MINUTE - 1, at + ROW + (SECONDS + i % MINUTES) * 4L));
      }
      for (int i = firstOfSeconds; i < seconds; i++) {
        points.add(point(first + i, at + ROW + i % SECONDS * 4L));
      }
      return new Row(points, 1024L * Integer.toUnsignedLong(bytes.getInt(at + PEAK_AT)));
    }

    private Point point(long second, long at) {
      return new Point(second, 1024L * Integer.toUnsignedLong(bytes.getInt(at)));
    }
  }
}
