package dev.offcut.examples.sqlite;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Native memory for what crosses one call: an out-parameter, and the bytes of a text or blob.
 *
 * <pre>
 *   0        8        16
 *   | out    | tail   | bytes …, one 0 byte
 * </pre>
 *
 * It exists before the native call, so that nothing is allocated between that call's return and the
 * handle's record. Each thread keeps one; bytes that do not fit get one of their own, which {@link
 * #close} frees. For the thread that took it alone, and until it takes the next. Virtual threads
 * keep one too, as long as they live.
 *
 * <p>The SQL of statements is in another one of the thread, which keeps its last text: a program
 * that compiles the same query each time encodes it once.
 */
final class Scratch implements AutoCloseable {
  private static final long TAIL = 8;
  private static final long BYTES = 16;

  /** Kept by each thread that calls SQLite. Larger makes long texts cheaper, threads dearer. */
  private static final int KEPT_BYTES = 8 * 1024;

  private static final ThreadLocal<Scratch> KEPT =
      ThreadLocal.withInitial(() -> new Scratch(Arena.ofAuto(), null, BYTES + KEPT_BYTES));

  /** A longer SQL text is encoded each time. */
  private static final int KEPT_SQL_BYTES = 4 * 1024;

  private static final ThreadLocal<Scratch> SQL =
      ThreadLocal.withInitial(() -> new Scratch(Arena.ofAuto(), null, BYTES + KEPT_SQL_BYTES));

  /** All memory: addresses that SQLite returned are read through it. */
  private static final MemorySegment EVERYTHING = everything();

  private final MemorySegment segment;
  private final @Nullable Arena own;
  private int length;

  /** Whose bytes it holds, if it is kept for SQL. */
  private @Nullable String sql;

  private Scratch(Arena arena, @Nullable Arena own, long size) {
    this.segment = arena.allocate(size, TAIL);
    this.own = own;
  }

  @SuppressWarnings("restricted") // reading what SQLite points at
  private static MemorySegment everything() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  /** Holds the text in UTF-8. */
  static Scratch of(String text) {
    requireWellFormed(text);
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Holds the text of a statement in UTF-8.
   *
   * @throws SqliteException if the text has the character 0, which would end it for SQLite
   */
  static Scratch ofSql(String sql) {
    Scratch kept = SQL.get();
    if (sql.equals(kept.sql)) {
      kept.clearResults();
      return kept;
    }
    if (sql.indexOf('\0') >= 0) {
      throw new SqliteException("SQL holds the character 0", Failure.MISUSE, sql);
    }
    requireWellFormed(sql);
    byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
    if (bytes.length >= KEPT_SQL_BYTES) {
      return of(bytes);
    }
    kept.sql = null; // until its bytes are there
    kept.fill(bytes);
    kept.sql = sql;
    return kept;
  }

  /** Holds the bytes. */
  static Scratch of(byte[] bytes) {
    Scratch scratch = KEPT.get();
    if (bytes.length >= KEPT_BYTES) {
      Arena arena = Arena.ofConfined();
      scratch = new Scratch(arena, arena, BYTES + bytes.length + 1);
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
    // Also makes sure that reading them after the native call links nothing for the first time.
    segment.set(ValueLayout.JAVA_LONG, 0, 0L);
    segment.set(ValueLayout.JAVA_LONG, TAIL, out());
  }

  /** Java would put a question mark in place of half a character; a database should not get it. */
  private static void requireWellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean pair = i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1));
        if (!pair) {
          throw new IllegalArgumentException(
              String.format("half a surrogate pair (\\u%04x) at index %d: not text", (int) c, i));
        }
        i++;
      }
    }
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

  /** Of the bytes, what the second out-parameter says was not read. */
  String tail() {
    long read = segment.get(ValueLayout.JAVA_LONG, TAIL) - bytes();
    int rest = (int) (length - read);
    return rest == 0 ? "" : new String(copy(bytes() + read, rest), StandardCharsets.UTF_8);
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
