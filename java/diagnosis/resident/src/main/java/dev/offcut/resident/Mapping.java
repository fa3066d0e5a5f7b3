package dev.offcut.resident;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A mapping of a process, as {@code /proc/PID/smaps} shows it. Sizes are in bytes.
 *
 * @param start its first address
 * @param end the address behind it
 * @param permissions such as {@code rw-p}
 * @param path of a file, or a name in brackets; empty for anonymous memory
 * @param resident what of it is in memory
 * @param proportional the same, where a page that is mapped n times counts as 1/n
 * @param swapped what of it is in swap space
 */
record Mapping(
    long start,
    long end,
    String permissions,
    String path,
    long resident,
    long proportional,
    long swapped) {
  static final String DELETED = " (deleted)";

  /** Where a line of a figure ends, mostly: as many characters stand before. */
  private static final int LINE = 27;

  /** Where its number begins, behind a label of as many characters at most. */
  private static final int NUMBER = 16;

  /** All mappings of a process, by address. */
  static List<Mapping> of(Path process) throws IOException {
    return parse(Files.readAllBytes(process.resolve("smaps")));
  }

  /** Where the main arena of malloc ends now. */
  static long heapEnd(Path process) throws IOException {
    // It is among the first: nobody makes the system tell of the others.
    try (BufferedReader lines =
        Files.newBufferedReader(process.resolve("maps"), StandardCharsets.ISO_8859_1)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.endsWith("[heap]")) {
          return of(line, new long[3]).end();
        }
      }
    }
    throw new IOException("there is no [heap] any more");
  }

  /** The text of such a file. */
  static List<Mapping> parse(String smaps) {
    return parse(smaps.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The content of such a file: two dozen lines for each mapping, of which four are looked at. So
   * it is read by bytes, and most lines are skipped without a look for their end.
   */
  private static List<Mapping> parse(byte[] smaps) {
    List<Mapping> all = new ArrayList<>();
    String head = null;
    long[] figures = new long[3];
    for (int at = 0; at < smaps.length; ) {
      byte first = smaps[at];
      boolean isFigure = first >= 'A' && first <= 'Z';
      int end = at + LINE;
      if (!isFigure || end >= smaps.length || smaps[end] != '\n' || smaps[at + NUMBER] != ' ') {
        end = at;
        while (end < smaps.length && smaps[end] != '\n') {
          end++;
        }
      }
      if (isFigure) {
        int figure = figure(smaps, at, end);
        if (figure >= 0) {
          figures[figure] = kibibytes(smaps, at, end);
        }
      } else {
        if (head != null) {
          all.add(of(head, figures));
        }
        head = new String(smaps, at, end - at, StandardCharsets.UTF_8);
        figures = new long[3];
      }
      at = end + 1;
    }
    if (head != null) {
      all.add(of(head, figures));
    }
    return all;
  }

  /** Which of the figures stands in a line; -1: another one. */
  private static int figure(byte[] text, int at, int end) {
    if (end - at < 8) {
      return -1;
    }
    return switch (text[at]) {
      case 'R' -> text[at + 1] == 's' && text[at + 3] == ':' ? 0 : -1; // Rss
      case 'P' -> text[at + 1] == 's' && text[at + 3] == ':' ? 1 : -1; // Pss
      case 'S' -> text[at + 1] == 'w' && text[at + 4] == ':' ? 2 : -1; // Swap
      default -> -1;
    };
  }

  private static long kibibytes(byte[] text, int from, int end) {
    long number = 0;
    for (int at = from; at < end; at++) {
      int digit = text[at] - '0';
      if (digit >= 0 && digit <= 9) {
        number = 10 * number + digit;
      }
    }
    return number << 10;
  }

  /** {@code 7f00-7f10 rw-p 00000000 fe:00 315633 /usr/lib/libc.so.6}. */
  private static Mapping of(String head, long[] figures) {
    int dash = head.indexOf('-');
    int blank = head.indexOf(' ');
    return new Mapping(
        Long.parseUnsignedLong(head, 0, dash, 16),
        Long.parseUnsignedLong(head, dash + 1, blank, 16),
        head.substring(blank + 1, blank + 5),
        path(head),
        figures[0],
        figures[1],
        figures[2]);
  }

  /** Behind five fields, each followed by blanks. */
  private static String path(String head) {
    int at = 0;
    for (int field = 0; field < 5 && at >= 0; field++) {
      at = head.indexOf(' ', at);
      while (at >= 0 && at < head.length() && head.charAt(at) == ' ') {
        at++;
      }
    }
    return at < 0 ? "" : head.substring(at);
  }

  long size() {
    return end - start;
  }

  boolean contains(long address) {
    return address >= start && address < end;
  }

  /** Whether it is the process's own memory and no file's. */
  boolean isAnonymous() {
    return path.isEmpty() || path.startsWith("[anon");
  }

  boolean isWritable() {
    return permissions.charAt(1) == 'w';
  }

  /** Whether nobody may access it: reserved address space, or a guard page. */
  boolean isGuard() {
    return permissions.startsWith("---");
  }

  /** Whether other processes, or other mappings, see what is written. */
  boolean isShared() {
    return permissions.charAt(3) == 's';
  }

  boolean isFile() {
    return path.startsWith("/");
  }

  /** The path without what the system adds to that of a file that was deleted. */
  String file() {
    return path.endsWith(DELETED) ? path.substring(0, path.length() - DELETED.length()) : path;
  }

  /** The index of the mapping that holds an address; -1 if none does. */
  static int indexOf(List<Mapping> mappings, long address) {
    int low = 0;
    int high = mappings.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      Mapping mapping = mappings.get(middle);
      if (mapping.contains(address)) {
        return middle;
      }
      if (mapping.end() <= address) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }
}
