package dev.offcut.agent.track;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * A file of tables that is mapped into memory. Who writes it is one thread at a time; any process
 * of the same user reads it meanwhile, and after this one was killed. {@code spec/tables.md} has
 * the layout.
 *
 * <p>A row has two copies of its values, and a version whose lowest bit says which of them is to be
 * read. The other one is written, and then the version: so whatever ends the program, there is a
 * whole row. Nothing ever moves, and what is referred to was written before.
 */
final class TableFile implements Closeable {
  private static final long MAGIC =
      ByteBuffer.wrap("OFFCUTTB".getBytes(StandardCharsets.US_ASCII))
          .order(ByteOrder.LITTLE_ENDIAN)
          .getLong();
  private static final long VERSION = 1;

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

  private static final int FIRST_ROWS = 16;
  private static final int MOST_ROWS = 512;

  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final byte[] ZEROS = new byte[4096];

  private final RandomAccessFile file;
  private final FileChannel channel;
  private final ByteBuffer header;

  /** Where the next thing goes: the last part of the file that was mapped. */
  private ByteBuffer extent;

  private long extentAt;
  private int used = HEADER_BYTES;

  /** The word that is to refer to the next segment. */
  private ByteBuffer linkIn;

  private int linkAt = FIRST_AT;

  /** Makes one, which is to be there for nobody else. */
  TableFile(Path path, long pid) throws IOException {
    Files.deleteIfExists(path); // of a process that had this PID before
    try {
      Files.createFile(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (UnsupportedOperationException e) {
      Files.createFile(path);
    }
    file = new RandomAccessFile(path.toFile(), "rw");
    try {
      channel = file.getChannel();
      extent = grow(FIRST_EXTENT);
    } catch (IOException | RuntimeException e) {
      file.close();
      Files.deleteIfExists(path);
      throw e;
    }
    header = extent;
    linkIn = extent;
    LONG.set(header, VERSION_AT, VERSION);
    LONG.set(header, PID_AT, pid);
    // Release: who sees the magic number sees what stands behind it.
    LONG.setRelease(header, 0, MAGIC);
  }

  /** When its rows were last as they are, in ms. */
  void looked(long millis) {
    // Opaque: one word by itself; a reader that sees it late believes that the rows are older.
    LONG.setOpaque(header, LOOKED_AT, millis);
  }

  /** Nothing follows: the program ends by itself. */
  void ended() {
    // Release: who reads that it ended reads the last rows.
    LONG.setRelease(header, STATE_AT, 1L);
  }

  /** Adds a part to the file. Its blocks are really there: a hole that cannot be filled kills. */
  private ByteBuffer grow(int bytes) throws IOException {
    long at = file.length();
    file.seek(at);
    try {
      for (int done = 0; done < bytes; done += ZEROS.length) {
        file.write(ZEROS);
      }
    } catch (IOException e) {
      file.setLength(at);
      throw e;
    }
    ByteBuffer made = channel.map(FileChannel.MapMode.READ_WRITE, at, bytes);
    extentAt = at;
    return made;
  }

  /** Room for so many bytes, at {@code used - bytes} of the extent; false: there is none. */
  private boolean take(int bytes) throws IOException {
    int whole = (bytes + 7) & -8;
    if (used + whole > extent.capacity()) {
      if (extentAt + extent.capacity() + EXTENT > MOST_BYTES) {
        LONG.setOpaque(header, FULL_AT, 1L); // opaque: as in looked
        return false;
      }
      extent = grow(EXTENT);
      used = 0;
    }
    used += whole;
    return true;
  }

  /** Whether something found no room. */
  boolean isFull() {
    return (long) LONG.get(header, FULL_AT) != 0;
  }

  /** Where a text is, which never changes; 0 if it is empty, or -1 if there is no room. */
  long text(String text) throws IOException {
    if (text.isEmpty()) {
      return 0;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, MOST_TEXT);
    int whole = Long.BYTES + ((length + 7) & -8);
    if (!take(whole)) {
      return -1;
    }
    int at = used - whole;
    LONG.set(extent, at, (long) length);
    extent.put(at + Long.BYTES, bytes, 0, length);
    return extentAt + at;
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
    file.close(); // the mappings go with their buffers
  }

  /** Rows of the same columns. */
  final class Table {
    private final long schema;
    private final int columns;
    private int capacity;
    private int rows;
    private ByteBuffer segmentIn;
    private int segmentAt;

    private Table(long schema, int columns) {
      this.schema = schema;
      this.columns = columns;
      this.segmentIn = extent;
    }

    /** A row that is empty; null if there is no room. */
    @Nullable Row add() throws IOException {
      if (rows == capacity && !addSegment()) {
        return null;
      }
      return new Row(segmentIn, segmentAt + ROWS_AT + rowBytes() * rows++, columns);
    }

    private int rowBytes() {
      return Long.BYTES * (1 + 2 * columns);
    }

    private boolean addSegment() throws IOException {
      int more = capacity == 0 ? FIRST_ROWS : Math.min(2 * capacity, MOST_ROWS);
      int bytes = ROWS_AT + rowBytes() * more;
      if (schema < 0 || !take(bytes)) {
        return false;
      }
      segmentIn = extent;
      segmentAt = used - bytes;
      capacity = more;
      rows = 0;
      LONG.set(extent, segmentAt + SCHEMA_AT, schema);
      LONG.set(extent, segmentAt + COLUMNS_AT, (long) columns);
      LONG.set(extent, segmentAt + CAPACITY_AT, (long) more);
      // Release: who follows the link finds the segment, and its schema.
      LONG.setRelease(linkIn, linkAt, extentAt + segmentAt);
      linkIn = extent;
      linkAt = segmentAt;
      return true;
    }
  }

  /** One row. */
  static final class Row {
    private final ByteBuffer in;
    private final int at;
    private final int columns;

    private Row(ByteBuffer in, int at, int columns) {
      this.in = in;
      this.at = at;
      this.columns = columns;
    }

    /** Publishes these values from there on, unless they are published already. */
    void set(long[] values, int from) {
      // Plain: this side alone writes it, one thread at a time, under the lock of the tables.
      long version = (long) LONG.get(in, at);
      if (version != 0 && isSame(copy(version), values, from)) {
        return;
      }
      int other = copy(version + 1);
      for (int i = 0; i < columns; i++) {
        // Plain: nobody reads this copy before the version says so.
        LONG.set(in, other + Long.BYTES * i, values[from + i]);
      }
      // Release: the copy, and the texts it refers to, are there before the version is.
      LONG.setRelease(in, at, version + 1);
      // The next set writes the copy that could be read until now: not before this version.
      VarHandle.storeStoreFence();
    }

    private int copy(long version) {
      return at + Long.BYTES + (int) (version & 1) * columns * Long.BYTES;
    }

    private boolean isSame(int copy, long[] values, int from) {
      for (int i = 0; i < columns; i++) {
        if ((long) LONG.get(in, copy + Long.BYTES * i) != values[from + i]) {
          return false;
        }
      }
      return true;
    }
  }
}
