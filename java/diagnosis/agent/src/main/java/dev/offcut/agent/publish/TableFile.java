package dev.offcut.agent.publish;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file of tables. Who writes it is one thread at a time; any process of the same user reads it
 * meanwhile, and after this one was killed. {@code spec/tables.md} has the layout.
 *
 * <p>A row has two copies of its values, and a version whose lowest bit says which of them is to be
 * read. The other one is written, and then the version: so whatever ends the program, there is a
 * whole row. Nothing ever moves, and what is referred to was written before.
 *
 * <p>Readers map the file; here it is written. What was written is there for readers at once and
 * outlives the process, as if it were mapped, and the system orders one write before the next. To
 * map a file costs a program 50 ms of CPU on JDK 25: the JDK makes the buffer by reflection.
 */
final class TableFile implements Closeable {
  private static final long MAGIC =
      ByteBuffer.wrap("OFFCUTTB".getBytes(StandardCharsets.US_ASCII))
          .order(ByteOrder.LITTLE_ENDIAN)
          .getLong();
  private static final long VERSION = 2;

  // The header.
  private static final int VERSION_AT = 8;
  private static final int PID_AT = 16;
  private static final int FIRST_AT = 24;
  private static final int LOOKED_AT = 32;
  private static final int STATE_AT = 40;
  private static final int FULL_AT = 48;
  private static final int HEADER_BYTES = 64;

  // A segment, which has rows of one table.
  private static final int SCHEMA_AT = 8;
  private static final int COLUMNS_AT = 16;
  private static final int CAPACITY_AT = 24;
  private static final int ROWS_AT = 32;

  private static final int FIRST_EXTENT = 64 << 10;
  private static final int EXTENT = 256 << 10;

  /** Ten thousand call sites take a third of it. */
  private static final long MOST_BYTES = 64L << 20;

  /** Bytes of a text; the rest is cut off. */
  private static final int MOST_TEXT = 64 << 10;

  private static final int ROOM_FOR_MORE = 200;

  private static final String MORE =
      " more lines have no room here, so more is not tracked than these lines say";

  private static final int FIRST_ROWS = 16;
  private static final int MOST_ROWS = 512;

  private static final byte[] ZEROS = new byte[4096];

  /** Not of a text: that makes an EnumSet, which asks the enum for its constants by reflection. */
  private static final Set<PosixFilePermission> OWNERS_ALONE =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private final Path path;
  private final RandomAccessFile file;

  /** What is about to be written. */
  private byte[] bytes = new byte[1024];

