package dev.offcut.command.read;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * The table of functions and lines that each Go program has for its own stacks ({@code pclntab}),
 * of Go 1.20 and newer. {@code runtime/symtab.go} of Go says what is where.
 */
final class GoLines {
  private static final int MAGIC = 0xfffffff1;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  // The header.
  private static final int QUANTUM_AT = 6;
  private static final int FUNCTIONS_AT = 8;
  private static final int TEXT_AT = 24;
  private static final int NAMES_AT = 32;
  private static final int UNITS_AT = 40;
  private static final int FILES_AT = 48;
  private static final int VALUES_AT = 56;
  private static final int TABLE_AT = 64;

  // A function.
  private static final int NAME = 4;
  private static final int FILE_VALUES = 20;
  private static final int LINE_VALUES = 24;
  private static final int UNIT = 32;

  /**
   * A place in a function.
   *
   * @param function with the path of its package, as {@code main.(*batch).send}
   * @param file as the compiler was given it
   */
  record Place(String function, String file, int line) {
    /** As Go's packages of Offcut write frames. */
    @Override
    public String toString() {
      String name = file.substring(file.lastIndexOf('/') + 1);
      return function + "(" + (name.isEmpty() ? "?" : name) + ":" + line + ")";
    }
  }

  /** The module of the program itself. */
  static final String MAIN = "main";

  /**
   * The module that a place is in, as its file's path tells: empty for Go's own packages and for
   * what cgo makes, and {@link #MAIN} for what is in no module with a version.
   */
  static String module(Place place) {
    String file = place.file();
    if (file.isEmpty() || file.contains("_cgo_") || place.function().contains("._Cfunc_")) {
      return "";
    }
    int version = file.lastIndexOf('@');
    if (version > 0) {
      int end = file.indexOf('/', version);
      return end < 0 ? file : file.substring(0, end);
    }
    int slash = place.function().indexOf('/');
    String first = slash < 0 ? place.function() : place.function().substring(0, slash);
    boolean isMain = place.function().startsWith("main.");
    boolean isOfGo =
        !isMain
            && (slash < 0 || first.indexOf('.') < 0)
            && (file.contains("/src/") || !file.startsWith("/"));
    return isOfGo ? "" : file.contains("/vendor/") ? "vendor" : MAIN;
  }

  private final MemorySegment table;
  private final long text;

  private GoLines(MemorySegment table, long text) {
    this.table = table;
    this.text = text;
  }

  /**
   * Null if it is of another version.
   *
   * @param text where the program's code begins, as its other addresses are
   */
  static @Nullable GoLines of(MemorySegment table, long text) {
    if (table.byteSize() < TABLE_AT + Long.BYTES || table.get(INT, 0) != MAGIC) {
      return null;
    }
    long begin = table.get(LONG, TEXT_AT);
    return new GoLines(table, begin == 0 ? text : begin);
  }

  /** The place of an address; null if it is in no function of Go's. */
  @Nullable Place at(long address) {
    long functions = table.get(LONG, TABLE_AT);
    long count = table.get(LONG, FUNCTIONS_AT);
    long offset = address - text;
    long end = Integer.toUnsignedLong(table.get(INT, functions + count * 8));
    if (offset < 0 || offset >= end) {
      return null;
    }
    long low = 0;
    long high = count;
    while (high - low > 1) {
      long middle = (low + high) >>> 1;
      if (Integer.toUnsignedLong(table.get(INT, functions + middle * 8)) <= offset) {
        low = middle;
      } else {
        high = middle;
      }
    }
    long function = functions + Integer.toUnsignedLong(table.get(INT, functions + low * 8 + 4));
    long entry = Integer.toUnsignedLong(table.get(INT, function));
    int file = value(table.get(INT, function + FILE_VALUES), offset - entry);
    int line = value(table.get(INT, function + LINE_VALUES), offset - entry);
    return new Place(
        text(NAMES_AT, table.get(INT, function + NAME)),
        file < 0 ? "" : file(table.get(INT, function + UNIT), file),
        line);
  }

  private String text(int section, int at) {
    return table.getString(table.get(LONG, section) + Integer.toUnsignedLong(at));
  }

  private String file(int unit, int number) {
    long at =
        table.get(LONG, UNITS_AT)
            + 4 * (Integer.toUnsignedLong(unit) + Integer.toUnsignedLong(number));
    int file = table.get(INT, at);
    return file == -1 ? "" : text(FILES_AT, file);
  }

  /** Values change along a function: each by so much, for so many bytes of code. */
  private int value(int at, long offset) {
    long next = table.get(LONG, VALUES_AT) + Integer.toUnsignedLong(at);
    int value = -1;
    long reached = 0;
    for (boolean isFirst = true; ; isFirst = false) {
      long[] change = number(next);
      if (change[0] == 0 && !isFirst) {
        return -1;
      }
      value += (int) ((change[0] >>> 1) ^ -(change[0] & 1));
      long[] bytes = number(change[1]);
      reached += bytes[0] * table.get(BYTE, QUANTUM_AT);
      next = bytes[1];
      if (offset < reached) {
        return value;
      }
    }
  }

  /** A number of seven bits a byte, and where the next one begins. */
  private long[] number(long at) {
    long number = 0;
    long next = at;
    int shift = 0;
    byte part;
    do {
      part = table.get(BYTE, next++);
      number |= (long) (part & 127) << shift;
      shift += 7;
    } while (part < 0);
    return new long[] {number, next};
  }
}
