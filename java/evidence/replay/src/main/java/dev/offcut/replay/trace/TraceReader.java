package dev.offcut.replay.trace;

import dev.offcut.replay.space.Space.ArenaKind;
import dev.offcut.replay.trace.Op.ClassMemory;
import dev.offcut.replay.trace.Op.Range;
import dev.offcut.replay.trace.Trace.BadTraceException;
import dev.offcut.replay.trace.Trace.ClassSpace;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a trace whole. What is wrong with it is found here, with its line, and not by the replay:
 * an arena is opened once, used while it is open, and sizes are possible.
 */
public final class TraceReader {
  /** The bounds are far from what there is, and keep sums within a long. */
  private static final int MAX_ARENA = 9_999_999;

  private static final long MAX_WORDS = 1L << 31;
  private static final int MAX_BLOCKS = 1_000_000;
  private static final long MAX_TIMES = 1_000_000_000;
  private static final int MAX_MARKS = 32;
  private static final String UNTIL_FULL = "until_full";

  private final String name;
  private final List<Op> ops = new ArrayList<>();
  private final BitSet opened = new BitSet();
  private final BitSet open = new BitSet();
  private int marks;

  private TraceReader(String name) {
    this.name = name;
  }

  /** The trace in a file. */
  public static Trace read(Path file) throws BadTraceException {
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      return read(file.toString(), lines);
    } catch (NoSuchFileException e) {
      throw new BadTraceException(file + ": no such trace", e);
    } catch (CharacterCodingException e) {
      throw new BadTraceException(file + ": not a trace, for it is not text in UTF-8", e);
    } catch (IOException e) {
      String reason = Files.isDirectory(file) ? "is a directory, not a trace" : e.getMessage();
      throw new BadTraceException(file + ": " + reason, e);
    }
  }

  /** The trace in lines of text; {@code name} is what messages begin with. */
  public static Trace read(String name, BufferedReader lines)
      throws BadTraceException, IOException {
    return new TraceReader(name).read(lines);
  }

  private Trace read(BufferedReader lines) throws BadTraceException, IOException {
    String first = lines.readLine();
    if (first == null) {
      throw new BadTraceException(
          name + ": empty; a trace begins with a line that names its schema");
    }
    JsonLine header = JsonLine.parse(where(1), first);
    Trace trace = header(header);
    int number = 2;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (!line.isBlank()) {
        ops.add(op(number, JsonLine.parse(where(number), line)));
      }
      number++;
    }
    return new Trace(trace.name(), trace.classSpaceBytes(), trace.estimate(), List.copyOf(ops));
  }

  private String where(int line) {
    return name + ", line " + line;
  }

  // ---- The header

  private static Trace header(JsonLine line) throws BadTraceException {
    String schema = line.string("schema");
    if (!schema.equals(Trace.SCHEMA)) {
      throw line.bad("schema is " + schema + "; this version reads " + Trace.SCHEMA);
    }
    line.allow("schema", "name", "class_space_bytes", "estimate");
    long bytes = line.number("class_space_bytes", ClassSpace.LEAST_BYTES, ClassSpace.MOST_BYTES);
    if (bytes % ClassSpace.UNIT_BYTES != 0) {
      throw line.bad("class_space_bytes is " + bytes + ", but must be a multiple of 65536");
    }
    return new Trace(line.string("name"), bytes, estimate(line.object("estimate")), List.of());
  }

  private static Trace.@Nullable Estimate estimate(@Nullable JsonLine line)
      throws BadTraceException {
    if (line == null) {
      return null;
    }
    line.allow("classes", "without_file", "estimated_bytes", "measured_bytes");
    return new Trace.Estimate(
        line.number("classes", 0, Long.MAX_VALUE),
        line.number("without_file", 0, Long.MAX_VALUE),
        line.number("estimated_bytes", 0, Long.MAX_VALUE),
        line.number("measured_bytes", 0, Long.MAX_VALUE));
  }

  // ---- The rest

  private Op op(int number, JsonLine line) throws BadTraceException {
    String op = line.string("op");
    return switch (op) {
      case "open" -> open(number, line);
      case "allocate" -> allocate(number, line);
      case "close" -> close(number, line);
      case "purge" -> {
        line.allow("op");
        yield new Op.Purge(number);
      }
      case "mark" -> mark(number, line);
      default ->
          throw line.bad("unknown op " + op + " (known: open, allocate, close, purge, mark)");
    };
  }

  private Op open(int number, JsonLine line) throws BadTraceException {
    line.allow("op", "arena", "arenas", "kind");
    Range arenas = arenas(line);
    int again = opened.nextSetBit(arenas.first());
    if (again >= 0 && again <= arenas.last()) {
      throw line.bad("arena " + again + " was opened before; each has a number of its own");
    }
    opened.set(arenas.first(), arenas.last() + 1);
    open.set(arenas.first(), arenas.last() + 1);
    return new Op.Open(number, arenas, kind(line));
  }

  private static ArenaKind kind(JsonLine line) throws BadTraceException {
    String text = line.string("kind");
    for (ArenaKind kind : ArenaKind.values()) {
      if (kind.label().equals(text)) {
        return kind;
      }
    }
    String known =
        Arrays.stream(ArenaKind.values()).map(ArenaKind::label).collect(Collectors.joining(", "));
    throw line.bad("unknown kind of arena " + text + " (known: " + known + ")");
  }

  private Op allocate(int number, JsonLine line) throws BadTraceException {
    line.allow(
        "op",
        "arena",
        "arenas",
        "class_words",
        "non_class_words",
        "non_class_blocks",
        "times",
        "group");
    Range arenas = openArenas(line);
    ClassMemory memory = memory(line);
    return new Op.Allocate(number, arenas, line.string("group", ""), memory, times(line, memory));
  }

  private static ClassMemory memory(JsonLine line) throws BadTraceException {
    long classWords = line.number("class_words", 0, MAX_WORDS, 0);
    long nonClassWords = line.number("non_class_words", 0, MAX_WORDS, 0);
    int least = nonClassWords == 0 ? 0 : 1;
    long most = Math.min(MAX_BLOCKS, nonClassWords);
    long blocks = line.number("non_class_blocks", least, most, least);
    if (classWords + nonClassWords == 0) {
      throw line.bad("allocates nothing; give class_words, non_class_words or both");
    }
    return new ClassMemory(classWords, nonClassWords, (int) blocks);
  }

  private static long times(JsonLine line, ClassMemory memory) throws BadTraceException {
    if (!line.has("times") || !line.text("times").equals(UNTIL_FULL)) {
      return line.number("times", 1, MAX_TIMES, 1);
    }
    if (memory.classWords() == 0) {
      throw line.bad("times is until_full, so class_words must be above 0");
    }
    return Op.Allocate.UNTIL_FULL;
  }

  private Op close(int number, JsonLine line) throws BadTraceException {
    line.allow("op", "arena", "arenas");
    Range arenas = openArenas(line);
    open.clear(arenas.first(), arenas.last() + 1);
    return new Op.Close(number, arenas);
  }

  private Op mark(int number, JsonLine line) throws BadTraceException {
    line.allow("op", "name");
    marks++;
    if (marks > MAX_MARKS) {
      throw line.bad("more than " + MAX_MARKS + " marks; each is a picture of both spaces");
    }
    return new Op.Mark(number, line.string("name"));
  }

  private static Range arenas(JsonLine line) throws BadTraceException {
    if (line.has("arena") == line.has("arenas")) {
      throw line.bad("needs either arena or arenas");
    }
    return line.has("arena")
        ? Range.of((int) line.number("arena", 0, MAX_ARENA))
        : line.range("arenas", MAX_ARENA);
  }

  private Range openArenas(JsonLine line) throws BadTraceException {
    Range arenas = arenas(line);
    int gap = open.nextClearBit(arenas.first());
    if (gap <= arenas.last()) {
      String why = opened.get(gap) ? "is closed" : "was never opened";
      throw line.bad(String.format(Locale.ROOT, "arena %d %s", gap, why));
    }
    return arenas;
  }
}
