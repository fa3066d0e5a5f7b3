package dev.offcut.command.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** The sampler of malloc for a program that is no JVM: it is in the agent's jar. */
final class NativeLibrary {
  // Of an ELF file of 64 bits, and of a part of it.
  private static final int PARTS_AT = 32;
  private static final int PART_BYTES_AT = 54;
  private static final int PARTS = 56;
  private static final int INTERPRETER = 3;
  private static final int HEADER = 64;

  private static final Path MOUNTS = Path.of("/proc/self/mounts");

  private NativeLibrary() {}

  /**
   * Unpacks it for a program.
   *
   * @return null if there is none for this system, or the program has no C library
   */
  static @Nullable Path unpacked(Path agent, Path program, Path folder) throws IOException {
    String interpreter = interpreter(program);
    String architecture =
        switch (System.getProperty("os.arch", "")) {
          case "amd64" -> "x64";
          case "aarch64" -> "arm64";
          default -> "";
        };
    if (interpreter.isEmpty() || architecture.isEmpty() || !runsCode(folder)) {
      return null;
    }
    String name =
        "native/linux-" + (interpreter.contains("musl") ? "musl-" : "") + architecture + ".so";
    try (ZipFile jar = new ZipFile(agent.toFile())) {
      ZipEntry entry = jar.getEntry(name);
      if (entry == null) {
        return null;
      }
      Path file = folder.resolve("native.so");
      try (InputStream in = jar.getInputStream(entry)) {
        Files.copy(in, file);
      }
      return file;
    }
  }

  /** The loader of a program; empty if it has none, or is no ELF file. */
  private static String interpreter(Path program) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(program.toFile(), "r")) {
      ByteBuffer header = bytes(file, 0, HEADER);
      if (header.getInt(0) != 0x464c457f || header.get(4) != 2) {
        return "";
      }
      int size = Short.toUnsignedInt(header.getShort(PART_BYTES_AT));
      for (int i = 0; i < Short.toUnsignedInt(header.getShort(PARTS)); i++) {
        ByteBuffer part = bytes(file, header.getLong(PARTS_AT) + (long) i * size, size);
        if (part.getInt(0) == INTERPRETER) {
          ByteBuffer text = bytes(file, part.getLong(8), Math.toIntExact(part.getLong(32)));
          return StandardCharsets.UTF_8.decode(text).toString();
        }
      }
      return "";
    } catch (ArithmeticException | IndexOutOfBoundsException e) {
      return ""; // damaged: whoever starts it says so
    }
  }

  private static ByteBuffer bytes(RandomAccessFile file, long at, int count) throws IOException {
    byte[] bytes = new byte[Math.min(count, 1 << 16)];
    file.seek(at);
    file.readFully(bytes);
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Whether code may be loaded from a folder: else the program's loader would print a warning. */
  private static boolean runsCode(Path folder) throws IOException {
    try (Stream<String> mounts = Files.lines(MOUNTS, StandardCharsets.ISO_8859_1)) {
      return mounts
          .map(line -> line.split(" ", -1))
          .filter(words -> folder.startsWith(words[1]))
          .max(Comparator.comparingInt(words -> words[1].length()))
          .map(words -> !("," + words[3] + ",").contains(",noexec,"))
          .orElse(true);
    }
  }
}
