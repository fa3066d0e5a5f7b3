package dev.offcut.examples.sqlite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The records of a CSV file as in RFC 4180: commas, quotes where needed and doubled inside, a
 * header line, UTF-8 with or without a mark; lines end with LF or CR LF. Empty lines are passed
 * over where there are several columns.
 *
 * <p>It reads bytes, not characters, so that an error has the right line: in UTF-8 a comma, quote
 * or line feed is never part of another character.
 */
final class CsvFile implements Records {
  private final Path file;
  private final CsvBytes in;
  private final long size;
  private final List<Column> columns;

  private byte[] cell = new byte[256];
  private int length;
  private boolean more;

  private CsvFile(Path file, CsvBytes in, long size) throws BadInput {
    this.file = file;
    this.in = in;
    this.size = size;
    in.skipMark();
    this.columns = header();
  }

  /** Opens the file and reads its header line. */
  static CsvFile open(Path file) throws BadInput {
    if (Files.isDirectory(file)) {
      throw new BadInput(file + ": is a directory, not a CSV file");
    }
    CsvBytes in = CsvBytes.open(file);
    CsvFile opened = null;
    try {
      opened = new CsvFile(file, in, Files.size(file));
      return opened;
    } catch (IOException e) {
      throw BadInput.of(file, e);
    } finally {
      if (opened == null) {
        in.close();
      }
    }
  }

  private List<Column> header() throws BadInput {
    if (in.peek() == CsvBytes.END) {
      throw new BadInput(file + ": is empty; the first line names the columns");
    }
    List<Column> header = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (String name : record()) {
      if (name.isBlank() || name.indexOf('\0') >= 0) {
        throw bad(1, "column " + (header.size() + 1) + " of the header has no name");
      }
      if (!seen.add(name.toLowerCase(Locale.ROOT))) {
        throw bad(1, "the header names the column \"" + name + "\" twice");
      }
      header.add(new Column(name, "TEXT"));
    }
    return List.copyOf(header);
  }

  @Override
  public List<Column> columns() {
    return columns;
  }

  @Override
  public String @Nullable [] next() throws BadInput {
    while (in.peek() != CsvBytes.END) {
      long first = in.line();
      List<String> cells = record();
      if (cells.size() == columns.size()) {
        return cells.toArray(new String[0]);
      }
      boolean blank = cells.size() == 1 && cells.get(0).isEmpty();
      if (!blank) {
        throw bad(first, "has " + count(cells.size()) + ", the header " + columns.size());
      }
    }
    return null;
  }

  private static String count(int cells) {
    return cells == 1 ? "1 field" : cells + " fields";
  }

  private List<String> record() throws BadInput {
    List<String> cells = new ArrayList<>();
    do {
      long first = in.line();
      length = 0;
      int c = in.read();
      if (c == '"') {
        quoted(first);
      } else {
        bare(c);
      }
      cells.add(decode(first));
    } while (more);
    return cells;
  }

  private void bare(int first) throws BadInput {
    int c = first;
    while (c != ',' && c != '\n' && c != CsvBytes.END) {
      if (c == '"') {
        throw bad(in.line(), "a quote inside a field that does not begin with one");
      }
      append(c);
      c = in.read();
    }
    more = c == ',';
    if (!more && length > 0 && cell[length - 1] == '\r') {
      length--;
    }
  }

  private void quoted(long first) throws BadInput {
    while (true) {
      int c = in.read();
      if (c == CsvBytes.END) {
        throw bad(first, "a quoted field begins here and does not end");
      }
      if (c == '"') {
        if (in.peek() != '"') {
          break;
        }
        in.read();
      }
      append(c);
    }
    afterQuote();
  }

  private void afterQuote() throws BadInput {
    long here = in.line();
    int c = in.read();
    if (c == '\r' && (in.peek() == '\n' || in.peek() == CsvBytes.END)) {
      c = in.read();
    }
    if (c != ',' && c != '\n' && c != CsvBytes.END) {
      throw bad(here, "more text after the closing quote of a field");
    }
    more = c == ',';
  }

  private void append(int c) {
    if (length == cell.length) {
      cell = Arrays.copyOf(cell, length * 2);
    }
    cell[length++] = (byte) c;
  }

  private String decode(long first) throws BadInput {
    String text = new String(cell, 0, length, StandardCharsets.UTF_8);
    // What is wrong was replaced by U+FFFD; but that may also stand in the file.
    if (text.indexOf('\uFFFD') >= 0) {
      try {
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(cell, 0, length));
      } catch (CharacterCodingException e) {
        throw bad(first, "is not UTF-8");
      }
    }
    return text;
  }

  private BadInput bad(long badLine, String reason) {
    return new BadInput(file + ":" + badLine + ": " + reason);
  }

  @Override
  public long position() {
    return in.position();
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public String unit() {
    return "bytes";
  }

  @Override
  public String source() {
    return file.toString();
  }

  @Override
  public void close() {
    in.close();
  }
}
