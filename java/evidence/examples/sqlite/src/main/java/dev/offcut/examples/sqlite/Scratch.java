package dev.offcut.examples.sqlite;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Native memory for what crosses one call: two out-parameters, and the bytes of a text.
 *
 * <pre>
 *   0        8        16
 *   | out    | tail   | bytes …, one 0 byte
 * </pre>
 *
 * It exists before the native call, so that nothing is allocated between that call's return and the
 * handle's record. Each thread keeps one; larger bytes get their own, which {@link #close} frees. A
 * scratch belongs to the thread that took it, until the thread takes the next. The SQL of
 * statements has another one, which keeps its last text: a program that compiles one query again
 * and again encodes it once.
 */
final class Scratch implements AutoCloseable {
  private static final long TAIL = 8;
  private static final long BYTES = 16;

  private static final int KEPT_BYTES = 8 * 1024;

  private static final ThreadLocal<Scratch> KEPT =
      ThreadLocal.withInitial(() -> new Scratch(Arena.ofAuto(), null, KEPT_BYTES));

  private static final ThreadLocal<Scratch> SQL =
      ThreadLocal.withInitial(() -> new Scratch(Arena.ofAuto(), null, KEPT_BYTES));

  /** All memory: addresses that SQLite returned are read through it. */
  private static final MemorySegment EVERYTHING = everything();

  private final MemorySegment segment;
  private final @Nullable Arena own;
  private int length;

  /** Whose bytes it holds, if it is kept for SQL. */
  private @Nullable String sql;

  private Scratch(Arena arena, @Nullable Arena own, long size) {
    this.segment = arena.allocate(BYTES + size, TAIL);
    this.own = own;
  }

  @SuppressWarnings("restricted") // reading what SQLite points at
  private static MemorySegment everything() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  /** Holds the text in UTF-8. */
  static Scratch of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Holds the text of a statement in UTF-8. */
  static Scratch ofSql(String sql) {
    Scratch kept = SQL.get();
    if (sql.equals(kept.sql)) {
      kept.clearResults();
      return kept;
    }
    byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
    if (bytes.length >= KEPT_BYTES) {
      return of(bytes);
    }
    kept.sql = null; // until its bytes are there
    kept.fill(bytes);
    kept.sql = sql;
    return kept;
  }

  private static Scratch of(byte[] bytes) {
    Scratch scratch = KEPT.get();
    if (bytes.length >= KEPT_BYTES) {
      Arena arena = Arena.ofConfined();
      scratch = new Scratch(arena, arena, bytes.length + 1);
    }
    scratch.fill(bytes);
    return scratch;
  }

  private void fill(byte[] bytes) {
    MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, BYTES, bytes.length);
    segment.set(ValueLayout.JAVA_BYTE, BYTES + bytes.length, (byte) 0);
    length = bytes.length;
    clearResults();
  }

  private void clearResults() {
    segment.set(ValueLayout.JAVA_LONG, 0, 0L);
    segment.set(ValueLayout.JAVA_LONG, TAIL, out());
  }

  /** The address of the bytes. */
  long bytes() {
    return segment.address() + BYTES;
  }

  /** How many there are. */
  int length() {
    return length;
  }

  /** The address of the out-parameter. */
  long outAddress() {
    return segment.address();
  }

  /** What the native call left in the out-parameter. */
  long out() {
    return segment.get(ValueLayout.JAVA_LONG, 0);
  }

  /** The address of the second out-parameter. */
  long tailAddress() {
    return segment.address() + TAIL;
  }

  /** Whether SQLite, by the second out-parameter, has read all but white space of the bytes. */
  boolean isRestBlank() {
    long read = segment.get(ValueLayout.JAVA_LONG, TAIL) - segment.address();
    for (long at = read; at < BYTES + length; at++) {
      byte unread = segment.get(ValueLayout.JAVA_BYTE, at);
      if (unread != ' ' && (unread < '\t' || unread > '\r')) {
        return false;
      }
    }
    return true;
  }

  /** Copies bytes that SQLite returned. */
  static byte[] copy(long address, int length) {
    byte[] bytes = new byte[length];
    MemorySegment.copy(EVERYTHING, ValueLayout.JAVA_BYTE, address, bytes, 0, length);
    return bytes;
  }

  /** Copies a text that ends with a 0 byte. */
  static String text(long address) {
    return EVERYTHING.getString(address);
  }

  /** Frees what was only for this call. */
  @Override
  public void close() {
    if (own != null) {
      own.close();
    }
  }
}