  private ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);

  /** The end of the file, and of what is used of it. */
  private long end;

  private long used = HEADER_BYTES;

  /** Where the word is that is to refer to the next segment. */
  private long link = FIRST_AT;

  private boolean full;
  private String lines = "";
  private long linesAt;

  /** Makes one, which is to be there for nobody else. */
  TableFile(Path path, long pid) throws IOException {
    this.path = path;
    Files.deleteIfExists(path); // of a process that had this PID before
    try {
      Files.createFile(path, PosixFilePermissions.asFileAttribute(OWNERS_ALONE));
    } catch (UnsupportedOperationException e) {
      Files.createFile(path);
    }
    file = new RandomAccessFile(path.toFile(), "rw");
    try {
      grow(FIRST_EXTENT);
      putWord(VERSION_AT, VERSION);
      putWord(PID_AT, pid);
      putWord(0, MAGIC); // who sees it sees what stands behind it
    } catch (IOException | RuntimeException e) {
      file.close();
      Files.deleteIfExists(path);
      throw e;
    }
  }

  Path path() {
    return path;
  }

  /** What was counted before this time, in ms since 1970, is in the rows. */
  void looked(long millis) throws IOException {
    putWord(LOOKED_AT, millis);
  }

  /** Nothing follows: the program ends by itself. */
  void ended() throws IOException {
    putWord(STATE_AT, 1);
  }

  /**
   * All that is in it, for a file of its own.
   *
   * @param cut a text of which the copy has the first word alone; 0: none
   */
  byte[] copy(long cut) throws IOException {
    byte[] copy = new byte[(int) used];
    file.seek(0);
    file.readFully(copy);
    if (cut > 0) {
      ByteBuffer all = ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
      int from = (int) cut + Long.BYTES;
      int until = from + (int) all.getLong((int) cut);
      for (int i = from; i < until; i++) {
        if (copy[i] == ' ') {
          all.putLong((int) cut, i - from);
          Arrays.fill(copy, i, until, (byte) 0);
          break;
        }
      }
    }
    return copy;
  }

  private void putWord(long at, long word) throws IOException {
    words.putLong(0, word);
    putBytes(at, Long.BYTES);
  }

  /** Writes the first of the bytes. */
  private void putBytes(long at, int length) throws IOException {
    file.seek(at);
    file.write(bytes, 0, length);
  }

  private void reserve(int length) {
    if (length > bytes.length) {
      bytes = new byte[length];
      words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  /** Adds a part to the file. Its blocks are really there: what is written to it finds room. */
  private void grow(int more) throws IOException {
    file.seek(end);
    try {
      for (int done = 0; done < more; done += ZEROS.length) {
        file.write(ZEROS);
      }
    } catch (IOException e) {
      file.setLength(end);
      throw e;
    }
    end += more;
  }

  /** Where there is room for so many bytes; -1: nowhere. */
  private long take(int length) throws IOException {
    int whole = (length + 7) & -8;
    while (used + whole > end) {
      if (end + EXTENT > MOST_BYTES) {
        full = true;
        putWord(FULL_AT, 1);
        return -1;
      }
      grow(EXTENT);
    }
    used += whole;
    return used - whole;
  }

  /** Whether something found no room. */
  boolean isFull() {
    return full;
  }

  /**
   * Where lines are as one text, of which there is one in the file; 0: there were none. If the file
   * has no room for them, those that it had before stay.
   */
  long lines(List<String> all) throws IOException {
    String text = asMuchAsFits(all);
    if (!text.equals(lines)) {
      long at = text(text);
      if (at >= 0) {
        lines = text;
        linesAt = at;
      }
    }
    return linesAt;
  }

  /** A longer text would be cut, so its last line says how many more lines there are. */
  private static String asMuchAsFits(List<String> lines) {
    StringBuilder text = new StringBuilder();
    int bytes = 0;
    for (int i = 0; i < lines.size(); i++) {
      bytes += 1 + lines.get(i).getBytes(StandardCharsets.UTF_8).length;
      if (bytes > MOST_TEXT - ROOM_FOR_MORE) {
        return text.append(lines.size() - i).append(MORE).toString();
      }
      text.append(lines.get(i)).append('\n');
    }
    text.setLength(Math.max(0, text.length() - 1));
    return text.toString();
  }

  /** Where a text is, which never changes; 0 if it is empty, or -1 if there is no room. */
  long text(String text) throws IOException {
    if (text.isEmpty()) {
      return 0;
    }
    byte[] content = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(content.length, MOST_TEXT);
    long at = take(Long.BYTES + length);
    if (at < 0) {
      return -1;
    }
    reserve(Long.BYTES + length);
    words.putLong(0, length);
    System.arraycopy(content, 0, bytes, Long.BYTES, length);
    putBytes(at, Long.BYTES + length);
    return at;
  }

  /**
   * A table.
   *
   * @param schema its name, and in a line each its columns: {@code kind text}
   */
  Table table(String schema) throws IOException {
    return new Table(text(schema), schema.split("\n", -1).length - 1);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** Rows of the same columns. */
  final class Table {
    private final long schema;
    private final int columns;
    private int capacity;
    private int rows;
    private long segment;

    private Table(long schema, int columns) {
      this.schema = schema;
      this.columns = columns;
    }

    /** A row that is empty; null if there is no room. */
    @Nullable Row add() throws IOException {
      if (rows == capacity && !addSegment()) {
        return null;
      }
      return new Row(segment + ROWS_AT + (long) rowBytes() * rows++, columns);
    }

    private int rowBytes() {
      return Long.BYTES * (1 + 2 * columns);
    }

    private boolean addSegment() throws IOException {
      int more = capacity == 0 ? FIRST_ROWS : Math.min(2 * capacity, MOST_ROWS);
      long at = schema < 0 ? -1 : take(ROWS_AT + rowBytes() * more);
      if (at < 0) {
        return false;
      }
      words.putLong(0, 0);
      words.putLong(SCHEMA_AT, schema);
      words.putLong(COLUMNS_AT, columns);
      words.putLong(CAPACITY_AT, more);
      putBytes(at, ROWS_AT);
      putWord(link, at); // who follows the link finds the segment, and its schema
      link = at;
      segment = at;
      capacity = more;
      rows = 0;
      return true;
    }
  }

  /** One row. */
  final class Row {
    private final long at;

    /** What can be read now. */
    private final long[] now;

    private long version;

    private Row(long at, int columns) {
      this.at = at;
      this.now = new long[columns];
    }

    int columns() {
      return now.length;
    }

    /** Publishes these values from there on, unless they are published already. */
    void set(long[] values, int from) throws IOException {
      if (version != 0 && Arrays.equals(now, 0, now.length, values, from, from + now.length)) {
        return;
      }
      long next = version + 1;
      int length = Long.BYTES * now.length;
      reserve(length);
      for (int i = 0; i < now.length; i++) {
        words.putLong(Long.BYTES * i, values[from + i]);
      }
      // Nobody reads this copy before the version says so, nor the version before this copy.
      putBytes(at + Long.BYTES + (next & 1) * length, length);
      putWord(at, next);
      version = next;
      System.arraycopy(values, from, now, 0, now.length);
    }
  }
}
