package dev.offcut.resident;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Something of which the process may have so much and no more, or it fails.
 *
 * @param of what it is
 * @param used how much of it is used; -1 if only the program knows
 * @param limit how much may be
 */
public record Bound(Of of, long used, long limit) {
  /** What has a limit beside file descriptors. */
  public enum Of {
    /** Threads and processes of the container. */
    THREADS,
    /** The instances of inotify that a user may have; those of the process are counted. */
    INOTIFY,
    /** Bytes of the JVM's class space. */
    CLASS_SPACE,
    /** Bytes of metaspace, class space included. */
    METASPACE,
    /** Bytes of direct buffers. */
    DIRECT_MEMORY,
    /** Bytes of the container's memory, without pages that the system can drop. */
    MEMORY
  }

  private static final Path MOST_INOTIFY = Path.of("/proc/sys/fs/inotify/max_user_instances");

  /** More than the number has. */
  private static final int DIGITS = 32;

  /** All but that of the container's memory. */
  static List<Bound> of(Path process, Descriptors descriptors, Sums sums, JvmRanges jvm) {
    List<Bound> bounds = new ArrayList<>();
    Bound threads = ControlGroup.threads(process);
    if (threads != null) {
      bounds.add(threads);
    }
    long watches = 0;
    for (Account.Group kind : descriptors.kinds()) {
      watches += kind.name().equals(Descriptors.INOTIFY) ? kind.count() : 0;
    }
    add(bounds, Of.INOTIFY, watches, watches == 0 ? 0 : mostInotify());
    long classes = sums.sum(Part.CLASS_SPACE);
    add(bounds, Of.CLASS_SPACE, classes, jvm.classSpace());
    add(bounds, Of.METASPACE, classes + sums.sum(Part.METASPACE), jvm.metaspaceLimit());
    add(bounds, Of.DIRECT_MEMORY, -1, jvm.directLimit());
    return List.copyOf(bounds);
  }

  private static void add(List<Bound> bounds, Of of, long used, long limit) {
    if (limit > 0) {
      bounds.add(new Bound(of, used, limit));
    }
  }

  /** 0 if it is not known. The system hands out such a file to the first read alone. */
  static long mostInotify() {
    byte[] text = new byte[DIGITS];
    try (InputStream file = Files.newInputStream(MOST_INOTIFY)) {
      int length = Math.max(0, file.read(text));
      return Long.parseLong(new String(text, 0, length, StandardCharsets.US_ASCII).trim());
    } catch (IOException | NumberFormatException e) {
      return 0;
    }
  }
}
