package dev.offcut.command.read;

import dev.offcut.command.read.Sources.Reading;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file in which an agent publishes its tables, read while the agent writes it, or after its
 * program ended: {@code spec/tables.md} has the layout.
 */
public final class Tables {
  /** What the name of such a file ends with. */
  public static final String ENDING = ".tables";

  /** What is noted of a program that goes on. */
  public static final String RUNS = "The program still runs: the report is up to a second old.";

  private static final String FULL =
      "The agent's tables are full. They lack what the agent found later: call sites, kinds,"
          + " classes that rules name, and what it does not track. So what is named here is not"
          + " all.";

  private static final String FULL_OF_GO =
      "The program's tables are full. They lack what was found later, such as call sites, types and"
          + " pools. So what is named here is not all.";

  private static final byte[] MAGIC = "OFFCUTTB".getBytes(StandardCharsets.US_ASCII);
  private static final long MAGIC_WORD =
      ByteBuffer.wrap(MAGIC).order(ByteOrder.LITTLE_ENDIAN).getLong();
  private static final long VERSION = 2;

  private static final int VERSION_AT = 8;
  private static final int FIRST_AT = 24;
  private static final int LOOKED_AT = 32;
  private static final int STATE_AT = 40;

  /** The state of a Go program that ended while it searched for what it forgot. */
  private static final long ENDED_WITHIN_SEARCH = 2;

  private static final int FULL_AT = 48;
  private static final int HEADER_BYTES = 64;

  private static final int SCHEMA_AT = 8;
  private static final int COLUMNS_AT = 16;
  private static final int CAPACITY_AT = 24;
  private static final int ROWS_AT = 32;

  private static final long MOST_COLUMNS = 1_000;
  private static final long MOST_TEXT = 1 << 20;

  /** A row changes once a second; more looks than this never see one that is whole. */
  private static final int LOOKS = 1_000_000;

  /** The agent looks each second; a busy machine may take longer. */
  private static final Duration LATE = Duration.ofSeconds(5);

  private static final String CUT_OFF =
      "The search for forgotten handles took longer than the limit of report.End, so some may count"
          + " as open. To do: give it more time.";

  private static final String NO_PAUSES =
      "Pauses of the garbage collector are not known: the JVM keeps no counters"
          + " (-XX:-UsePerfData).";

  /** What is known of the program whose tables are read. */
  enum Program {
    RUNS,
    ENDED,
    /** The file may be a copy from while it ran. */
    UNKNOWN
  }

  private final ByteBuffer bytes;
  private final Map<Long, String> texts = new HashMap<>();
  private final List<Fields> rows = new ArrayList<>();
  private Instant looked = Instant.EPOCH;

  private Tables(ByteBuffer bytes) {
    this.bytes = bytes.order(ByteOrder.LITTLE_ENDIAN);
  }

  static boolean isAt(Path file) {
    return beginsWith(file, MAGIC);
  }

  /** False if it cannot be read: who reads it says so. */
  static boolean beginsWith(Path file, byte[] magic) {
    try (InputStream in = Files.newInputStream(file)) {
      return Arrays.equals(in.readNBytes(magic.length), magic);
    } catch (IOException e) {
      return false;
    }
  }

  static Reading read(Path file, Outside outside, Program program) throws Failure {
    DigestBuilder builder = new DigestBuilder();
    outside.tell(builder);
    boolean complete = readFile(file, builder, program);
    try {
      return new Reading(builder.digest(complete), !complete && program != Program.RUNS);
    } catch (RuntimeException e) {
      throw damaged(file, e); // a figure that no agent writes
    }
  }

  /**
   * Reads what an archive has of a program that ended; returns whether it ended by itself. {@code
   * file}: the archive.
   */
  static boolean read(Path file, byte[] content, DigestBuilder to) throws Failure {
    if (content.length < HEADER_BYTES) {
      throw cut(file, HEADER_BYTES, content.length);
    }
    try {
      return new Tables(ByteBuffer.wrap(content)).read(file, to, Program.ENDED);
    } catch (RuntimeException e) {
      throw damaged(file, e);
    }
  }

