package dev.offcut.resident;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The file descriptors that a process has open: files, sockets, pipes and others. If there are more
 * than 1,024, the kinds and files are estimated from a sample.
 *
 * @param open how many are open; -1 if this user may not read them
 * @param limit how many the process may open; 0 if there is no limit, or it is not known
 * @param kinds how many of each kind, the most frequent first; they add up to {@code open}
 * @param files up to three paths that are open more than once, the most frequent first
 */
public record Descriptors(
    int open, long limit, List<Account.Group> kinds, List<Account.Group> files) {
  /** The value if the descriptors could not be read. */
  public static final Descriptors UNKNOWN = new Descriptors(-1, 0, List.of(), List.of());

  /**
   * So many links are read at most, which takes some 10 ms. Of more, one of each few neighbours
   * stands for all of them. Chance chooses it: a program may open its files in an order that
   * repeats.
   */
  private static final int MOST_READ = 1024;

  private static final int MOST_FILES = 3;

  static final String INOTIFY = "inotify instance";

  /** Ends the link of a file that has no name any more. */
  private static final String DELETED = " (deleted)";

  private static final String LIMIT = "Max open files";

  /** Whether the kinds and files are counts, and not estimates. */
  public boolean isExact() {
    return open <= MOST_READ;
  }

  /** Those of a process on Linux. */
  static Descriptors of(Path process) {
    List<Path> links = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path link : all) {
        links.add(link);
      }
    } catch (IOException | DirectoryIteratorException e) {
      return UNKNOWN;
    }
    int step = (links.size() + MOST_READ - 1) / MOST_READ;
    Tally kinds = new Tally();
    Tally files = new Tally();
    Random chance = new Random(links.size());
    for (int i = 0; i < links.size(); i += step) {
      int standsFor = Math.min(step, links.size() - i);
      String target = target(links.get(i + chance.nextInt(standsFor)));
      String kind = kind(target);
      kinds.add(kind, standsFor);
      if (kind.equals("file")) {
        files.add(target, standsFor);
      }
    }
    return new Descriptors(
        links.size(),
        limit(process),
        kinds.mostFrequent(Integer.MAX_VALUE, 1),
        files.mostFrequent(MOST_FILES, 2));
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return ""; // it was closed meanwhile
    }
  }

  private static String kind(String target) {
    if (target.startsWith("socket:")) {
      return "socket";
    }
    if (target.startsWith("pipe:")) {
      return "pipe";
    }
    if (target.equals("anon_inode:[eventpoll]")) {
      return "selector";
    }
    if (target.equals("anon_inode:inotify")) {
      return INOTIFY;
    }
    if (target.endsWith(DELETED) && !target.startsWith("/memfd:")) {
      return "deleted file";
    }
    boolean isFile =
        target.startsWith("/") && !target.startsWith("/dev/") && !target.startsWith("/memfd:");
    return isFile ? "file" : "other";
  }

  /** {@code Max open files 1024 4096 files}: the limit that counts, and what it may be set to. */
  private static long limit(Path process) {
    try {
      for (String line :
          Files.readAllLines(process.resolve("limits"), StandardCharsets.ISO_8859_1)) {
        if (line.startsWith(LIMIT)) {
          return Long.parseLong(line.substring(LIMIT.length()).strip().split(" +", 2)[0]);
        }
      }
    } catch (IOException | NumberFormatException e) {
      return 0; // it ended, or the limit is "unlimited"
    }
    return 0;
  }
}
