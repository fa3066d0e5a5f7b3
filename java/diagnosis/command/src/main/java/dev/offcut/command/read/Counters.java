package dev.offcut.command.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a HotSpot JVM says of itself in the file of counters that it keeps for tools as {@code jps}.
 * The JDK's reader of these files costs a short word half of its CPU.
 *
 * @param command the class or jar and its arguments; empty if it is not known
 * @param attachable whether tools may attach to it
 */
record Counters(String command, boolean attachable) {
  private static final int MAGIC = 0xcafec0c0;
  private static final int MOST_BYTES = 1 << 20;

  // The header, and an entry.
  private static final int ORDER_AT = 4;
  private static final int VERSION_AT = 5;
  private static final int ACCESSIBLE_AT = 7;
  private static final int FIRST_AT = 24;
  private static final int COUNT_AT = 28;
  private static final int NAME_AT = 4;
  private static final int DATA_AT = 16;

  private static final int VERSION = 2;

  private static final byte[] COMMAND = "sun.rt.javaCommand".getBytes(StandardCharsets.US_ASCII);

  /** Its first character says whether tools may attach. */
  private static final byte[] CAPABILITIES =
      "sun.rt.jvmCapabilities".getBytes(StandardCharsets.US_ASCII);

  /**
   * Those of the other JVMs that let this user read them, by PID. The file is named after the PID
   * that the process has in its container, and lies in the folder for temporary files there. Fails
   * on a system without {@code /proc}.
   */
  static Map<Long, Counters> all() throws IOException {
    Map<Long, Counters> all = new TreeMap<>();
    String self = String.valueOf(Files.readSymbolicLink(Path.of("/proc/self")));
    for (Path file : files(Path.of("/tmp"), "[0-9]*")) {
      String pid = String.valueOf(file.getFileName());
      if (!pid.equals(self) && Files.exists(Path.of("/proc", pid))) {
        add(all, pid, file);
      }
    }
    Path own = Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        if (isInContainer(process, own)) {
          for (Path file : files(process.resolve("root/tmp"), pidInside(process))) {
            add(all, String.valueOf(process.getFileName()), file);
          }
        }
      }
    }
    return all;
  }

  private static void add(Map<Long, Counters> all, String pid, Path file) {
    Counters counters = of(file);
    if (counters != null) {
      all.put(Long.parseLong(pid), counters);
    }
  }

  /** Not, if this user may not know. */
  private static boolean isInContainer(Path process, Path own) {
    try {
      return !Files.readSymbolicLink(process.resolve("ns/pid")).equals(own);
    } catch (IOException e) {
      return false;
    }
  }

  private static String pidInside(Path process) {
    try {
      String status = Files.readString(process.resolve("status"), StandardCharsets.ISO_8859_1);
      int at = status.indexOf("NSpid:");
      String line = at < 0 ? "" : status.substring(at, status.indexOf('\n', at));
      return line.substring(line.lastIndexOf('\t') + 1);
    } catch (IOException e) {
      return ""; // it ended
    }
  }

  /** The files of a name in the folders that the JVMs of all users make. */
  private static List<Path> files(Path temporary, String name) {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(temporary, "hsperfdata_*")) {
      for (Path folder : folders) {
        addFiles(folder, name, files);
      }
    } catch (IOException | DirectoryIteratorException e) {
      // There is none, or it is nobody's business.
    }
    return files;
  }

  private static void addFiles(Path folder, String name, List<Path> files) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, name)) {
      all.forEach(files::add);
    } catch (IOException | DirectoryIteratorException e) {
      // Another user's.
    }
  }

  /** Null of a file that is none, or of a JVM that is just starting. */
  static @Nullable Counters of(Path file) {
    try {
      byte[] bytes = Files.size(file) > MOST_BYTES ? new byte[0] : Files.readAllBytes(file);
      return bytes.length == 0 ? null : of(bytes);
    } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable Counters of(byte[] bytes) {
    ByteBuffer all = ByteBuffer.wrap(bytes);
    if (all.getInt(0) != MAGIC || all.get(VERSION_AT) != VERSION || all.get(ACCESSIBLE_AT) == 0) {
      return null;
    }
    all.order(all.get(ORDER_AT) == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    String command = "";
    String capabilities = "";
    int at = all.getInt(FIRST_AT);
    for (int left = all.getInt(COUNT_AT); left > 0; left--) {
      int name = at + all.getInt(at + NAME_AT);
      int data = at + all.getInt(at + DATA_AT);
      if (isAt(bytes, name, COMMAND)) {
        command = text(bytes, data);
      } else if (isAt(bytes, name, CAPABILITIES)) {
        capabilities = text(bytes, data);
      }
      at += Math.max(1, all.getInt(at));
    }
    return new Counters(command, capabilities.startsWith("1"));
  }

  private static boolean isAt(byte[] bytes, int at, byte[] name) {
    int end = at + name.length;
    return bytes[end] == 0 && Arrays.equals(bytes, at, end, name, 0, name.length);
  }

  private static String text(byte[] bytes, int from) {
    int end = from;
    while (bytes[end] != 0) {
      end++;
    }
    return new String(bytes, from, end - from, StandardCharsets.UTF_8);
  }
}