  /** When the agent looked last, in ms since 1970; 0 if that cannot be read. */
  public static long looked(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] header = in.readNBytes(HEADER_BYTES);
      return header.length < HEADER_BYTES
          ? 0
          : ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getLong(LOOKED_AT);
    } catch (IOException e) {
      return 0;
    }
  }

  /** Reads all; returns whether the program ended by itself, so that nothing is missing. */
  static boolean readFile(Path file, DigestBuilder to, Program program) throws Failure {
    checkOwner(file);
    try (Arena arena = Arena.ofConfined();
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      if (size < HEADER_BYTES) {
        throw cut(file, HEADER_BYTES, size);
      }
      // As long as it is read it may grow: what is in the part that was added is not read.
      Tables tables =
          new Tables(channel.map(FileChannel.MapMode.READ_ONLY, 0, size, arena).asByteBuffer());
      return tables.read(file, to, program);
    } catch (IOException e) {
      throw Recordings.cannotRead(file, e);
    } catch (RuntimeException | InternalError e) {
      // What refers to nowhere; and what was cut off while it was read.
      throw damaged(file, e);
    }
  }

  static Failure damaged(Path file, Throwable e) {
    return Failure.unreadable("cannot read " + file + ": it is damaged (" + e.getMessage() + ")");
  }

  private static void checkOwner(Path file) throws Failure {
    try {
      Object owner = Files.getAttribute(file, "unix:uid");
      Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      if (!owner.equals(self) && !self.equals(0)) {
        throw Failure.unreadable(
            file + " belongs to another user, who may have written anything; read it as that user");
      }
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      // Who cannot be asked, or is not there, is told apart when it is opened.
    }
  }

  private static Failure cut(Path file, long needed, long size) {
    return Failure.unreadable(
        "cannot read %s: it was cut off; it has %s bytes, and refers to %s"
            .formatted(file, size, needed));
  }

  private boolean read(Path file, DigestBuilder to, Program program) throws Failure {
    // Acquire: who sees the magic number sees what was written before it.
    if (acquire(0) != MAGIC_WORD) {
      throw Failure.unreadable(file + " is no file of tables, or was only just begun");
    }
    long version = word(VERSION_AT);
    if (version != VERSION) {
      throw Failure.unreadable(
          """
          %s has tables of version %s, this reads %s; read it with the offcut that its agent came \
          with"""
              .formatted(file, version, VERSION));
    }
    // Acquire: if it ended, its last rows are there.
    long state = acquire(STATE_AT);
    boolean ended = state != 0;
    // Plain: a word by itself. It is read before the rows, which are as new or newer.
    looked = Instant.ofEpochMilli(word(LOOKED_AT));
    boolean full = word(FULL_AT) != 0;
    long last = 0;
    // Acquire, here and below: who sees the link sees the segment.
    long at = acquire(FIRST_AT);
    while (at != 0) {
      if (at <= last || at % Long.BYTES != 0) {
        throw new IllegalStateException("a link leads back, to " + at);
      }
      if (at > bytes.capacity() - ROWS_AT) {
        if (program != Program.RUNS) {
          throw cut(file, at + ROWS_AT, bytes.capacity());
        }
        break; // it has just grown: the next time
      }
      readSegment(file, at);
      last = at;
      at = acquire(at);
    }
    rows.forEach(to::take);
    Versions.check(file, to.agentVersion());
    tell(file, to, program, ended, full);
    if (state == ENDED_WITHIN_SEARCH) {
      to.note(CUT_OFF);
    }
    // Of Go programs most end without a word.
    return ended || (to.isGo() && program != Program.RUNS);
  }

  private void tell(Path file, DigestBuilder to, Program program, boolean ended, boolean full)
      throws Failure {
    boolean running = program == Program.RUNS;
    if (to.isGo() && !running) {
      to.noteEnd(ended, looked);
    } else if (running && !ended) {
      Duration age = age(file);
      to.note(
          age.compareTo(LATE) < 0
              ? RUNS
              : "The program still runs, but has not published anything for "
                  + age.toSeconds()
                  + " s. The report is that old.");
    } else if (!ended) {
      to.note(
          """
          %s The counts are those of %s, when its agent published last. No garbage collection \
          searched for the resources that it lost last, so they may count as open."""
              .formatted(
                  program == Program.ENDED
                      ? "The program was killed or halted."
                      : "The program was killed or halted, or it still ran when this was written.",
                  looked.truncatedTo(ChronoUnit.SECONDS)));
    }
    if (full) {
      to.note(to.isGo() ? FULL_OF_GO : FULL);
    }
    if (!to.knowsPauses() && !to.isGo()) {
      to.note(NO_PAUSES);
    }
  }

  /** By the file system's clock: that of the agent does not follow a clock that is set. */
  private static Duration age(Path file) throws Failure {
    try {
      return Duration.between(Files.getLastModifiedTime(file).toInstant(), Instant.now());
    } catch (IOException e) {
      throw Recordings.cannotRead(file, e);
    }
  }

  /**
   * A word, which a writer may change: all are at multiples of eight, so it is one's or the
   * other's.
   */
  private long word(long at) {
    return bytes.getLong(Math.toIntExact(at));
  }

  /**
   * A word; what was written before it is there, and is read after it. By a fence: to make a
   * VarHandle would cost a short run 6 ms of CPU.
   */
  private long acquire(long at) {
    long word = word(at);
    VarHandle.acquireFence();
    return word;
  }

  private void readSegment(Path file, long at) throws Failure {
    long columns = word(at + COLUMNS_AT);
    long capacity = word(at + CAPACITY_AT);
    if (columns < 1 || columns > MOST_COLUMNS || capacity < 0 || capacity > bytes.capacity()) {
      throw new IllegalStateException(
          "a segment has " + columns + " columns, " + capacity + " rows");
    }
    long rowBytes = Long.BYTES * (1 + 2 * columns);
    if (at + ROWS_AT + capacity * rowBytes > bytes.capacity()) {
      throw cut(file, at + ROWS_AT + capacity * rowBytes, bytes.capacity());
    }
    List<String> schema = text(word(at + SCHEMA_AT)).lines().toList();
    if (schema.size() != 1 + columns) {
      throw new IllegalStateException("a segment has " + columns + " columns, and other names");
    }
    long[] values = new long[(int) columns];
    for (long row = 0; row < capacity; row++) {
      if (readRow(file, at + ROWS_AT + row * rowBytes, values)) {
        add(schema, values);
      }
    }
  }

  /** Reads the copy that the version names, until it did not change meanwhile; false: no row. */
  private boolean readRow(Path file, long at, long[] values) throws Failure {
    for (int look = 0; look < LOOKS; look++) {
      // Acquire: the copy, and the texts that it refers to, are there.
      long version = acquire(at);
      if (version == 0) {
        return false;
      }
      long copy = at + Long.BYTES + (version & 1) * values.length * Long.BYTES;
      for (int i = 0; i < values.length; i++) {
        // Plain: if the writer is here already, the version has changed.
        values[i] = word(copy + (long) Long.BYTES * i);
      }
      // The values are read before the version is read again.
      VarHandle.acquireFence();
      // Plain: the fence orders it.
      if (word(at) == version) {
        return true;
      }
      Thread.onSpinWait();
    }
    throw Failure.unreadable(
        "cannot read " + file + ": a row changes all the time; is more than one agent writing it?");
  }

  private void add(List<String> schema, long[] values) {
    if (Arrays.stream(values).allMatch(value -> value == 0)) {
      return; // emptied
    }
    Map<String, Object> fields = new HashMap<>();
    for (int i = 0; i < values.length; i++) {
      String column = schema.get(1 + i);
      int space = column.lastIndexOf(' ');
      String name = column.substring(0, Math.max(0, space));
      switch (column.substring(space + 1)) {
        case "long" -> fields.put(name, values[i]);
        case "text" -> fields.put(name, text(values[i]));
        case "time" -> fields.put(name, Instant.ofEpochMilli(values[i]));
        default -> {} // of a newer agent
      }
    }
    Instant time = fields.get("time") instanceof Instant own ? own : looked;
    rows.add(new Row(schema.getFirst(), time, fields));
  }

  private String text(long at) {
    return at == 0 ? "" : texts.computeIfAbsent(at, this::readText);
  }

  private String readText(long at) {
    long length = word(at);
    if (length < 0 || length > MOST_TEXT) {
      throw new IllegalStateException("a text has " + length + " bytes");
    }
    byte[] text = new byte[(int) length];
    bytes.get(Math.toIntExact(at + Long.BYTES), text);
    return new String(text, StandardCharsets.UTF_8);
  }

  private record Row(String name, Instant time, Map<String, Object> fields) implements Fields {
    @Override
    public long copy() {
      return number("copy");
    }

    @Override
    public boolean has(String field) {
      return fields.containsKey(field);
    }

    @Override
    public Set<String> names() {
      return fields.keySet();
    }

    @Override
    public long number(String field, long otherwise) {
      return fields.get(field) instanceof Long number ? number : otherwise;
    }

    @Override
    public String text(String field) {
      return fields.get(field) instanceof String text ? text : "";
    }

    @Override
    public @Nullable Instant instant(String field) {
      return fields.get(field) instanceof Instant time ? time : null;
    }

    @Override
    public double millis(String field) {
      return number(field);
    }

    @Override
    public List<String> stack() {
      return lines("stack");
    }
  }
}
