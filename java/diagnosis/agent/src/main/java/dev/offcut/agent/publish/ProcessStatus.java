package dev.offcut.agent.publish;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What Linux says of this process: its memory in bytes, its threads and descriptors. What it does
 * not say, here or on another system, is -1.
 */
final class ProcessStatus {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path GROUPS = Path.of("/proc/self/cgroup");
  private static final Path ROOT = Path.of("/sys/fs/cgroup");

  private static final byte[] PEAK = ascii("VmHWM:");
  private static final byte[] RESIDENT = ascii("VmRSS:");
  private static final byte[] ANONYMOUS = ascii("RssAnon:");
  private static final byte[] OF_FILES = ascii("RssFile:");
  private static final byte[] THREADS = ascii("Threads:");

  /** Its size is the number of descriptors, from Linux 6.2 on; before that, zero. */
  private static final File DESCRIPTORS = new File("/proc/self/fd");

  /** A limit of the first version of control groups that is none is a bit below 2^63. */
  private static final long NO_LIMIT = 1L << 62;

  /** Resident, and the most that was. */
  long resident = -1;

  long residentPeak = -1;

  /** Of what is resident: pages that no file has, and those of files. */
  long anonymous = -1;

  long ofFiles = -1;

  /** How many there are; -1 if that is not known. */
  long threads = -1;

  long descriptors = -1;

  /** Of the container, or -1 without one. */
  long limit = -1;

  /** Open as long as it is asked: to open it costs more than to read it. */
  private @Nullable RandomAccessFile lines;

  private final byte[] text = new byte[8192];

  /** As it is now. */
  static ProcessStatus now() {
    ProcessStatus status = new ProcessStatus();
    status.look();
    status.close();
    status.readContainer();
    return status;
  }

  /** Looks again at the process, not at its container. It allocates nothing but at first. */
  void look() {
    try {
      RandomAccessFile from = lines;
      if (from == null) {
        from = new RandomAccessFile(STATUS.toFile(), "r");
        lines = from;
      }
      from.seek(0);
      // A buffer of this size costs no memory outside the heap; by a channel there would be one.
      read(Math.max(0, from.read(text)));
      descriptors = descriptors();
    } catch (IOException e) {
      // another system
    }
  }

  private static long descriptors() {
    long count = DESCRIPTORS.length();
    if (count > 0) {
      return count;
    }
    String[] names = DESCRIPTORS.list();
    return names == null ? -1 : names.length - 1; // one of them is that of the folder
  }

  void close() {
    try {
      RandomAccessFile from = lines;
      if (from != null) {
        from.close();
      }
    } catch (IOException e) {
      // it was read
    }
    lines = null;
  }

  private void read(int length) {
    for (int line = 0; line < length; line = lineEnd(line, length) + 1) {
      if (isAt(line, PEAK)) {
        residentPeak = kilobytes(line + PEAK.length, length);
      } else if (isAt(line, RESIDENT)) {
        resident = kilobytes(line + RESIDENT.length, length);
      } else if (isAt(line, ANONYMOUS)) {
        anonymous = kilobytes(line + ANONYMOUS.length, length);
      } else if (isAt(line, OF_FILES)) {
        ofFiles = kilobytes(line + OF_FILES.length, length);
      } else if (isAt(line, THREADS)) {
        threads = number(line + THREADS.length, length);
      }
    }
  }

  private int lineEnd(int at, int length) {
    int end = at;
    while (end < length && text[end] != '\n') {
      end++;
    }
    return end;
  }

  private boolean isAt(int at, byte[] name) {
    return Arrays.equals(text, at, Math.min(text.length, at + name.length), name, 0, name.length);
  }

  /** The number in a line, which is in kB. */
  private long kilobytes(int from, int length) {
    return 1024 * number(from, length);
  }

  private long number(int from, int length) {
    long number = 0;
    for (int at = from; at < length && text[at] != '\n'; at++) {
      if (text[at] >= '0' && text[at] <= '9') {
        number = 10 * number + (text[at] - '0');
      }
    }
    return number;
  }

  private static byte[] ascii(String name) {
    return name.getBytes(StandardCharsets.US_ASCII);
  }

  /** A file's lines. By a channel they would cost the thread a direct buffer, which counts. */
  private static BufferedReader lines(Path file) throws IOException {
    return new BufferedReader(
        new InputStreamReader(new FileInputStream(file.toFile()), StandardCharsets.ISO_8859_1));
  }

  /** Looks at the limit of the container. */
  void readContainer() {
    Path group = group();
    long known =
        group != null && Files.exists(group.resolve("memory.current"))
            ? number(group.resolve("memory.max"))
            : number(ROOT.resolve("memory/memory.limit_in_bytes"));
    limit = known >= NO_LIMIT ? -1 : known;
  }

  /** The folder of this process's control group, of the second version. */
  private static @Nullable Path group() {
    try (BufferedReader lines = lines(GROUPS)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("0::/")) {
          Path own = ROOT.resolve(line.substring("0::/".length()));
          return Files.exists(own.resolve("memory.max")) ? own : ROOT;
        }
      }
    } catch (IOException e) {
      // another system
    }
    return null;
  }

  private static long number(Path file) {
    try (BufferedReader lines = lines(file)) {
      return Long.parseLong(String.valueOf(lines.readLine()).trim());
    } catch (IOException | NumberFormatException e) {
      return -1; // not there, or "max"
    }
  }
}
