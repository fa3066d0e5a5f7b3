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

  /** The lines of a mapping that are read, in the order of the figures. */
  private static final List<String> FIGURES = List.of("Rss:", "Pss:", "Swap:");

  /** All mappings of a process, by address. */
  static List<Mapping> of(Path process) throws IOException {
    return parse(new String(Files.readAllBytes(process.resolve("smaps")), StandardCharsets.UTF_8));
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

  /** The text of such a file: a head for each mapping, and two dozen lines behind it. */
  static List<Mapping> parse(String smaps) {
    List<Mapping> all = new ArrayList<>();
    String head = "";
    long[] figures = new long[FIGURES.size()];
    for (int at = 0, end; at < smaps.length(); at = end + 1) {
      end = smaps.indexOf('\n', at);
      if (Character.isUpperCase(smaps.charAt(at))) {
        int blank = smaps.indexOf(' ', at);
        int figure = FIGURES.indexOf(smaps.substring(at, blank));
        if (figure >= 0) {
          String number = smaps.substring(blank, end - " kB".length());
          figures[figure] = Long.parseLong(number.trim()) << 10;
        }
      } else {
        if (!head.isEmpty()) {
          all.add(of(head, figures));
        }
        head = smaps.substring(at, end);
        figures = new long[FIGURES.size()];
      }
    }
    if (!head.isEmpty()) {
      all.add(of(head, figures));
    }
    return all;
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
