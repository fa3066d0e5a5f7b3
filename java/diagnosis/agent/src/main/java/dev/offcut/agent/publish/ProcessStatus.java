package dev.offcut.agent.publish;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What Linux says of this process: its memory in bytes, its threads and descriptors. What it does
 * not say, here or on another system, is -1.
 */
final class ProcessStatus {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path GROUPS = Path.of("/proc/self/cgroup");
  private static final Path ROOT = Path.of("/sys/fs/cgroup");

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

  /** One of this size costs no memory outside the heap; by a channel there would be some. */
  private final byte[] buffer = new byte[8192];

  /** As it is now. */
  static ProcessStatus now() {
    ProcessStatus status = new ProcessStatus();
    status.look();
    status.readContainer();
    return status;
  }

  /** Looks again at the process, not at its container. */
  void look() {
    try (FileInputStream file = new FileInputStream(STATUS.toFile())) {
      int length = Math.max(0, file.read(buffer));
      String text = new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
      residentPeak = number(text, "\nVmHWM:");
      resident = number(text, "\nVmRSS:");
      anonymous = number(text, "\nRssAnon:");
      ofFiles = number(text, "\nRssFile:");
      threads = number(text, "\nThreads:");
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

  /** The number of a line, in bytes if the line says kB; -1 without that line. */
  private static long number(String text, String name) {
    int at = text.indexOf(name);
    if (at < 0) {
      return -1;
    }
    int from = at + name.length();
    String line = text.substring(from, text.indexOf('\n', from)).trim();
    return line.endsWith(" kB")
        ? 1024 * Long.parseLong(line.substring(0, line.length() - " kB".length()))
        : Long.parseLong(line);
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
